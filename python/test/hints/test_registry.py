# SPDX-License-Identifier: MIT
"""What is known of each hint, and what the backends do with it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from flagtree import backends
from flagtree.compiler import hardware
from flagtree.hints import registry, support
from flagtree.hints.hint import Hint
from flagtree.hints.registry import Argument, HintSpec
from flagtree.hints.support import Support

PROMISED = {
    *("shared_memory", "UB_buffer", "layout", "dma", "bind_sub_block", "dot_pad_only_k", "multibuffer"),
    *("warp_specialize", "num_stages", "unroll", "flatten", "latency", "cache", "evict", "vectorize"),
    *("parallel", "prefetch", "disallow_acc_multi_buffer"),
}


@pytest.fixture
def tile() -> Iterator[HintSpec]:
    arguments = (Argument("m", "int", "rows", minimum=1, maximum=64), Argument("n", "int", "columns", 16))
    spec = HintSpec("tile", frozenset({"dot"}), arguments, aliases=("tiling",))
    registry.register(spec)
    yield spec
    registry.unregister("tile")


def test_every_promised_hint_is_known_and_explained() -> None:
    assert set(registry.names()) >= PROMISED
    for name in registry.names():
        spec = registry.get(name)
        assert spec is not None and spec.name == name and spec.subjects and spec.doc and spec.example
        assert all(argument.doc for argument in spec.arguments)


def test_an_alias_is_the_hint_itself() -> None:
    assert registry.get("loop_unroll_factor") is registry.get("unroll")
    assert "loop_unroll_factor" not in registry.names()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("shared_memori", "shared_memory"),
        ("SharedMemory", "shared_memory"),
        ("numstages", "num_stages"),
        ("loop_unrol_factor", "loop_unroll_factor"),
        ("ub_buffer", "UB_buffer"),
        ("zzzzzz", ""),
        ("shared_memory" * 1000, ""),
    ],
)
def test_a_misspelt_name_is_recognised(typed: str, meant: str) -> None:
    assert registry.suggest(typed) == meant


@pytest.mark.parametrize(
    ("args", "values"),
    [
        (["8"], {"m": 8, "n": 16}),
        (["8", "32"], {"m": 8, "n": 32}),
        (["8", "n=4"], {"m": 8, "n": 4}),
        (["n=4", "m = 8"], {"m": 8, "n": 4}),
        (["0008"], {"m": 8, "n": 16}),
    ],
)
def test_arguments_by_position_and_by_name(tile: HintSpec, args: list[str], values: dict[str, int]) -> None:
    assert tile.read(args) == values


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["0"],
        ["65"],
        ["-1"],
        ["1.0"],
        ["٣"],
        ["x"],
        ["8", "m=9"],
        ["1", "2", "3"],
        ["k=1"],
        ["9" * 10_000],
    ],
)
def test_arguments_that_cannot_be_say_what_is_wanted(tile: HintSpec, args: list[str]) -> None:
    with pytest.raises(ValueError, match="tile") as raised:
        tile.read(args)
    assert len(str(raised.value)) < 200


def test_a_flag_takes_no_value() -> None:
    spec = registry.get("flatten")
    assert spec is not None and spec.read([]) == {}
    with pytest.raises(ValueError, match="flatten takes no value"):
        spec.read(["1"])


def test_a_choice_names_its_choices() -> None:
    spec = registry.get("evict")
    assert spec is not None and spec.read(["first"]) == {"policy": "first"}
    with pytest.raises(ValueError, match="one of first, last, normal"):
        spec.read(["second"])


@pytest.mark.parametrize(
    ("args", "text"), [([], "tile"), (["8"], "tile=8"), (["m=8"], "tile=8"), (["8", "n=4"], "tile(8, n=4)")]
)
def test_all_ways_of_writing_have_one_canonical_text(tile: HintSpec, args: list[str], text: str) -> None:
    assert registry.canonical(tile, args) == text


def test_usage_shows_arguments_and_defaults(tile: HintSpec) -> None:
    assert tile.usage() == "tile(m, n=16)"


def test_a_name_that_is_taken_is_refused_and_the_same_again_is_not(tile: HintSpec) -> None:
    registry.register(tile)
    with pytest.raises(ValueError, match="registered already"):
        registry.register(HintSpec("tile", frozenset({"load"})))
    with pytest.raises(ValueError, match="registered already"):
        registry.register(HintSpec("tiling", frozenset({"load"})))


def test_a_kind_of_operation_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="no kind of operation is called loop"):
        HintSpec("x", frozenset({"loop"}))


@pytest.mark.parametrize("backend", backends.available())
def test_what_a_backend_uses_is_known_and_on_operations_that_take_it(backend: str) -> None:
    assert support.failures() == {}
    for name, use in support.of_backend(backend).items():
        spec = registry.get(name)
        assert spec is not None and spec.name == name, f"{backend} uses {name}, which nobody registered"
        assert use.subjects and use.subjects <= spec.subjects and use.lowers_to


def test_a_block_that_is_larger_than_the_memory_is_refused_with_the_numbers() -> None:
    use = Support(frozenset({"load"}), "x", memory="shared")
    hopper, unknown = hardware.unified("nvidia", "sm90"), hardware.unified("nvidia", "sm1")
    hint = Hint("shared_memory", (), 1, "shared_memory")
    assert use.overflow(hint, 232_448, hopper) == "" and use.overflow(hint, 1 << 30, unknown) == ""
    assert use.overflow(hint, 262_144, hopper) == (
        "shared_memory wants 262,144 bytes of shared memory for this block, "
        "and a program has 232,448 on nvidia sm90"
    )


def test_a_check_refuses_by_architecture() -> None:
    use = Support({"for"}, "x", lambda _hint, _kind, hw: "" if hw.has("async_copy") else "no async copy")
    hint = Hint("num_stages", ("2",), 1, "num_stages=2")
    assert use.refusal(hint, "for", hardware.unified("nvidia", "sm80")) == ""
    assert use.refusal(hint, "for", hardware.unified("amd", "gfx942")) == "no async copy"


def test_a_backend_with_a_broken_hints_file_is_noted_and_uses_none(monkeypatch: pytest.MonkeyPatch) -> None:
    support._module.cache_clear()
    support.of_backend.cache_clear()

    def broken(name: str) -> None:
        raise SyntaxError("broken on purpose")

    with monkeypatch.context() as patch:
        patch.setattr(support.importlib, "import_module", broken)
        assert support.of_backend("nvidia") == {} and "broken on purpose" in support.failures()["nvidia"]
    support._failures.clear()
    support._module.cache_clear()
    support.of_backend.cache_clear()
    assert support.of_backend("nvidia") and support.of_backend("no_such_backend") == {}
