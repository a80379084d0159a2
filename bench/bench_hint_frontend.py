# SPDX-License-Identifier: MIT
"""What hints cost the front end: a kernel of many loads or loops with a hint at each, against the same one without.

    python bench/bench_hint_frontend.py [--json PATH] [--check]

Both sides are read, parsed and turned into IR as at a first compile: nothing that FlagTree remembers of a source is
kept from one round to the next. The peer is the same kernel whose comments are ordinary ones.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from typing import Any

import side_by_side
from side_by_side import Row
from text_kernels import kernel_of
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.compiler.compiler import make_backend

from flagtree.hints import comments, parse

TARGET = GPUTarget("cuda", 90, 32)
BAR = 1.05
ON_LOADS = ("shared_memory", "cache(cg), evict(first)", "latency=2", "dma")
ON_LOOPS = ("num_stages=3", "unroll(2), flatten", "multibuffer", "disallow_acc_multi_buffer")


def loads_of(count: int, mark: str) -> str:
    """A kernel of so many loads, with `mark` before the colon of each comment."""
    lines = [
        "@triton.jit",
        "def kernel(x, o, B: tl.constexpr):",
        "    i = tl.arange(0, B)",
        "    a = tl.load(x + i)",
    ]
    lines += [
        f"    a += tl.load(x + {n} * B + i, mask=i < {n + 1})  {mark}: {ON_LOADS[n % len(ON_LOADS)]}"
        for n in range(count)
    ]
    return "\n".join([*lines, "    tl.store(o + i, a)", ""])


def loops_of(count: int, mark: str) -> str:
    """As `loads_of`, with loops that load."""
    lines = [
        "@triton.jit",
        "def kernel(x, o, B: tl.constexpr):",
        "    i = tl.arange(0, B)",
        "    a = tl.load(x + i)",
    ]
    for n in range(count):
        lines += [
            f"    for k in tl.range(0, {n + 2}):  {mark}: {ON_LOOPS[n % len(ON_LOOPS)]}",
            "        a += tl.load(x + k * B + i)",
        ]
    return "\n".join([*lines, "    tl.store(o + i, a)", ""])


def front_end(text: str, name: str) -> Callable[[], Any]:
    """A function that turns the kernel into IR, from its text on."""
    kernel = kernel_of(text, name)
    backend = make_backend(TARGET)
    options = backend.parse_options({"enable_fp_fusion": True})
    functions, modules = backend.get_codegen_implementation(options), backend.get_module_map()

    def run() -> Any:
        parse.parse_source.cache_clear()
        parse._items.cache_clear()
        comments._read.cache_clear()
        context = ir.context()
        ir.load_dialects(context)
        backend.load_dialects(context)
        made = ASTSource(kernel, {"x": "*fp32", "o": "*fp32", "B": "constexpr"}, {"B": 256})
        start = time.thread_time()
        module = made.make_ir(TARGET, options, functions, modules, context)
        run.seconds = time.thread_time() - start  # type: ignore[attr-defined]
        return module

    return run


def seconds(run: Any) -> float:
    """Of one call, the processor's own time. As in `timeit`, the collector of garbage waits until after it."""
    gc.collect()
    gc.disable()
    try:
        run()
    finally:
        gc.enable()
    return run.seconds


def overhead(what: str, source_of: Callable[[int, str], str], count: int, rounds: int) -> Row:
    """Hinted over plain: the median of the ratios of pairs, measured in turn. Of a side, each time is the best of five,
    for what disturbs a measurement only adds to it."""
    plain, hinted = (
        front_end(source_of(count, mark), f"{what}_{count}_{name}")
        for name, mark in (("plain", "# hint"), ("hinted", "#@hint"))
    )
    assert str(hinted()).count("flagtree_hints") == count and "flagtree_hints" not in str(plain())
    ratios, without = [], []
    for index in range(max(rounds, 9)):
        taken: dict[Any, list[float]] = {plain: [], hinted: []}
        for turn in range(5):
            for side in (plain, hinted) if (index + turn) % 2 == 0 else (hinted, plain):
                taken[side].append(seconds(side))
        ratios.append(min(taken[hinted]) / min(taken[plain]))
        without.append(min(taken[plain]))
    note = f"without hints {statistics.median(without) * 1e3:.1f} ms"
    bar = BAR if count == 100 else None
    name = f"{count} hinted {what}"
    return Row(name, statistics.median(ratios), min(ratios), max(ratios), bar, at_most=True, note=note)


def main() -> None:
    options = side_by_side.arguments((__doc__ or "").splitlines()[0]).parse_args()
    rows = [overhead("loads", loads_of, count, options.rounds) for count in (10, 100, 400)]
    rows += [overhead("loops", loops_of, count, options.rounds) for count in (10, 100)]
    side_by_side.report("Front end with hints over front end without", rows, options)


if __name__ == "__main__":
    main()
