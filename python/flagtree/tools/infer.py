# SPDX-License-Identifier: MIT
"""Which parameters of a kernel are pointers, read from its source.

A pointer is what an address is computed from: `x` in `tl.load(x + row * stride + columns)`. A parameter that is
multiplied, compared or ranged over is a number. Where a sum could have either of two parameters as its base, other
accesses of the kernel decide; when they do not, neither do we.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from flagtree.upstream.parameters import is_kernel, namespace_of, parameters, source_of

#: Functions whose first argument is an address.
_ATOMICS = {f"atomic_{name}" for name in ("add", "max", "min", "and", "or", "xor", "xchg", "cas")}
_ACCESSES = frozenset({"load", "store", "make_block_ptr", "make_tensor_descriptor"} | _ATOMICS)
#: Functions that give their first argument back in another form.
_HINTING = {"multiple_of", "max_contiguous", "max_constancy"}
_SHAPING = {"broadcast_to", "expand_dims", "reshape", "view", "trans", "advance"}
_THROUGH = frozenset(_HINTING | _SHAPING)
_KEYWORDS = ("pointer", "base")


@dataclass
class Roles:
    """What the source says of the parameters.

    pointers, numbers: names; descriptors: names whose methods load and store
    ambiguous: groups of names of which one is the pointer and it cannot be told which
    """

    pointers: set[str] = field(default_factory=set)
    numbers: set[str] = field(default_factory=set)
    descriptors: set[str] = field(default_factory=set)
    ambiguous: list[tuple[str, ...]] = field(default_factory=list)


def roles(kernel: Any, pointers: Iterable[str] = (), numbers: Iterable[str] = ()) -> Roles:
    """The roles of the parameters of `kernel`, some of which may be known; functions that it calls are looked into."""
    scan = _Scan(kernel, (id(kernel),))
    scan.found.pointers.update(pointers)
    scan.found.numbers.update(numbers)
    return scan.settle()


class _Scan(ast.NodeVisitor):
    """One pass over a function: definitions of locals, addresses, and what shows that a name is a number."""

    def __init__(self, kernel: Any, callers: tuple[int, ...]) -> None:
        self.names = {p.name for p in parameters(kernel) if not p.is_constexpr}
        self.namespace = namespace_of(kernel)
        self.callers = callers
        self.values: dict[str, list[ast.expr]] = {}
        #: What each access computes its address from: one expression, or several in a function that is called.
        self.addresses: list[list[ast.expr]] = []
        self.found = Roles()
        for statement in ast.parse(textwrap.dedent(source_of(kernel))).body:
            self.visit(statement)

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._define(target, node.value)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._define(node.target, node.value)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if not isinstance(node.op, (ast.Add, ast.Sub)):
            self._numbers(node.left, node.right)
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        if not any(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
            self._numbers(node.left, *node.comparators)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        self._numbers(node.operand)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = _called(node)
        if name in _ACCESSES:
            self._access(node)
        elif name in ("range", "static_range", "cdiv", "arange", "minimum", "maximum", "min", "max"):
            self._numbers(*node.args)
        else:
            self._helper(node)
        self.generic_visit(node)

    def groups(self) -> list[tuple[str, ...]]:
        """For each access the parameters that its address may start from, the leftmost first."""
        found = (
            dict.fromkeys(n for a in address for n in self._bases(a, frozenset()))
            for address in self.addresses
        )
        return [tuple(names) for names in found if names]

    def settle(self) -> Roles:
        """Decide the addresses, the clear ones first, until nothing changes."""
        waiting = self.groups()
        changed = True
        while changed:
            left = [names for names in waiting if not self._decide(names)]
            changed = len(left) < len(waiting)
            waiting = left
        self.found.ambiguous = [names for names in dict.fromkeys(waiting) if len(names) > 1]
        self.found.numbers -= self.found.pointers
        return self.found

    def _decide(self, names: tuple[str, ...]) -> bool:
        if self.found.pointers.intersection(names):
            return True
        candidates = [name for name in names if name not in self.found.numbers]
        named = [name for name in candidates if "ptr" in name.lower() or "pointer" in name.lower()]
        chosen = candidates if len(candidates) == 1 else named if len(named) == 1 else []
        self.found.pointers.update(chosen)
        return bool(chosen)

    def _define(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self.values.setdefault(target.id, []).append(value)
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for inner, part in zip(target.elts, value.elts, strict=False):
                self._define(inner, part)

    def _numbers(self, *nodes: ast.expr) -> None:
        self.found.numbers.update(n.id for n in nodes if isinstance(n, ast.Name) and n.id in self.names)

    def _access(self, node: ast.Call) -> None:
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        if isinstance(owner, ast.Name) and owner.id in self.names:
            self.found.descriptors.add(owner.id)
            return
        given = node.args[:1] or [k.value for k in node.keywords if k.arg in _KEYWORDS]
        self.addresses += [[address] for address in given]

    def _helper(self, node: ast.Call) -> None:
        """A call of another kernel function: what it accesses, it accesses through our arguments."""
        callee = self._resolve(node.func)
        if callee is None or id(callee) in self.callers:
            return
        theirs = _Scan(callee, (*self.callers, id(callee)))
        values = dict(_bind(node, [p.name for p in parameters(callee)]))
        self.addresses += [[values[n] for n in names if n in values] for names in theirs.groups()]
        self._numbers(*(values[n] for n in theirs.found.numbers if n in values))

    def _resolve(self, function: ast.expr) -> Any:
        value: Any = None
        if isinstance(function, ast.Name):
            value = self.namespace.get(function.id)
        elif isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            value = getattr(self.namespace.get(function.value.id), function.attr, None)
        return value if is_kernel(value) else None

    def _bases(self, node: ast.expr, seen: frozenset[str]) -> Iterator[str]:
        """Parameters that may be the base of the address `node`, the leftmost first."""
        for inner in _base_parts(node):
            yield from self._bases(inner, seen)
        if isinstance(node, ast.Name) and node.id not in seen:
            if node.id in self.names:
                yield node.id
            for value in self.values.get(node.id, ()):
                yield from self._bases(value, seen | {node.id})


def _base_parts(node: ast.expr) -> list[ast.expr]:
    """The parts of an expression that its value can take its address from."""
    if isinstance(node, ast.BinOp):
        return {ast.Add: [node.left, node.right], ast.Sub: [node.left]}.get(type(node.op), [])
    if isinstance(node, ast.Subscript):
        return [] if isinstance(node.slice, ast.Constant) else [node.value]
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, ast.Call):
        return _call_parts(node)
    return []


def _call_parts(node: ast.Call) -> list[ast.expr]:
    name = _called(node)
    if name == "where":
        return node.args[1:3]
    return node.args[:1] if name in _THROUGH or name in ("make_block_ptr", "make_tensor_descriptor") else []


def _called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _bind(node: ast.Call, names: list[str]) -> Iterator[tuple[str, ast.expr]]:
    yield from zip(names, node.args, strict=False)
    yield from ((k.arg, k.value) for k in node.keywords if k.arg is not None)
