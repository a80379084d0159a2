# SPDX-License-Identifier: MIT
"""The fate of each hint, on a real pipeline: upstream's for NVIDIA, which compiles without a GPU."""

from __future__ import annotations

import warnings

import hinted_kernels as kernels
import pytest
from triton.backends.compiler import GPUTarget

from flagtree.hints import HintWarning
from flagtree.hints.fate import Fate, Status, fates

HOPPER = GPUTarget("cuda", 90, 32)
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
    assert "same without it" in pipelined["dma"].reason


def test_every_hint_has_exactly_one_fate(pipelined: dict[str, Fate]) -> None:
    assert set(pipelined) == {"num_stages=4", "dma"}


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
