# SPDX-License-Identifier: MIT
"""What a cold compile costs on the CPU: from TTIR text to an address that can be called.

    python bench/bench_compile_time.py [--only NAME,…] [--ttir FOLDER] [--json PATH] [--check]

Nothing is cached, and the process has compiled before. The note splits the time: to linalg, to the llvm dialect,
LLVM's passes, code generation, loading. `--ttir` adds files of TTIR, without bars.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import side_by_side
from side_by_side import Row

HERE = Path(__file__).resolve().parent
KERNELS = HERE / "compiled_kernels.py"
TUTORIALS = HERE.parent / "python" / "tutorials"
#: Bars in milliseconds.
SIMPLE, DOT, THOUSAND_OPS = 60, 160, 1000


@dataclass(frozen=True)
class Kernel:
    """What is compiled: a kernel in a file, for which types and constants."""

    name: str
    bar: float
    file: Path
    function: str
    signature: str


def _own(function: str, signature: str, bar: float = SIMPLE, name: str = "") -> Kernel:
    return Kernel(name or function, bar, KERNELS, function, signature)


def _matmul(name: str, operand: str, result: str) -> Kernel:
    """Contiguous operands as a launch has them: inner strides are 1, row strides multiples of 16 or not."""
    sizes = "i32:16,i32:16,i32:16" if operand != "fp32" else "i32,i32,i32"
    row = "i32:16" if operand != "fp32" else "i32"
    pointers = f"*{operand}:16,*{operand}:16,*{result}:16"
    constants = f"BM=64,BN=64,BK=32,GROUP=8,WHOLE={operand == 'i8'}"
    strides = f"a_row={row},a_column=1,b_row={row},b_column=1,out_row={row},out_column=1"
    return _own("matmul", f"{pointers},{sizes},{strides},{constants}", DOT, name)


FIXED = [
    _own("add", "*fp32:16,*fp32:16,*fp32:16,i32,1024"),
    _own("gelu", "*fp32:16,*fp32:16,i32,1024"),
    _own("dropout", "*fp32:16,*fp32:16,i32,fp32,i32,1024"),
    _own("softmax", "*fp32:16,*fp32:16,i32,i32,1024"),
    Kernel(
        "layer_norm", SIMPLE, TUTORIALS / "04-layer-norm.py", "forward_kernel",
        "*fp32:16,*fp32:16,*fp32:16,*fp32:16,*fp32:16,*fp32:16,i32,fp32,1024",
    ),
    Kernel(
        "layer_norm backward", SIMPLE, TUTORIALS / "04-layer-norm.py", "backward_kernel",
        "*fp32:16,*fp32:16,*fp32:16,*fp32:16,*fp32:16,*fp32:16,*fp32:16,*fp32:16,i32,i32,1024",
    ),
    _own("rms_norm", "*fp32:16,*fp32:16,*fp32:16,i32,fp32,1024"),
    Kernel(
        "cross_entropy", SIMPLE, TUTORIALS / "06-cross-entropy.py", "loss_kernel",
        "*fp32:16,*i64:16,*fp32:16,*fp32:16,i32,1024",
    ),
    _own("row_sum", "*fp32:16,*fp32:16,i32,512"),
    _own("column_sum", "*fp32:16,*fp32:16,i32,i32,32,64"),
    _own("cumsum", "*fp32:16,*fp32:16,i32,1024"),
    _own("argmax", "*fp32:16,*i64:16,i32,1024"),
    _own("embedding", "*fp32:16,*i64:16,*fp32:16,i32:16,256"),
    _own("transpose", "*fp32:16,*fp32:16,i32,i32,32"),
    _matmul("matmul fp32", "fp32", "fp32"),
    _matmul("matmul bf16", "bf16", "bf16"),
    _matmul("matmul int8", "i8", "i32"),
    Kernel(
        "attention, causal", DOT, TUTORIALS / "05-flash-attention.py", "attention_kernel",
        "*fp32:16,*fp32:16,*fp32:16,*fp32:16,i32,fp32,64,64,64,True",
    ),
]  # fmt: skip


def _chain(count: int) -> str:
    steps = (
        "v = v * w + 1.25",
        "w = tl.exp(v) - w",
        "v = tl.where(v > w, v, w)",
        "w = tl.maximum(w, v * 0.5)",
    )
    body = "".join(f"    {steps[at % 4]}\n" for at in range(count))
    return f"""
@triton.jit
def chain(x, y, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n)
    w = tl.load(y + i, mask=i < n)
{body}    tl.store(out + i, v + w, mask=i < n)
"""


def _softmaxes(count: int) -> str:
    body = "".join(
        f"""
    v = tl.load(x + (row * {count} + {at}) * stride + i, mask=i < columns, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + (row * {count} + {at}) * stride + i, e / tl.sum(e, 0), mask=i < columns)
"""
        for at in range(count)
    )
    return f"""
@triton.jit
def softmaxes(x, out, stride, columns, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
{body}"""


def _operations(ttir: str) -> int:
    """Operations in the text, without the module, its functions and what ends a region."""
    lines = (line.strip() for line in ttir.splitlines())
    return sum(line.startswith(("%", "tt.store", "scf.")) and " = loc" not in line for line in lines)


def _ttir_of(kernel: Kernel) -> str:
    from flagtree.tools.kernel_file import load_kernel
    from flagtree.tools.signature import resolve
    from flagtree.tools.target import parse_target
    from flagtree.upstream.lower import KernelSource, Pipeline
    from flagtree.upstream.probe import jit_function

    name, function = load_kernel(kernel.file, kernel.function)
    made = resolve(function, name, kernel.signature)
    source = KernelSource(jit_function(function), made.types, made.constexprs, made.alignments)
    return str(Pipeline(parse_target("cpu"), {}).lower(source, "ttir"))


def _thousand(make: Callable[[int], str], function: str, signature: str, folder: Path) -> str:
    """TTIR of about 1,000 operations: the source is made again until it is as long as it has to be."""
    count = 20
    for _ in range(3):
        file = folder / f"{function}{count}.py"
        file.write_text("import triton\nimport triton.language as tl\n" + make(count), encoding="utf-8")
        ttir = _ttir_of(Kernel(function, THOUSAND_OPS, file, function, signature))
        count = -(-count * 1000 // _operations(ttir))
    return ttir


def _texts(options: Any) -> Iterator[tuple[str, float | None, str]]:
    """(name, bar, TTIR) of what was asked for."""
    only = set(filter(None, options.only.split(",")))
    for kernel in FIXED:
        if not only or kernel.name in only:
            yield kernel.name, kernel.bar, _ttir_of(kernel)
    generated = (
        (_chain, "chain", "*fp32:16,*fp32:16,*fp32:16,i32,1024"),
        (_softmaxes, "softmaxes", "*fp32:16,*fp32:16,i32,i32,1024"),
    )
    with tempfile.TemporaryDirectory() as folder:
        for make, function, signature in generated:
            if not only or function in only:
                ttir = _thousand(make, function, signature, Path(folder))
                yield f"{function}, {_operations(ttir)} ops", THOUSAND_OPS, ttir
    if options.ttir:
        for file in sorted(options.ttir.glob("*.ttir")):
            if not only or file.stem in only:
                yield file.stem, None, file.read_text(encoding="utf-8")


class Phases:
    """One cold compile, and afterwards what only splits its time."""

    names = ("linalg", "llvm dialect", "passes", "code", "load")

    def __init__(self, ttir: str) -> None:
        from flagtree._native.compiler import Module, Program
        from flagtree.backends.cpu import pipeline
        from flagtree.backends.cpu.options import CPUOptions
        from flagtree.compiler.pass_manager import PassManager

        marks = [time.perf_counter()]

        def mark() -> float:
            marks.append(time.perf_counter())
            return 1e3 * (marks[-1] - marks[-2])

        module = Module.parse(ttir)
        for stage in (pipeline.ttir, pipeline.linalg):
            passes = PassManager()
            stage(passes, CPUOptions())
            passes.run(module)
        linalg = mark()
        passes = PassManager()
        pipeline.llir(passes, CPUOptions())
        passes.run(module)
        dialect = mark()
        code = module.emit("obj")
        emit = mark()
        assert Program(code, module.kernel_name()).address
        load = mark()
        self.total = 1e3 * (marks[-1] - marks[0])
        module.emit("llir")
        translate = mark()
        module.emit("llir-opt")
        optimise = max(0.0, mark() - translate)
        self.parts = (linalg, dialect, optimise, emit - optimise, load)


def measure(name: str, bar: float | None, ttir: str, rounds: int) -> Row:
    try:
        Phases(ttir)
        runs = [Phases(ttir) for _ in range(max(rounds, 9))]
    except Exception as error:
        return Row(name, None, bar=bar, at_most=True, note=str(error).splitlines()[0][:60])
    totals = [run.total for run in runs]
    parts = [statistics.median(part) for part in zip(*(run.parts for run in runs), strict=True)]
    note = ", ".join(f"{what} {part:.1f}" for what, part in zip(Phases.names, parts, strict=True))
    median = statistics.median(totals)
    return Row(name, median, min(totals), max(totals), bar, at_most=True, unit=" ms", note=note)


def main() -> None:
    parser = side_by_side.arguments(__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="names of kernels, with commas between them")
    parser.add_argument("--ttir", type=Path, help="a folder of .ttir files to measure as well")
    options = parser.parse_args()
    rows = [measure(*each, options.rounds) for each in _texts(options)]
    side_by_side.report("Cold compiles on the CPU", rows, options)


if __name__ == "__main__":
    main()
