# SPDX-License-Identifier: MIT
"""A light reader of LLVM IR text: functions, basic blocks, natural loops. It knows no types and checks nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_NAME = r'(?:"[^"]*"|[-\w.$]+)'
_DEFINE = re.compile(rf"^define\b.*?@({_NAME})\(")
_LABEL = re.compile(rf"^({_NAME}):")
_RESULT = re.compile(rf"^(%{_NAME}) = (.*)$", re.S)
_TARGET = re.compile(rf"\blabel %({_NAME})")
_CALL = re.compile(rf"\bcall\b.*?([@%]{_NAME}|\basm\b.*?)\(", re.S)
_OPCODE = re.compile(r"(?:(?:tail|musttail|notail) )?(\w+)")
_METADATA = re.compile(r", ![\w.]+ !\d+")


@dataclass(frozen=True)
class Instruction:
    """result: "%7", or "" where there is none; callee: "@name" of a call, "%7" of one through a pointer."""

    text: str
    result: str
    opcode: str
    callee: str

    @property
    def is_vector(self) -> bool:
        return "<" in self.text.split("@")[0]

    @property
    def operands(self) -> list[str]:
        body = self.text.partition(" = ")[2] if self.result else self.text
        return re.findall(rf"%{_NAME}", body)


@dataclass
class Block:
    """successors: names of the blocks that control may go to."""

    name: str
    instructions: list[Instruction] = field(default_factory=list)

    @property
    def successors(self) -> list[str]:
        return [_plain(name) for i in self.instructions for name in _TARGET.findall(i.text)]


@dataclass(eq=False)
class Loop:
    """A natural loop: all blocks from which a back edge to `header` is reached without leaving it."""

    header: str
    blocks: set[str]
    parent: Loop | None = None
    children: list[Loop] = field(default_factory=list)


@dataclass
class Function:
    name: str
    blocks: dict[str, Block] = field(default_factory=dict)

    @property
    def entry(self) -> str:
        return next(iter(self.blocks))

    def instructions(self, blocks: set[str] | None = None) -> Iterator[Instruction]:
        """Those of some blocks, or of all, in the order of the text."""
        for block in self.blocks.values():
            if blocks is None or block.name in blocks:
                yield from block.instructions

    def reach(self, start: str, within: set[str], barred: set[str]) -> set[str]:
        """Blocks that control comes to after `start`, by blocks `within` that are not `barred`."""
        found: set[str] = set()
        open_ = [start]
        while open_:
            for name in self.blocks[open_.pop()].successors:
                if name in within and name not in barred and name not in found:
                    found.add(name)
                    open_.append(name)
        return found

    def dominators(self) -> dict[str, set[str]]:
        """Block → the blocks on every path to it, itself included. What cannot be reached is left out."""
        reachable = self.reach(self.entry, set(self.blocks), set()) | {self.entry}
        before: dict[str, set[str]] = {name: set() for name in reachable}
        for name in reachable:
            for successor in self.blocks[name].successors:
                before[successor].add(name)
        found = {name: set(reachable) for name in reachable}
        found[self.entry] = {self.entry}
        changed = True
        while changed:
            changed = False
            for name in self.blocks:
                if name not in reachable or name == self.entry:
                    continue
                now = set.intersection(*(found[b] for b in before[name])) | {name}
                changed |= now != found[name]
                found[name] = now
        return found

    def loops(self) -> list[Loop]:
        """Natural loops, outer ones first, linked to those around and inside of them."""
        dominators = self.dominators()
        bodies: dict[str, set[str]] = {}
        for name in dominators:
            for header in self.blocks[name].successors:
                if header in dominators[name]:
                    bodies.setdefault(header, {header}).update(self._body(header, name, dominators))
        loops = sorted((Loop(h, b) for h, b in bodies.items()), key=lambda loop: -len(loop.blocks))
        for i, loop in enumerate(loops):
            around = [other for other in loops[:i] if loop.blocks <= other.blocks]
            if around:
                loop.parent = around[-1]
                loop.parent.children.append(loop)
        return loops

    def _body(self, header: str, latch: str, reachable: dict[str, set[str]]) -> set[str]:
        body, open_ = {header, latch}, [latch]
        while open_:
            at = open_.pop()
            if at == header:
                continue
            new = [n for n in reachable if n not in body and at in self.blocks[n].successors]
            body.update(new)
            open_.extend(new)
        return body


def parse(text: str) -> dict[str, Function]:
    """The functions with a body, by name."""
    functions: dict[str, Function] = {}
    function: Function | None = None
    for line in _logical_lines(text):
        defined = _DEFINE.match(line)
        if defined:
            function = Function(_plain(defined[1]))
            functions[function.name] = function
        elif line == "}":
            function = None
        elif function is not None:
            _add(function, line)
    return functions


def _logical_lines(text: str) -> Iterator[str]:
    """Lines without comments; a switch with its table is one."""
    table: list[str] = []
    for raw in text.splitlines():
        line = raw.partition(" ;")[0].strip()
        if not line or line.startswith(";"):
            continue
        if table or (line.startswith("switch ") and not line.endswith("]")):
            table.append(line)
            if line.startswith("]"):
                yield " ".join(table)
                table = []
        else:
            yield line


def _add(function: Function, line: str) -> None:
    label = _LABEL.match(line)
    if label:
        name = _plain(label[1])
        function.blocks[name] = Block(name)
        return
    if not function.blocks:
        function.blocks[""] = Block("")  # nobody goes back to the entry, so its number does not matter
    next(reversed(function.blocks.values())).instructions.append(_instruction(line))


def _instruction(line: str) -> Instruction:
    text = _METADATA.sub("", line)
    result = _RESULT.match(text)
    body = result[2] if result else text
    opcode = _OPCODE.match(body)
    called = _CALL.search(body) if opcode and opcode[1] == "call" else None
    callee = ""
    if called:
        callee = "asm" if called[1].startswith("asm") else called[1][0] + _plain(called[1][1:])
    return Instruction(text, result[1] if result else "", opcode[1] if opcode else "", callee)


def _plain(name: str) -> str:
    return name.strip('"')
