# SPDX-License-Identifier: MIT
"""Hint passes cannot break a compile: whatever fails in one, the kernel compiles and the record says why."""

from __future__ import annotations

import functools
import importlib
from typing import Any

import pytest
from gpu_kernels import HEAD, TARGETS, assembly, build

from flagtree.hints import passes
from flagtree.hints.passes import HintPass, Outcome, Situation
from flagtree.upstream.hint_passes import CACHE_POLICY, LOAD_LAYOUT, LOOP_COPIES, SHARED_COPIES

KERNEL = (
    HEAD
    + """
    i = tl.arange(0, 64)
    at = i[:, None] * 64 + i[None, :]
    acc = tl.zeros((64, 64), tl.float32)
    for s in range(0, n):
        acc += tl.load(x + s * 4096 + at).to(tl.float32)  #@hint: shared_memory
    m = tl.sum(acc)
    a = tl.load(x + n + at).to(tl.float32)  #@hint: shared_memory, evict(first)
    b = tl.load(x + 2 * n + at).to(tl.float32)  #@hint: layout(col)
    tl.store(o + at, acc * m + a + b)  #@hint: cache(cs)
"""
)


def broken(kind: str, real: HintPass) -> Any:
    """A pass that does its work and then fails in the way called `kind`."""

    def rewrite(text: str, situation: Situation) -> Outcome:
        outcome = real.rewrite(text, situation)
        if kind == "exception":
            raise RuntimeError("injected")
        if kind == "assertion":
            assert outcome is None, "injected"
        if kind == "no IR":
            outcome.text = text.replace("tt.func", "tt.fun c", 1)
        if kind == "invalid IR":  # a value that is used and never defined
            outcome.text = text.replace(
                "tt.return", "tt.store %nowhere, %nothing : !tt.ptr<f32>\n tt.return", 1
            )
        if kind == "undefined operation":
            outcome.text = text.replace("tt.return", '"tt.unheard_of"() : () -> ()\n tt.return', 1)
        if kind == "recursion":
            return rewrite(text, situation)
        return outcome

    return rewrite


@functools.cache
def without(name: str) -> str:
    """The code of the kernel when the pass called `name` is not there: the caller took it away."""
    return assembly(build(KERNEL, TARGETS["sm90"])[0])


@pytest.mark.parametrize(
    "kind", ["exception", "assertion", "no IR", "invalid IR", "undefined operation", "recursion"]
)
@pytest.mark.parametrize(
    "real", [CACHE_POLICY, LOOP_COPIES, LOAD_LAYOUT, SHARED_COPIES], ids=lambda p: p.name
)
def test_a_failure_in_any_pass_is_undone_and_told(
    monkeypatch: pytest.MonkeyPatch, real: HintPass, kind: str
) -> None:
    hints = importlib.import_module("flagtree.backends.nvidia.hints")
    bad = HintPass(real.name, real.stage, real.hints, broken(kind, real), real.tidy)
    others = tuple(p for p in hints.PASSES if p is not real)
    monkeypatch.setattr(hints, "PASSES", tuple(bad if p is real else p for p in hints.PASSES))
    compiled, records = build(KERNEL, TARGETS["sm90"])
    of_it = [r for r in records if r.name == real.name]
    assert of_it and all(r.outcome == passes.FAILED for r in of_it)
    assert all("was undone" in r.reason for r in of_it)
    assert any(r.outcome == passes.APPLIED for r in records), "the other passes still do their work"
    monkeypatch.setattr(hints, "PASSES", others)
    assert assembly(compiled) == without(real.name)


def test_a_failure_of_what_tidies_up_is_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    hints = importlib.import_module("flagtree.backends.nvidia.hints")

    def tidy(manager: Any, situation: Situation) -> None:
        raise RuntimeError("injected")

    bad = HintPass(SHARED_COPIES.name, "ttgir", SHARED_COPIES.hints, SHARED_COPIES.rewrite, tidy)
    monkeypatch.setattr(hints, "PASSES", (bad,))
    compiled, records = build(KERNEL, TARGETS["sm90"])
    assert records and all(r.outcome == passes.FAILED and "injected" in r.reason for r in records)
    assert "cp.async" not in compiled.asm["ptx"]


def test_code_that_a_later_stage_cannot_lower_is_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Valid IR, but no code: the stage behind fails, and the kernel is compiled without that hint."""
    hints = importlib.import_module("flagtree.backends.nvidia.hints")

    def rewrite(text: str, situation: Situation) -> Outcome:
        outcome = CACHE_POLICY.rewrite(text, situation)
        for one in ("evictionPolicy = evict_first", "eviction_policy = evict_first"):
            # No instruction has both (ptxas refuses it).
            outcome.text = outcome.text.replace(f" {one}", f" cacheModifier = cg {one}").replace(
                "cache_modifier = none, cacheModifier = cg eviction", "cache_modifier = cg, eviction"
            )
        return outcome

    bad = HintPass(CACHE_POLICY.name, "ttir", CACHE_POLICY.hints, rewrite)
    monkeypatch.setattr(hints, "PASSES", (bad, LOOP_COPIES, LOAD_LAYOUT))
    compiled, records = build(KERNEL, TARGETS["sm90"])
    taken = [r for r in records if r.name == "way back"]
    assert [(r.hint, r.outcome) for r in taken] == [("evict=first", passes.FAILED)]
    assert "cubin failed" in taken[0].reason
    assert "ld.global.cg" not in compiled.asm["ptx"].split("st.global")[-1]
    assert {r.name for r in records if r.outcome == passes.APPLIED} >= {LOOP_COPIES.name, LOAD_LAYOUT.name}


def test_a_kernel_that_would_not_fit_is_compiled_without_the_hint_that_is_to_blame() -> None:
    text = KERNEL.replace("for s in range(0, n):", "for s in range(0, n):  #@hint: num_stages=32")
    compiled, records = build(text, TARGETS["sm80"])
    assert compiled.metadata.shared <= 166912
    taken = {r.hint: r.reason for r in records if r.name == "way back"}
    assert set(taken) == {"num_stages=32"} and "bytes of shared memory are wanted" in taken["num_stages=32"]
    assert any(r.name == SHARED_COPIES.name and r.outcome == passes.APPLIED for r in records)


def test_texts_are_kept_only_for_who_asks() -> None:
    with passes.collect(keep_ir=True) as book:
        build(KERNEL, TARGETS["sm90"])
    kept = [r for r in book.records if r.outcome == passes.APPLIED]
    assert kept and all(r.before and r.after and r.before != r.after for r in kept)
    _, records = build(KERNEL, TARGETS["sm90"])
    assert records and not any(r.before or r.after for r in records)


def test_records_name_the_place() -> None:
    _, records = build(KERNEL, TARGETS["sm90"])
    lines = KERNEL.lstrip("\n").splitlines()
    for record in records:
        assert record.function == "kernel"
        assert record.hint.split("=")[0] in lines[record.line - 1], (record, lines[record.line - 1])


def test_hints_off_leaves_the_stages_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAGTREE_HINTS", "off")
    compiled, records = build(KERNEL, TARGETS["sm90"])
    assert not records and "cp.async" not in compiled.asm["ptx"]
