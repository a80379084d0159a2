# SPDX-License-Identifier: MIT
"""What a corpus kernel is: a `triton.jit` function, the types of its arguments and the Triton versions it suits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

CASES: dict[str, Case] = {}


@dataclass(frozen=True)
class Case:
    """One kernel of the corpus.

    signature: parameter name -> Triton type such as "*fp32" or "i32"; parameters left out are constexpr.
    constants: constexpr name -> value.
    aligned:   parameters given `tt.divisibility = 16`, as upstream does for aligned pointers and sizes.
    options:   backend options, for example {"debug": True}.
    since, until: first and last Triton minor version, as (major, minor), that accepts the kernel.
    locations: keep source locations in the text.
    """

    name: str
    fn: Any
    signature: dict[str, str]
    constants: dict[str, Any]
    aligned: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    since: tuple[int, int] = (3, 6)
    until: tuple[int, int] = (3, 999)
    locations: bool = False

    def suits(self, version: tuple[int, int]) -> bool:
        """Whether Triton `version` (major, minor) can compile this kernel."""
        return self.since <= version <= self.until

    def full_signature(self) -> dict[str, str]:
        """The signature in parameter order, constexpr parameters marked as upstream expects."""
        return {name: self.signature.get(name, "constexpr") for name in self.fn.arg_names}

    def attrs(self) -> dict[tuple[int], list[list[Any]]]:
        """Argument attributes keyed by position."""
        return {(self.fn.arg_names.index(name),): [["tt.divisibility", 16]] for name in self.aligned}


def case(types: str, *, aligned: str = "", **rest: Any) -> Callable[[Any], Any]:
    """Register the decorated kernel.

    types:   "name:type name:type …" for the run-time arguments, in any order.
    aligned: names separated by blanks.
    rest:    `constants` and the other fields of `Case`.
    """
    signature = dict(item.split(":", 1) for item in types.split())

    def register(fn: Any) -> Any:
        name = fn.__name__
        if name in CASES:
            raise ValueError(f"corpus kernel {name!r} is defined twice; rename one of them")
        constants = rest.pop("constants", {})
        CASES[name] = Case(name, fn, signature, constants, tuple(aligned.split()), **rest)
        return fn

    return register
