# SPDX-License-Identifier: MIT
"""The fate of each hint, on a real pipeline: upstream's for NVIDIA, which compiles without a GPU."""

from __future__ import annotations

import dataclasses
import warnings
from typing import Any

import hinted_kernels as kernels
import pytest
import triton
from source_kernels import HOPPER, kernel_of
from triton.compiler import ASTSource

import flagtree
from flagtree.frontend.tracker import HintTracker
from flagtree.hints import HintWarning
from flagtree.hints.account import Fate, Status, fates, nearest
from flagtree.hints.notes import Note
from flagtree.hints.passes import FAILED, PassRecord

POINTERS = {"x": "*fp32", "o": "*fp32"}


@pytest.fixture(scope="module")
def pipelined() -> dict[str, Fate]:
    found = fates(kernels.pipelined, {**POINTERS, "n": "i32", "B": "constexpr"}, {"B": 1024}, HOPPER)
    return {fate.text: fate for fate in found}


def test_a_hint_that_changes_the_final_code_is_applied(pipelined: dict[str, Fate]) -> None:
    assert pipelined["num_stages=4"].status is Status.APPLIED
    assert "(for)" in pipelined["num_stages=4"].reason


def test_a_hint_that_changes_nothing_is_unused_here(pipelined: dict[str, Fate]) -> None:
    assert pipelined["dma"].status is Status.UNUSED
    assert "does nothing with it on a load" in pipelined["dma"].reason


def test_every_hint_has_exactly_one_fate(pipelined: dict[str, Fate]) -> None:
    assert set(pipelined) == {"num_stages=4", "dma"}


REDUNDANT = """
@triton.jit
def kernel(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.zeros((B,), tl.float32)
    for k in tl.range(0, n):  #@hint: {loop}
        a += tl.load(x + k * B + i)  #@hint: {load}
    tl.store(o + i, a)
"""


def of_text(loop: str, load: str) -> list[Fate]:
    kernel = kernel_of(REDUNDANT.format(loop=loop, load=load))
    return fates(kernel, {**POINTERS, "n": "i32", "B": "constexpr"}, {"B": 1024}, HOPPER)


def test_of_two_hints_that_bring_about_the_same_code_the_first_is_applied() -> None:
    stages, latency = of_text("num_stages=4", "latency=3")
    assert stages.status is Status.APPLIED
    assert latency.status is Status.UNUSED and latency.reason.startswith("other hints make")


def test_a_hint_that_another_overrules_is_unused_and_says_so() -> None:
    stages, latency = of_text("num_stages=5", "latency=2")
    assert latency.status is Status.APPLIED
    assert stages.status is Status.UNUSED and stages.reason.startswith("other hints make")


def test_of_independent_hints_both_are_applied() -> None:
    assert {fate.status for fate in of_text("unroll(2)", "latency=2")} == {Status.APPLIED}


def test_all_that_are_unused_could_be_deleted_at_once() -> None:
    from flagtree.upstream.probe import compile_signature, final_ir

    found = of_text("num_stages=4, disallow_acc_multi_buffer, flatten", "latency=3")
    kept = [fate.text for fate in found if fate.status is Status.APPLIED]
    assert kept == ["num_stages=4"]
    codes = set()
    for loop, load in (
        ("num_stages=4, disallow_acc_multi_buffer, flatten", "latency=3"),
        ("num_stages=4", ""),
    ):
        kernel = kernel_of(REDUNDANT.format(loop=loop, load=load), file="/kernels/same.py")
        compiled = compile_signature(kernel, {**POINTERS, "n": "i32", "B": "constexpr"}, {"B": 1024}, HOPPER)
        codes.add(final_ir(compiled))
    assert len(codes) == 1


def test_a_pass_that_cannot_do_it_says_why() -> None:
    note = Note("f", "k.py", 5, 0, "loop_unroll_factor=2", "s", 0, ("for",), used=True)
    other = note._replace(line=9, index=1)
    record = PassRecord("a pass", "unroll=2", "f", 8, FAILED, "no room", file="k.py")
    assert nearest(record, [note, other]) == other
    assert nearest(dataclasses.replace(record, hint="dma"), [note]) is None
    assert nearest(dataclasses.replace(record, file="l.py"), [note]) is None


def test_a_record_belongs_to_the_statement_around_its_operation() -> None:
    note = Note("f", "k.py", 4, 0, "dma", "s", 0, ("load",), used=True, span=(4, 5, 4, 30))
    long = note._replace(line=9, index=1, span=(5, 5, 9, 6))
    inner = note._replace(line=6, index=2, span=(6, 9, 6, 20))
    record = PassRecord("a pass", "dma", "f", 5, FAILED, "no room", file="k.py", column=9)
    assert nearest(record, [note, long]) == long  # though the other one's comment is closer
    assert nearest(dataclasses.replace(record, column=0), [note, long]) == long
    assert nearest(dataclasses.replace(record, line=6), [note, long, inner]) == inner
    assert nearest(dataclasses.replace(record, line=7), [note, long, inner]) == long
    assert nearest(dataclasses.replace(record, line=2), [note, long]) == note


REFUSED = """
@triton.jit
def scaled(x, i):
    #@hint: layout(col)
    return 2 * tl.load(x + i)

@triton.jit
def kernel(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    at = i[:, None] * B + i[None, :]
    a = tl.load(x + at)  #@hint: layout(col)
    b = tl.load(
        x + 3 * B
        + i,
    )  #@hint: layout(col)
    #@hint: layout(col)
    c = tl.load(x + at + B * B); d = tl.load(x + i + B * B)  #@hint: layout(col)
    e = scaled(x + 2 * B * B, at) + scaled(x, i)
    tl.store(o + at, a + b + c + d + e)
"""


def test_pass_records_find_their_hints_among_equal_ones_close_by() -> None:
    found = fates(kernel_of(REFUSED), {**POINTERS, "B": "constexpr"}, {"B": 64}, HOPPER)
    told = {fate.line: "two dimensions" in fate.reason for fate in found}
    assert told == {3: False, 10: False, 14: True, 15: False, 16: True}
    # Of the two copies of the callee one has rows and columns: its hint is applied.
    assert [fate.status for fate in found if fate.line == 3] == [Status.APPLIED]


def compiled_pipelined() -> Any:
    source = ASTSource(kernels.pipelined, {**POINTERS, "n": "i32", "B": "constexpr"}, {"B": 1024})
    return triton.compile(source, target=HOPPER)


def test_a_compiled_kernel_carries_its_account() -> None:
    compiled = compiled_pipelined()
    assert [(n["text"], n["attached"], n["used"]) for n in compiled.metadata.flagtree_hints] == [
        ("num_stages=4", ["for"], True),
        ("dma", ["load"], False),
    ]
    assert [(f.text, f.status) for f in compiled.hints] == [
        ("num_stages=4", Status.APPLIED),
        ("dma", Status.UNUSED),
    ]


def test_the_account_survives_the_disk_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    first = compiled_pipelined()
    monkeypatch.setattr(HintTracker, "begin", None)  # the front end is not asked again
    again = compiled_pipelined()
    assert again is not first and again.metadata.flagtree_hints == first.metadata.flagtree_hints
    monkeypatch.undo()
    assert str(again.hints[0]).endswith("num_stages=4: applied (the final code is another without it (for))")


def test_an_account_that_cannot_be_made_is_left_out_and_breaks_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(HintTracker, "sightings", lambda _: 1 / 0)
    kernel = kernel_of(REDUNDANT.format(loop="num_stages=3", load="dma"))
    source = ASTSource(kernel, {**POINTERS, "n": "i32", "B": "constexpr"}, {"B": 1024})
    assert triton.compile(source, target=HOPPER).hints == []


def test_the_account_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = compiled_pipelined()
    first = compiled.hints
    monkeypatch.setattr(triton, "compile", None)
    assert compiled.hints == first and compiled.hints is not first


def test_nothing_is_compiled_again_where_the_front_end_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    source = ASTSource(kernels.troubled, {**POINTERS, "B": "constexpr"}, {"B": 64})
    compiled = triton.compile(source, target=HOPPER)
    monkeypatch.setattr(triton, "compile", None)
    assert {f.status for f in compiled.hints} == {Status.REJECTED, Status.UNUSED} and len(compiled.hints) == 6


def test_with_hints_off_there_is_no_account(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAGTREE_HINTS", "off")
    compiled = compiled_pipelined()
    assert compiled.hints == [] and not hasattr(compiled.metadata, "flagtree_hints")


def test_a_launch_on_the_host_tells_the_fates_too(monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    monkeypatch.setenv("TRITON_DEFAULT_BACKEND", "cpu")
    flagtree.use("cpu")
    try:
        x, o = np.ones(64, np.float32), np.zeros(64, np.float32)
        compiled = kernels.troubled[(1,)](x, o, B=64)
        assert (o == 2).all() and len(compiled.hints) == 6
    finally:
        flagtree.use(None)


def test_misplaced_malformed_unfit_and_dead_hints_each_say_so() -> None:
    found = fates(kernels.troubled, {**POINTERS, "B": "constexpr"}, {"B": 64}, HOPPER)
    first = kernels.troubled.starting_line_number + 1  # the line of `def`, after the decorator
    by_place = {(fate.line - first + 1, fate.text): fate for fate in found}
    assert {fate.file for fate in found} == {kernels.__file__}
    assert by_place[2, "dma"].status is Status.REJECTED and "misplaced" in by_place[2, "dma"].reason
    assert by_place[3, "=bad"].status is Status.REJECTED and "malformed" in by_place[3, "=bad"].reason
    assert by_place[6, "num_stages=many"].status is Status.REJECTED
    assert by_place[5, "dma"].status is Status.UNUSED and "dead" in by_place[5, "dma"].reason
    assert len(found) == 6


def test_asking_for_fates_neither_warns_nor_raises_whatever_the_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    for mode in ("warn", "error"):
        monkeypatch.setenv("FLAGTREE_HINTS", mode)
        with warnings.catch_warnings():
            warnings.simplefilter("error", HintWarning)
            assert len(fates(kernels.troubled, {**POINTERS, "B": "constexpr"}, {"B": 64}, HOPPER)) == 6


def test_a_kernel_without_hints_has_no_fates() -> None:
    assert fates(kernels.plain, {**POINTERS, "B": "constexpr"}, {"B": 64}, HOPPER) == []


def test_what_is_no_kernel_is_named() -> None:
    with pytest.raises(TypeError, match=r"is no @triton\.jit function"):
        fates(len, {})
