# SPDX-License-Identifier: MIT
"""Operations of a module's text: enough structure to find, move and rewrite single operations.

Upstream's Python bindings can neither read an attribute, nor move, nor erase an operation; its text can.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

HINTS = "flagtree_hints"

_RESULTS = re.compile(r"^(%[\w$.-]+)(?::\d+)?((?:, %[\w$.-]+(?::\d+)?)*) = ")
_NAME = re.compile(r'^"?([\w.$]+)"?')
_VALUE = re.compile(r"%[\w$.-]+")
_LOC = re.compile(r" loc\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)$")
_HINTS = re.compile(HINTS + r' = "((?:[^"\\]|\\.)*)"')
_ONE_HINT = re.compile(r"([^\W\d]\w*)\s*(?:=\s*([^,()]*)|\(([^)]*)\))?")
_ALIAS = re.compile(r"^(#[\w$.-]+) = (.*)$")
_PLACE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')


@dataclass(eq=False)
class Op:
    """One operation: its lines are `first` to `last`; `blocks` are those of its regions, in order."""

    name: str
    results: tuple[str, ...]
    first: int
    last: int
    parent: Op | None
    blocks: list[list[Op]] = field(default_factory=list)

    def walk(self) -> Iterator[Op]:
        """The operation and all within it, outside in."""
        yield self
        for block in self.blocks:
            for op in block:
                yield from op.walk()

    def ancestors(self) -> Iterator[Op]:
        """The operations around it, inside out."""
        at = self.parent
        while at is not None:
            yield at
            at = at.parent


class ModuleText:
    """The lines of a module and the operations in them."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.aliases: dict[str, str] = {}
        self._uses: dict[Op, set[str]] = {}
        self.top: list[Op] = []
        self._parse()

    def walk(self) -> Iterator[Op]:
        """Every operation, outside in."""
        for op in self.top:
            yield from op.walk()

    def header(self, op: Op) -> str:
        """The operation's first line without blanks and location."""
        return _LOC.sub("", self.lines[op.first].strip())

    def tail(self, op: Op) -> str:
        """The line that has the operation's attributes, as `header`."""
        return _LOC.sub("", self.lines[op.last].strip())

    def location(self, op: Op) -> str:
        """` loc(…)` as it stands at the operation's end, or ""."""
        found = _LOC.search(self.lines[op.last])
        return found[0] if found else ""

    def operands(self, op: Op) -> list[str]:
        """Values that the operation's first line uses, in order."""
        return _VALUE.findall(_without_results(self.header(op)))

    def uses(self, op: Op) -> set[str]:
        """Values that the operation or anything within it uses. Remembered: passes move operations, not operands."""
        found = self._uses.get(op)
        if found is None:
            lines = self.lines[op.first : op.last + 1]
            found = {v for line in lines for v in _VALUE.findall(_without_results(line.strip()))}
            self._uses[op] = found
        return found

    def hints(self, op: Op) -> dict[str, tuple[str, ...]]:
        """Hint → arguments, of those that the operation carries."""
        found = _HINTS.search(self.tail(op))
        return hints_in(found[1]) if found else {}

    def hint_text(self, op: Op, name: str) -> str:
        """The canonical text of the hint `name` of the operation."""
        found = _HINTS.search(self.tail(op))
        pieces = (m[0].strip() for m in _ONE_HINT.finditer(found[1])) if found else ()
        return next((p for p in pieces if re.match(rf"{name}\b", p)), name)

    def place(self, op: Op) -> tuple[str, int, int]:
        """(file, line, column) where the operation was written; ("", 0, 0) when that is not known."""
        return self.resolve(self.location(op))

    def resolve(self, location: str) -> tuple[str, int, int]:
        """The innermost place of a location's text."""
        for _ in range(32):
            found = _PLACE.search(location)
            alias = re.search(r"#loc\d*", location)
            if found and (alias is None or found.start() < alias.start()):
                return found[1], int(found[2]), int(found[3])
            if alias is None or alias[0] not in self.aliases:
                break
            location = self.aliases[alias[0]]
        return "", 0, 0

    def function(self, op: Op) -> str:
        """Symbol of the function around the operation."""
        for around in op.ancestors():
            if around.name == "tt.func":
                found = re.search(r'@("[^"]*"|[\w.$]+)', self.lines[around.first])
                return found[1].strip('"') if found else ""
        return ""

    def _parse(self) -> None:
        stack: list[Op] = []
        for number, raw in enumerate(self.lines):
            line = raw.strip()
            if not line or line.startswith("//"):
                continue
            if line.startswith("#"):
                if found := _ALIAS.match(line):
                    self.aliases[found[1]] = found[2]
            elif line.startswith("}"):
                self._close(stack, line, number)
            elif line.startswith("^"):
                if stack:
                    stack[-1].blocks.append([])
            else:
                self._open(stack, line, number)

    def _open(self, stack: list[Op], line: str, number: int) -> None:
        found = _RESULTS.match(line)
        results = tuple(_VALUE.findall(found[0])) if found else ()
        name = _NAME.match(line[found.end() :] if found else line)
        parent = stack[-1] if stack else None
        op = Op(name[1] if name else "", results, number, number, parent)
        (parent.blocks[-1] if parent else self.top).append(op)
        if line.endswith("{"):
            op.blocks.append([])
            stack.append(op)

    @staticmethod
    def _close(stack: list[Op], line: str, number: int) -> None:
        if not stack:
            raise ValueError(f"line {number + 1} closes nothing: {line[:60]}")
        stack[-1].last = number
        if line.endswith("{"):
            stack[-1].blocks.append([])
        else:
            stack.pop()


def _without_results(line: str) -> str:
    found = _RESULTS.match(line)
    return line[found.end() :] if found else line


@functools.lru_cache(maxsize=256)
def hints_in(text: str) -> dict[str, tuple[str, ...]]:
    """The hints of an attribute's text."""
    found = {}
    for m in _ONE_HINT.finditer(text):
        args = m[2] if m[2] is not None else m[3]
        found[m[1]] = tuple(a.strip() for a in args.split(",")) if args else ()
    return found


def with_attribute(line: str, attribute: str) -> str:
    """An operation's last line with one attribute more, in the dictionary before its types or at its end."""
    name = attribute.partition(" =")[0]
    found = _LOC.search(line)
    body, location = (line[: found.start()], found[0]) if found else (line, "")
    if re.search(rf"[{{,] ?{re.escape(name)}\b", body):
        return line
    if body.lstrip().startswith("}"):
        rest = body.rstrip()
        joined = f"{rest[:-1]}, {attribute}}}" if rest.count("{") else f"{rest} {{{attribute}}}"
        return joined + location
    types = body.find(" : ")
    brace = body.find(" {")
    if brace >= 0 and (types < 0 or brace < types):
        return f"{body[: brace + 2]}{attribute}, {body[brace + 2 :]}{location}"
    if types < 0:
        return f"{body} {{{attribute}}}{location}"
    return f"{body[:types]} {{{attribute}}}{body[types:]}{location}"


def without_hint(line: str, name: str) -> str:
    """An operation's last line without the hint `name`, for a pass that has done all there is to do."""
    found = _HINTS.search(line)
    if not found:
        return line
    kept = [m[0].strip() for m in _ONE_HINT.finditer(found[1]) if m[1] != name]
    if kept:
        return f'{line[: found.start()]}{HINTS} = "{",".join(kept)}"{line[found.end() :]}'
    rest = line[: found.start()] + line[found.end() :]
    return re.sub(
        r" \{\}", "", rest.replace("{, ", "{", 1).replace(", }", "}", 1).replace(", , ", ", ", 1), count=1
    )


@dataclass(frozen=True)
class TensorType:
    """`tensor<16x64xbf16, #blocked>`, or a scalar (no shape). `pointer`: its elements are pointers to `element`."""

    shape: tuple[int, ...]
    element: str
    layout: str = ""
    pointer: bool = False

    @property
    def count(self) -> int:
        """Number of elements."""
        product = 1
        for size in self.shape:
            product *= size
        return product

    @property
    def element_bits(self) -> int:
        """Bits of one element; 64 for pointers, 8 for what is smaller than a byte; 0 for what is not known."""
        if self.element.startswith("!tt.ptr"):
            return 64
        found = re.match(r"(?:bf|i|f|tf)(\d+)", self.element)
        return max(8, int(found[1])) if found else 0

    @property
    def bytes(self) -> int:
        """Bytes of the whole block."""
        return self.count * self.element_bits // 8


_TENSOR = re.compile(r"tensor<((?:\d+x)*)(.*)>$")


def tensor_type(text: str) -> TensorType:
    """The type that `text` says; of a pointer, what it points to."""
    text = text.strip()
    found = _TENSOR.match(text)
    if not found:
        return TensorType((), _pointee(text), "", text.startswith("!tt.ptr"))
    shape = tuple(int(d) for d in found[1].split("x") if d)
    element, layout = _split_layout(found[2])
    return TensorType(shape, _pointee(element), layout, element.startswith("!tt.ptr"))


def _pointee(element: str) -> str:
    if not element.startswith("!tt.ptr<"):
        return element
    inner = element[len("!tt.ptr<") : -1]
    return inner.split(",")[0] if not inner.startswith("!tt.ptr") else inner


def _split_layout(text: str) -> tuple[str, str]:
    depth = 0
    for at, char in enumerate(text):
        depth += (char in "<{[(") - (char in ">}])")
        if char == "," and depth == 0:
            return text[:at], text[at + 1 :].strip()
    return text, ""
