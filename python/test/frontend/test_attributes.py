# SPDX-License-Identifier: MIT
"""Hints as attributes in the IR, in every Triton that is supported."""

from __future__ import annotations

import re
import warnings
from typing import Any

import hinted_kernels as kernels
import pytest
import triton
from source_kernels import kernel_of, module_of
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from flagtree.hints import HintWarning
from flagtree.hints.ledger import collect
from flagtree.hints.suppress import suppress

SIGNATURES = {
    "everything": {"x": "*fp32", "y": "*fp32", "o": "*fp32", "n": "i32", "B": "constexpr"},
    "plain": {"x": "*fp32", "o": "*fp32", "B": "constexpr"},
    "pipelined": {"x": "*fp32", "o": "*fp32", "n": "i32", "B": "constexpr"},
    "troubled": {"x": "*fp32", "o": "*fp32", "B": "constexpr"},
}


def make_ir(name: str, block: int = 256) -> str:
    """TTIR as the front end makes it, before any pass; no cache and no device are involved."""
    return str(make_module(name, block))


def make_module(name: str, block: int = 256) -> Any:
    from triton._C.libtriton import ir
    from triton.compiler.compiler import make_backend

    source = ASTSource(getattr(kernels, name), SIGNATURES[name], {"B": block})
    target = GPUTarget("cuda", 90, 32)
    backend = make_backend(target)
    options = backend.parse_options({"enable_fp_fusion": True})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    functions = backend.get_codegen_implementation(options)
    return source.make_ir(target, options, functions, backend.get_module_map(), context)


def attribute(ir: str, operation: str) -> list[str]:
    """The `flagtree_hints` of each `operation` that has one, in order."""
    lines = [line for line in ir.splitlines() if operation in line]
    return [m[1] for line in lines if (m := re.search(r'flagtree_hints = "((?:[^"\\]|\\.)*)"', line))]


@pytest.fixture(scope="module")
def everything() -> str:
    return make_ir("everything")


def test_a_load_carries_its_hint_and_a_callee_its_own(everything: str) -> None:
    assert sorted(attribute(everything, "tt.load")) == ["dma", "shared_memory"]


def test_a_dot_carries_its_hint(everything: str) -> None:
    assert attribute(everything, "tt.dot") == ["dot_pad_only_k"]


def test_an_atomic_carries_its_hint(everything: str) -> None:
    assert attribute(everything, "tt.atomic_rmw") == ["mine"]


def test_a_store_carries_its_hints_though_the_bindings_return_nothing(everything: str) -> None:
    assert attribute(everything, "tt.store") == [r"dma,mine=\22q\22"]
    assert "flagtree_hints:" not in everything
    assert len(re.findall(r"tt\.store", everything)) == 2


def test_each_loop_carries_its_own_hints_and_not_the_outer_ones(everything: str) -> None:
    assert attribute(everything, "    } {") == ["flatten", "num_stages=3,warp_specialize"]


def test_an_augmented_assignment_is_one_statement() -> None:
    assert attribute(make_ir("pipelined"), "tt.load") == ["dma"]


def test_upstreams_own_attributes_are_set_at_once(everything: str) -> None:
    assert "tt.num_stages = 3 : i32" in everything
    assert "tt.warp_specialize" in everything and "tt.flatten" in everything


def test_a_rewritten_module_keeps_its_source_lines() -> None:
    from triton.compiler import code_generator

    with suppress([(kernels.everything.src, 5), (kernels.everything.src, 6)]):
        untouched = make_ir("everything")
    assert code_generator.ast_to_ttir.__wrapped__ is not None
    place = re.compile(r'hinted_kernels\.py":(\d+):')
    assert set(place.findall(make_ir("everything"))) == set(place.findall(untouched))


def test_a_kernel_without_hints_is_made_as_upstream_makes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with_us = make_ir("plain")
    monkeypatch.setenv("FLAGTREE_HINTS", "off")
    assert make_ir("plain") == with_us and "flagtree" not in with_us


def test_mode_off_leaves_hints_comments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAGTREE_HINTS", "off")
    ir = make_ir("everything")
    assert "flagtree_hints" not in ir and "tt.num_stages" not in ir


def test_silent_is_the_default_and_troubles_break_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", HintWarning)
        assert "tt.store" in make_ir("troubled")


def test_mode_warn_tells_every_trouble_with_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAGTREE_HINTS", "warn")
    with pytest.warns(HintWarning) as told:
        make_ir("troubled")
    first = kernels.troubled.starting_line_number + 1  # the line of `def`, after the decorator
    found = {(w.lineno - first + 1, str(w.message)) for w in told if issubclass(w.category, HintWarning)}
    assert {w.filename for w in told} == {kernels.__file__}
    wanted = {
        (2, "hint 'dma': misplaced"),
        (3, "malformed hint '=bad'"),
        (3, "hint 'num_stages=2': misplaced"),
        (6, "num_stages wants one whole number"),
        (9, "no statement is on this line or follows it"),
    }
    assert {
        (line, part) for line, part in wanted if any(line == at and part in text for at, text in found)
    } == wanted
    assert 5 not in {line for line, _ in found}, (
        "a hint in a branch that is dead at compile time is no trouble"
    )


def test_mode_error_refuses_the_kernel_and_names_the_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAGTREE_HINTS", "error")
    with pytest.raises(
        triton.CompilationError, match=r"HintError.*hinted_kernels.py:\d+: hint 'dma': misplaced"
    ):
        make_ir("troubled")


def test_an_unknown_mode_counts_as_silent_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAGTREE_HINTS", "loud")
    with pytest.warns(HintWarning, match="'loud' is unknown"):
        assert "flagtree_hints" in make_ir("everything")


def test_a_failure_inside_the_hint_machinery_does_not_break_the_kernel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from flagtree.frontend.tracker import HintTracker

    def broken(*args: object) -> None:
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr(HintTracker, "begin", broken)
    ir = make_ir("everything")
    assert "tt.store" in ir and "flagtree_hints" not in ir


@pytest.mark.parametrize("method", ["finish", "sightings"])
def test_a_failure_while_hints_are_noted_does_not_break_the_kernel(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from flagtree.frontend.tracker import HintTracker

    def broken(*args: object) -> None:
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr(HintTracker, method, broken)
    assert attribute(make_ir("everything"), "tt.dot") == ["dot_pad_only_k"]


def test_a_failure_while_hints_are_attached_does_not_break_the_kernel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from flagtree.frontend.reach import Hinted

    monkeypatch.setattr(Hinted, "reach", lambda *_: 1 / 0)
    ir = make_ir("everything")
    assert "tt.store" in ir and "tt.dot" in ir and "flagtree_hints" not in ir


def test_statements_of_every_block_carry_their_own_hints_and_no_others() -> None:
    source = """
    @triton.jit
    def kernel(x, o, n, B: tl.constexpr):
        i = tl.arange(0, B)
        v = tl.load(x + 0 * B + i)  #@hint: latency=1
        for k in range(n):  #@hint: multibuffer(2)
            v += tl.load(x + 1 * B + i)
            if n > 3:  #@hint: dma
                v += tl.load(x + 2 * B + i)  #@hint: latency=2
            else:
                v += tl.load(x + 3 * B + i)
            v += tl.load(x + 4 * B + i)  #@hint: latency=3
        if B > 8: v += tl.load(x + 5 * B + i)  #@hint: latency=4
        while n > 3:
            n -= 1
            v += tl.load(x + 6 * B + i)  #@hint: latency=5
            v += tl.load(x + 7 * B + i)
        tl.store(o + i, v + tl.load(x + 8 * B + i))
    """
    ir = str(module_of(kernel_of(source), B=16))
    assert attribute(ir, "tt.load") == [f"latency={n}" for n in (1, 2, 3, 4, 5)]
    assert attribute(ir, "    } {") == ["multibuffer=2"]


def test_a_hinted_store_that_ends_a_block_keeps_its_hint_alone() -> None:
    source = """
    @triton.jit
    def kernel(x, o, n, B: tl.constexpr):
        i = tl.arange(0, B)
        v = tl.load(x + i)
        if n > 3:
            v += 1
        else:
            tl.store(o + i, v)  #@hint: evict(first)
        for k in range(n):
            v += 2
            tl.store(o + i, v)  #@hint: evict(last)
        while n > 3:
            n -= 1
            v += 3
            tl.store(o + i, v)  #@hint: cache(cg)
        tl.store(o + i, v)  #@hint: dma
    """
    ir = str(module_of(kernel_of(source), B=16))
    assert attribute(ir, "tt.store") == ["evict=first", "evict=last", "cache=cg", "dma"]
    assert ir.count("flagtree_hints") == 4


def test_a_kernel_without_marked_stores_is_never_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    from flagtree.upstream import store_hints

    seen: list[object] = []
    monkeypatch.setattr(store_hints, "_rewritten", lambda module: seen.append(module) or module)
    make_ir("plain")
    make_ir("pipelined")
    assert not seen
    make_ir("everything")
    assert len(seen) == 1


def test_a_rewrite_that_fails_loses_the_hint_and_not_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    from flagtree.upstream import store_hints

    monkeypatch.setattr(store_hints, "rewrite", lambda text: "no MLIR at all")
    module = make_module("everything")
    assert module.verify() and not attribute(str(module), "tt.store")


def test_a_suppressed_hint_is_left_out_and_its_neighbours_stay() -> None:
    parsed_index = 0  # shared_memory is the first hint of `everything`
    with suppress([(kernels.everything.src, parsed_index)]):
        ir = make_ir("everything")
    assert attribute(ir, "tt.load") == ["dma"] and attribute(ir, "tt.dot") == ["dot_pad_only_k"]


def test_the_ledger_tells_what_each_hint_reached() -> None:
    with collect() as ledger:
        make_ir("troubled")
    seen = {(s.hint.line, s.hint.name): s for s in ledger.sightings}
    assert not seen[5, "dma"].visited and not seen[5, "dma"].problem
    assert not seen[6, "num_stages"].attached and "whole number" in seen[6, "num_stages"].problem
    assert [bad.text for _, bad in ledger.malformed] == ["=bad"]


def test_the_builder_is_left_as_it_was(run_kernel_file: Any) -> None:
    done = run_kernel_file(
        f"""
        import sys
        sys.path[:0] = [{kernels.__file__.rpartition("/")[0]!r}, {__file__.rpartition("/")[0]!r}]
        import test_attributes
        assert "flagtree_hints" in test_attributes.make_ir("everything")
        """
    )
    assert "leaked" not in done.stderr, done.stderr
