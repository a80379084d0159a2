# SPDX-License-Identifier: MIT
"""Hints on the CPU: the code is another, the result the same, and nothing that goes wrong can break a compile."""

from __future__ import annotations

import ctypes
import functools
import mmap
import random
from typing import Any

import numpy as np
import pytest
from source_kernels import CPU, kernel_of

from flagtree.backends.cpu import pipeline
from flagtree.backends.cpu.hint_notes import records as notes_of
from flagtree.hints import passes
from flagtree.hints.account import Status, fates
from flagtree.hints.passes import PassRecord

#: Each program adds rows of B columns, those with numbers first, first + step, …
SUM = """
@triton.jit
def kernel(x, o, first, n, step, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    a = tl.zeros((B,), tl.float32)
    for k in tl.range(first, n, step):{hint}
        a = a * 0.5 + tl.load(x + k * B + i)
    tl.store(o + i, a)
"""
UNROLL = "  #@hint: unroll(4)"
#: Upstream's kernels ask for the active driver when they die, which must not be while something else is imported.
_alive: list[Any] = []


def sums(hint: str, first: int = 0, n: int = 9, step: int = 1) -> tuple[Any, np.ndarray, list[PassRecord]]:
    """The kernel, what it computed and what passes did about its hints."""
    rows = np.random.default_rng(0).standard_normal((20, 256)).astype(np.float32)
    out = np.full(256, 7, np.float32)
    with passes.collect() as told:
        compiled = kernel_of(SUM.format(hint=hint))[(1,)](rows, out, first, n, step, B=256)
    _alive.append(compiled)
    return compiled, out, told.records


def outcomes(records: list[PassRecord]) -> list[tuple[str, str]]:
    return [(record.hint, record.outcome) for record in records]


@pytest.mark.parametrize("n", [0, 1, 3, 4, 5, 8, 11])
@pytest.mark.parametrize(("first", "step"), [(0, 1), (2, 1), (3, 2), (0, 5)])
def test_an_unrolled_loop_computes_the_same_whatever_its_bounds(first: int, n: int, step: int) -> None:
    _, expected, _ = sums("", first, n, step)
    _, found, records = sums(UNROLL, first, n, step)
    np.testing.assert_array_equal(found, expected)
    assert outcomes(records) in (
        [("unroll=4", passes.APPLIED)],
        [],
    )  # none where the code was compiled before


def test_a_step_of_which_no_group_fits_into_a_number_does_not_overflow() -> None:
    for n, step in ((3, 2**30), (2**31 - 1, 2**31 - 2)):
        _, expected, _ = sums("", 0, 1, 1)
        _, found, _ = sums(UNROLL, 0, min(n, step), step)
        np.testing.assert_array_equal(found, expected)


def test_an_unrolled_loop_reads_and_writes_what_it_carries_once_for_all_copies() -> None:
    with_hint, _, _ = sums(UNROLL)
    without, _, _ = sums("")
    body = with_hint.asm["llir"]
    assert body.count("fadd") == 5 and without.asm["llir"].count("fadd") == 1
    assert with_hint.hints[0].status is Status.APPLIED


BRANCHES = """
@triton.jit
def kernel(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.zeros((B,), tl.float32)
    for k in tl.range(0, n):{hint}
        if k % 3 == 0:
            a += tl.load(x + k + i, mask=i < k, other=-1.0)
        else:
            tl.store(o + i, a)
    tl.store(o + i, a)
"""


def test_copies_that_take_the_compiler_too_long_are_rejected() -> None:
    x = np.arange(64, dtype=np.float32)
    expected, found = np.zeros(8, np.float32), np.zeros(8, np.float32)
    _alive.append(kernel_of(BRANCHES.format(hint=""))[(1,)](x, expected, 40, B=8))
    hinted = kernel_of(BRANCHES.format(hint="  #@hint: unroll(64)"))
    _alive.append(hinted[(1,)](x, found, 40, B=8))
    np.testing.assert_array_equal(found, expected)
    (fate,) = _alive[-1].hints
    assert fate.status is Status.REJECTED and "64 loops and branches with blocks, more than 16" in fate.reason


def test_hinted_loops_in_hinted_loops_have_a_limit_together() -> None:
    nest = """
    @triton.jit
    def kernel(x, o, n, B: tl.constexpr):
        i = tl.arange(0, B)
        for j in tl.range(0, n):  #@hint: unroll(64)
            for k in tl.range(0, n):  #@hint: unroll(64)
                tl.store(o + j * B + i, tl.load(o + j * B + i) + tl.load(x + k + i))
    """
    signature = {"x": "*fp32", "o": "*fp32", "n": "i32", "B": "constexpr"}
    outer, inner = sorted(fates(kernel_of(nest), signature, {"B": 8}, CPU), key=lambda fate: fate.line)
    assert inner.status is Status.APPLIED
    assert outer.status is Status.REJECTED and "operations, more than 8192" in outer.reason


def test_the_record_names_the_place() -> None:
    _, _, records = sums("  #@hint: unroll(3)")
    (record,) = records
    assert (record.name, record.function, record.line) == ("flir-unroll-hinted", "kernel", 5)
    assert record.file.startswith("/kernels/") and "3 times" in record.reason
    assert record.column >= 4  # some part of the header: which one depends on the Triton


@pytest.mark.parametrize("kind", ["error", "invalid"])
def test_a_failure_within_the_pass_is_undone_and_told(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    without, expected, _ = sums("")
    monkeypatch.setattr(
        pipeline.flir,
        "add_unroll_hinted",
        functools.partial(pipeline.flir.add_unroll_hinted, inject_failure=kind),
    )
    # Another factor than elsewhere: the cache does not know of the injection.
    hint = "  #@hint: unroll(5)" if kind == "error" else "  #@hint: unroll(6)"
    compiled, found, records = sums(hint)
    np.testing.assert_array_equal(found, expected)
    assert compiled.asm["llir"] == without.asm["llir"]
    assert [r.outcome for r in records] == [passes.FAILED] and "was undone" in records[0].reason
    (fate,) = compiled.hints
    assert fate.status is Status.REJECTED and "was undone" in fate.reason


def test_what_a_later_pass_cannot_do_is_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    without, expected, _ = sums("")
    real = pipeline.llir

    def llir(pm: Any, options: Any) -> None:
        with monkeypatch.context() as patch:
            # What has an entry cannot be given one again.
            patch.setattr(pipeline, "_to_llvm", pipeline.cpu.add_make_entry)
            real(pm, options)

    monkeypatch.setattr(pipeline, "llir", llir)
    compiled, found, records = sums("  #@hint: unroll(7)")
    np.testing.assert_array_equal(found, expected)
    assert compiled.asm["llir"] == without.asm["llir"]
    assert outcomes(records) == [("unroll=7", passes.FAILED)]
    assert records[0].name == "way back" and "llir failed with it" in records[0].reason


def test_a_kernel_that_cannot_be_compiled_is_told_so_with_hints_too(monkeypatch: pytest.MonkeyPatch) -> None:
    from flagtree.compiler.errors import KernelCompileError

    def broken(pm: Any, options: Any) -> None:
        pm.add("no-such-pass")

    monkeypatch.setattr(pipeline, "llir", broken)
    with pytest.raises(KernelCompileError, match="no-such-pass"):
        sums("  #@hint: unroll(9)")


#: Each program adds the rows that its list names.
BAG = """
@triton.jit
def kernel(numbers, x, o, n, D: tl.constexpr):
    p = tl.program_id(0)
    i = tl.arange(0, D)
    a = tl.zeros((D,), tl.float32)
    for k in tl.range(0, n):
        row = tl.load(numbers + p * n + k)
        a += tl.load(x + row * D + i){hint}
    tl.store(o + p * D + i, a)
"""


def bags(hint: str, n: int) -> tuple[Any, np.ndarray, list[PassRecord]]:
    """As `sums`, for three lists of n rows each; nothing may be read behind the last list."""
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((50, 64)).astype(np.float32)
    page = 4096
    memory = mmap.mmap(-1, 2 * page)
    assert _libc.mprotect(ctypes.c_void_p(_address(memory) + page), page, 0) == 0
    numbers = np.frombuffer(memory, np.int32, 3 * n, page - 12 * n)
    numbers[:] = rng.integers(0, 50, 3 * n)
    out = np.zeros((3, 64), np.float32)
    with passes.collect() as told:
        compiled = kernel_of(BAG.format(hint=hint))[(3,)](numbers, rows, out, n, D=64)
    _alive.extend((compiled, memory))
    return compiled, out, told.records


_libc = ctypes.CDLL(None, use_errno=True)


def _address(memory: mmap.mmap) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, 40])
def test_numbers_read_early_are_those_of_iterations_that_there_are(n: int) -> None:
    _, expected, _ = bags("", n)
    for distance in (1, 2, 3, 64):
        _, found, _ = bags(f"  #@hint: prefetch({distance})", n)
        np.testing.assert_array_equal(found, expected)


CHAIN = """
@triton.jit
def kernel(a, b, x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.zeros((B,), tl.float32)
    for k in tl.range(0, n):
        j = tl.load(a + k)
        row = tl.load(b + j)
        v += tl.load(x + row * B + i)  #@hint: prefetch({distance})
        {write}
    tl.store(o + i, v)
"""


@pytest.mark.parametrize("write", ["tl.store(a + k + 1, j + 1)", "tl.atomic_xchg(a + k + 1, j + 1)"])
@pytest.mark.parametrize("distance", [1, 3])
def test_a_number_that_the_loop_may_yet_change_is_no_address(write: str, distance: int) -> None:
    a = np.full(33, 2**31 - 1, np.int32)  # what is far outside of b, until the iteration before
    a[0] = 0
    x, out = np.random.default_rng(0).random((33, 64), np.float32), np.zeros(64, np.float32)
    b = np.arange(33, dtype=np.int32)
    compiled = kernel_of(CHAIN.format(write=write, distance=distance))[(1,)](a, b, x, out, 32, B=64)
    _alive.append(compiled)
    np.testing.assert_allclose(out, x[:32].sum(0), rtol=1e-5)
    assert compiled.hints[0].reason == "where it reads is not known that early"


def test_a_prefetched_load_is_applied_and_one_that_cannot_be_is_rejected() -> None:
    compiled, _, records = bags("  #@hint: prefetch", 9)
    assert outcomes(records) == [("prefetch", passes.APPLIED)] and "4 iterations" in records[0].reason
    assert "llvm.prefetch" in compiled.asm["llir"] and compiled.hints[0].status is Status.APPLIED
    unknown = BAG.replace("row * D", "tl.sum(a).to(tl.int32) * D")
    signature = {"numbers": "*i32", "x": "*fp32", "o": "*fp32", "n": "i32", "D": "constexpr"}
    (fate,) = fates(kernel_of(unknown.format(hint="  #@hint: prefetch(2)")), signature, {"D": 64}, CPU)
    assert fate.status is Status.REJECTED and fate.reason == "where it reads is not known that early"


@pytest.mark.parametrize("kind", ["error", "invalid"])
def test_a_failure_to_prefetch_is_undone(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    without, expected, _ = bags("", 9)
    monkeypatch.setattr(
        pipeline.cpu,
        "add_prefetch_hinted",
        functools.partial(pipeline.cpu.add_prefetch_hinted, inject_failure=kind),
    )
    compiled, found, records = bags(f"  #@hint: prefetch({5 if kind == 'error' else 6})", 9)
    np.testing.assert_array_equal(found, expected)
    assert compiled.asm["llir"] == without.asm["llir"]
    assert records and {r.outcome for r in records} == {passes.FAILED}


COPY = """
@triton.jit
def kernel(x, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, mask=i < n) + 1, mask=i < n){hint}
"""


@pytest.mark.parametrize("n", [1, 63, 64, 1000, 1024])
@pytest.mark.parametrize("width", ["(1)", "(8)", "(64)", "(512)", ""])
def test_a_hinted_width_is_used_and_changes_no_result(width: str, n: int) -> None:
    x, out = np.arange(1024).astype(np.int8), np.full(1024, 7, np.int8)
    compiled = kernel_of(COPY.format(hint=f"  #@hint: vectorize{width}"))[(2,)](x, out, n, B=512)
    _alive.append(compiled)
    np.testing.assert_array_equal(out[:n], x[:n] + np.int8(1))
    assert (out[n:] == 7).all()
    if width in ("(8)", "(64)", "(512)"):
        assert f"<{width[1:-1]} x i8>" in compiled.asm["llir"]
        assert compiled.hints[0].status is Status.APPLIED


def test_a_width_that_a_block_has_no_tiles_of_is_rejected() -> None:
    signature = {"x": "*i8", "o": "*i8", "n": "i32", "B": "constexpr"}
    (fate,) = fates(kernel_of(COPY.format(hint="  #@hint: vectorize(24)")), signature, {"B": 512}, CPU)
    assert fate.status is Status.REJECTED and "512 elements has no tiles of 24" in fate.reason


def test_a_pass_that_leaves_a_loop_alone_says_why() -> None:
    kernel = kernel_of(SUM.format(hint="  #@hint: unroll(2)").replace("a * 0.5", "tl.exp(a)"))
    signature = {"x": "*fp32", "o": "*fp32", "first": "i32", "n": "i32", "step": "i32", "B": "constexpr"}
    (fate,) = fates(kernel, signature, {"B": 64}, CPU)
    assert fate.status is Status.UNUSED and "functions of math take longest" in fate.reason


def test_hints_that_the_cpu_does_not_use_say_so() -> None:
    kernel = kernel_of(SUM.format(hint="  #@hint: num_stages=3, unroll(2)"))
    signature = {"x": "*fp32", "o": "*fp32", "first": "i32", "n": "i32", "step": "i32", "B": "constexpr"}
    found = {fate.text: fate.status for fate in fates(kernel, signature, {"B": 64}, CPU)}
    assert found == {"num_stages=3": Status.UNUSED, "unroll(2)": Status.APPLIED}


class Module:
    def kernel_attribute(self, name: str) -> str:
        return (
            '[{column = 7 : i64, file = "/k/gr\\C3\\B6\\C3\\9Fe.py", hint = "f({\\22}, 2)", line = 12 : i64, '
            'outcome = "failed", pass = "p", reason = "a \\\\ {b}, c = \\222\\22\\0A"}, '
            '{column = 0 : i64, file = "", hint = "g", line = 0 : i64, '
            'outcome = "applied", pass = "q", reason = ""}]'
        )


def test_notes_are_read_whatever_is_in_them() -> None:
    first, second = notes_of(Module(), "k")
    reason = 'a \\ {b}, c = "2"\n'
    assert first == PassRecord("p", 'f({"}, 2)', "k", 12, "failed", reason, file="/k/größe.py", column=7)
    assert second == PassRecord("q", "g", "k", 0, "applied", "")


def test_whatever_the_text_of_hints_is_the_library_reads_it_or_says_why() -> None:
    from flagtree.compiler import native
    from flagtree.compiler.pass_manager import PassManager

    pieces = [
        "unroll",
        "prefetch",
        "=",
        "(",
        ")",
        ",",
        '"',
        "'",
        "[",
        "}",
        " ",
        "2",
        "-",
        "ü",
        "\\",
        "\0",
        "\n",
        "x" * 500,
    ]
    chosen = random.Random(0)
    texts = ["".join(chosen.choices(pieces, k=chosen.randrange(12))) for _ in range(300)]
    quoted = ("".join(f"\\{byte:02X}" for byte in text.encode()) for text in texts)
    body = "\n".join(
        f'    scf.for %i{n} = %lower to %upper step %step {{}} {{flagtree_hints = "{text}"}}'
        for n, text in enumerate(quoted)
    )
    module = native.compiler().Module.parse(
        f"func.func @k(%lower: index, %upper: index, %step: index) {{\n{body}\n    return\n}}"
    )
    manager = PassManager()
    with manager.nest("func.func"):
        pipeline.flir.add_read_hints(manager)
        pipeline.flir.add_unroll_hinted(manager)
    manager.run(module)
    records = notes_of(module, "k")
    assert {r.outcome for r in records} >= {passes.FAILED} and "flagtree_hints" not in str(module)
    malformed = [r for r in records if r.reason.startswith("malformed: ")]
    assert len(malformed) > 100 and all(r.hint in "\n".join(texts) for r in malformed)
