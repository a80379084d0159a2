# SPDX-License-Identifier: MIT
"""Hints that cannot hold: each is left out, and it is told why."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import triton
from source_kernels import CPU, HOPPER, MI300, kernel_of, module_of, sightings

from flagtree.hints import support
from flagtree.hints.ledger import collect
from flagtree.hints.support import Support

LOAD = """
@triton.jit
def kernel(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)  {comment}
    tl.store(o + i, v)
"""
LOOP = """
@triton.jit
def kernel(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    for k in range(0, n):  {comment}
        tl.store(o + k * B + i, tl.load(x + k * B + i))
"""


def problems(source: str, comment: str, target: object = HOPPER, **constants: object) -> list[str]:
    """What is wrong with each hint of `source`, in order; "" for those that hold."""
    return [
        s.problem for s in sightings(kernel_of(source.format(comment=comment)), target, B=64, **constants)
    ]


@pytest.fixture
def uses(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Let every backend use hints in a way of the test's own: `uses(shared_memory=Support(…))`."""
    yield lambda **table: monkeypatch.setattr(support, "of_backend", lambda _: table)


@pytest.mark.parametrize(
    ("source", "comment", "reason"),
    [
        (LOAD, "#@hint: shared_memori", "no hint is called 'shared_memori'; did you mean 'shared_memory'?"),
        (LOAD, "#@hint: qqqqqqqq", "no hint is called 'qqqqqqqq'"),
        (LOAD, "#@hint: latency", "latency wants one whole number from 0 to 32, for example latency=2"),
        (LOAD, "#@hint: latency=two", "not 'two'"),
        (LOAD, "#@hint: latency(1, 2)", "latency wants one whole number"),
        (LOAD, "#@hint: latency=-1", "not '-1'"),
        (LOAD, "#@hint: latency=99999999999999999999", "not '99999999999999999999'"),
        (LOAD, "#@hint: evict=second", "evict wants one of first, last, normal"),
        (LOAD, "#@hint: shared_memory=3", "shared_memory takes no value"),
        (LOAD, "#@hint: num_stages=2", "misplaced: its statement has no operation that takes it (for)"),
        (
            LOOP,
            "#@hint: shared_memory",
            "misplaced: its statement has no operation that takes it (load, store)",
        ),
        (LOOP, "#@hint: num_stages=0", "not '0'"),
    ],
)
def test_a_hint_that_cannot_hold_says_why(source: str, comment: str, reason: str) -> None:
    (problem,) = problems(source, comment)
    assert reason in problem
    assert "flagtree_hints" not in str(module_of(kernel_of(source.format(comment=comment)), B=64))


def test_of_two_hints_that_contradict_each_other_the_first_holds() -> None:
    source = LOOP.format(comment="#@hint: num_stages=3, flatten, num_stages=4, num_stages=3")
    found = sightings(kernel_of(source), B=64)
    assert [s.problem for s in found] == [
        "",
        "",
        "it contradicts 'num_stages=3' of the same statement, which holds",
        "it repeats 'num_stages=3' of the same statement, which holds",
    ]
    assert "tt.num_stages = 3" in str(module_of(kernel_of(source), B=64))


def test_an_alias_contradicts_the_name_that_it_stands_for() -> None:
    found = problems(LOOP, "#@hint: unroll(2), loop_unroll_factor=4")
    assert found == ["", "it contradicts 'unroll(2)' of the same statement, which holds"]


def test_an_invalid_hint_does_not_keep_a_valid_one_of_its_name_out() -> None:
    found = problems(LOOP, "#@hint: num_stages=many, num_stages=3")
    assert found[1] == "" and "whole number" in found[0]


def test_an_alias_becomes_the_canonical_name_in_the_ir() -> None:
    ir = str(module_of(kernel_of(LOOP.format(comment="#@hint: loop_unroll_factor(n=2)")), B=64))
    assert 'flagtree_hints = "unroll=2"' in ir and "tt.loop_unroll_factor = 2" in ir


def test_upstreams_attributes_are_set_only_where_the_backend_uses_them() -> None:
    text = LOOP.format(comment="#@hint: flatten")
    assert "tt.flatten" in str(module_of(kernel_of(text), HOPPER, B=64))
    ir = str(module_of(kernel_of(text), CPU, B=64))
    assert 'flagtree_hints = "flatten"' in ir and "tt.flatten" not in ir


def test_a_hint_that_the_architecture_lacks_is_refused_by_the_backends_own_words(uses: Callable) -> None:
    def check(hint: object, kind: str, hardware: object) -> str:
        return f"{hardware.arch} has none of it for a {kind}"

    uses(dma=Support({"load"}, "x", check))
    assert problems(LOAD, "#@hint: dma") == ["sm90 has none of it for a load"]
    assert problems(LOAD, "#@hint: dma", MI300) == ["gfx942 has none of it for a load"]


def test_a_check_that_fails_rejects_and_breaks_nothing(uses: Callable) -> None:
    uses(dma=Support({"load"}, "x", lambda *_: 1 / 0))
    assert "could not be found out (division by zero)" in problems(LOAD, "#@hint: dma")[0]


@pytest.mark.parametrize("comment", ["#@hint: shared_memory", "#@hint: shared_memory, dma"])
def test_a_block_beyond_the_memory_is_rejected_with_the_numbers(uses: Callable, comment: str) -> None:
    uses(shared_memory=Support({"load", "store"}, "x", memory="shared"))
    small, large = (
        sightings(kernel_of(LOAD.format(comment=comment)), HOPPER, B=size) for size in (1 << 14, 1 << 16)
    )
    assert [s.problem for s in small] == [""] * len(small)
    assert large[0].problem == (
        "shared_memory wants 262,144 bytes of shared memory for this block, "
        "and a program has 232,448 on nvidia sm90"
    )
    assert [s.problem for s in large[1:]] == [""] * (len(large) - 1)


def test_a_stored_block_beyond_the_memory_is_rejected_too(uses: Callable) -> None:
    uses(shared_memory=Support({"store"}, "x", memory="shared"))
    source = LOAD.format(comment="").replace("(o + i, v)", "(o + i, v)  #@hint: shared_memory, dma")
    module = module_of(kernel_of(source), HOPPER, B=1 << 16)
    assert 'flagtree_hints = "dma"' in str(module)


def test_a_loop_that_is_unrolled_while_it_is_read_has_none_left_to_hint() -> None:
    source = LOOP.replace("range(0, n)", "tl.static_range(0, 4)").replace(
        "(x + k * B + i))", "(x + k * B + i))  #@hint: dma"
    )
    found = sightings(kernel_of(source.format(comment="#@hint: num_stages=2")), B=64)
    assert "tl.static_range" in found[0].problem
    assert found[1].problem == "" and sorted(found[1].attached) == ["load"] * 4 + ["store"] * 4


def test_hints_beside_a_call_belong_into_the_function() -> None:
    source = """
    @triton.jit
    def get(x, i):
        return tl.load(x + i)  #@hint: shared_memory

    @triton.jit
    def kernel(x, o, B: tl.constexpr):
        i = tl.arange(0, B)
        v = get(x, i)  #@hint: dma
        tl.store(o + i, v)
    """
    found = {s.hint.text: s for s in sightings(kernel_of(source), B=64)}
    assert "in that function" in found["dma"].problem
    assert found["shared_memory"].problem == "" and found["shared_memory"].place.function == "get"


def test_hints_at_decorators_are_accounted_for_with_their_lines() -> None:
    source = """
    @triton.jit  #@hint: dma
    #@hint: layout(row), =
    def kernel(x, o, B: tl.constexpr):  #@hint: flatten
        i = tl.arange(0, B)
        tl.store(o + i, tl.load(x + i))  #@hint: shared_memory
    """
    kernel = kernel_of(source)
    with collect(quiet=True) as book:
        module_of(kernel, B=64)
    found = {s.hint.text: (s.place.line(s.hint.line), s.problem) for s in book.sightings}
    assert found["dma"][0] == 1 and "decorator" in found["dma"][1]
    assert found["layout(row)"][0] == 2 and "decorator" in found["layout(row)"][1]
    assert found["flatten"] == (3, "no statement is on this line or follows it")
    assert found["shared_memory"] == (5, "")
    ((place, bad),) = book.malformed
    assert place.line(bad.line) == 2 and bad.text == "="


def test_hints_within_branches_and_multi_line_calls_hold() -> None:
    source = """
    @triton.jit
    def kernel(x, o, n, B: tl.constexpr):
        i = tl.arange(0, B)
        pick = 0
        if n > 3:
            for k in range(0, n):  #@hint: num_stages=2
                v = tl.load(
                    x + i,  #@hint: dma
                    mask=i < n,
                )
                tl.store(o + i, v)
        else:
            tl.store(o + i, tl.load(x + i))  # @ hints : shared_memory
    """
    assert [s.problem for s in sightings(kernel_of(source), B=64)] == ["", "", ""]


def test_lambdas_around_a_kernel_do_not_matter() -> None:
    source = """
    @triton.heuristics({"EVEN": lambda a: "#@hint: no" == a["B"]})  #@hint: dma
    @triton.jit
    def kernel(x, o, B: tl.constexpr, EVEN: tl.constexpr):
        i = tl.arange(0, B)
        tl.store(o + i, tl.load(x + i))  #@hint: shared_memory
    """
    found = sightings(kernel_of(source).fn, B=64, EVEN=False)
    assert [(s.hint.text, bool(s.problem)) for s in found] == [("dma", True), ("shared_memory", False)]


@pytest.mark.parametrize(
    "comment",
    [
        "#@hint: " + "a" * 10_000,
        "#@hint: latency=" + "9" * 10_000,
        "#@hint: " + "dma," * 2_500,
        "#@hint: dma" + "(" * 10_000,
        "#@hint: 'é" + "ü" * 10_000,
        "#@hint: größe, 形状(３), שלום=1, \U0001f600",
        "#\t@hint\t:\tdma\t,\t\tlatency\t=\t2\t",
        "#@hint: dma;latency=2",
        "#@hint: latency=$(rm -rf /), latency={{}}, latency=[]",
        '#@hint: dma("""), x(\\"), \\n',
        "#@hint: \0".replace("\0", "\x01\x7f\u200b\u202e"),
    ],
    ids=lambda text: f"{len(text)}-{text[8:20]!r}",
)
def test_bad_input_is_left_out_and_accounted_for(comment: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = kernel_of(LOAD.replace("{comment}", comment))
    with collect(quiet=True) as book:
        module = module_of(kernel, B=64)
    assert module.verify() and book
    told = [s.problem for s in book.sightings] + [bad.reason for _, bad in book.malformed]
    assert all(len(text) < 300 for text in told)
    monkeypatch.setenv("FLAGTREE_HINTS", "warn")
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        module_of(kernel, B=64)
    assert len(given) == sum(map(bool, told))


def test_error_shows_the_line_with_a_caret_below_the_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAGTREE_HINTS", "error")
    with pytest.raises(triton.CompilationError) as raised:
        module_of(kernel_of(LOAD.format(comment="#@hint: dma, latency=many, =3")), B=64)
    lines = str(raised.value).splitlines()
    shown = [
        at
        for at, line in enumerate(lines)
        if line == "    " * 2 + "v = tl.load(x + i)  #@hint: dma, latency=many, =3"
    ]
    assert len(shown) == 2
    for at, word in zip(shown, ("latency", "=3"), strict=True):
        assert lines[at + 1].index("^") == lines[at].index(word)
        assert ".py:4: " in lines[at - 1]


def test_error_shows_a_part_of_a_line_of_ten_thousand_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAGTREE_HINTS", "error")
    comment = "#@hint: dma, " + "x" * 5_000 + ", latency=many, " + "y" * 5_000
    with pytest.raises(triton.CompilationError) as raised:
        module_of(kernel_of(LOAD.format(comment=comment)), B=64)
    message = str(raised.value).partition("HintError")[2]
    lines = message.splitlines()
    assert max(map(len, lines)) < 300 and len(lines) == 10
    assert lines[5].index("^") == lines[4].index("latency=many")


def test_error_lets_a_kernel_pass_whose_hints_are_all_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAGTREE_HINTS", "error")
    assert module_of(kernel_of(LOAD.format(comment="#@hint: dma, shared_memory")), B=64).verify()


@pytest.mark.parametrize("indent", ["    ", "\t", "  "])
@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_files_with_tabs_and_every_line_end(tmp_path: Path, indent: str, end: str) -> None:
    text = LOOP.format(comment="#@hint: num_stages=2\n    #@hint: dma").replace("    ", indent)
    file = tmp_path / "kernels.py"
    file.write_bytes(
        f"import triton{end}import triton.language as tl{end}{text}".replace("\n", end)
        .replace("\r\r", "\r")
        .encode()
    )
    scope: dict = {}
    exec(compile(file.read_bytes(), str(file), "exec"), scope)
    found = sightings(scope["kernel"], B=64)
    assert [(s.hint.text, s.problem) for s in found] == [("num_stages=2", ""), ("dma", "")]
    assert found[0].place.line(found[0].hint.line) == 7
