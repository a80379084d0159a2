# SPDX-License-Identifier: MIT
"""Every hint that is known: what it is for, its arguments, its words for the user guide.

FlagTree's own are in `flagtree.hints.builtin`; a backend adds its own as `SPECS` of its hints.py.
"""

from __future__ import annotations

import difflib
import functools
import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from flagtree.hints.hint import shortened

#: The kinds of operation that carry hints.
KINDS = frozenset({"load", "store", "atomic", "dot", "for", "while"})
#: Default of an argument that must be given.
REQUIRED: Final = object()

_LARGEST = 2**31 - 1
_LONGEST_NUMBER = 10


@dataclass(frozen=True)
class Argument:
    """One argument of a hint, given by position or as `name=value`.

    kind:    "int" (a whole number from minimum to maximum), "choice" (one of choices), "name" (an identifier)
             or "text" (whatever was written)
    default: what holds when it is left out; REQUIRED when it must be given
    """

    name: str
    kind: str
    doc: str
    default: Any = REQUIRED
    minimum: int = 0
    maximum: int = _LARGEST
    choices: tuple[str, ...] = ()

    @property
    def wanted(self) -> str:
        """What a value has to be, in words."""
        if self.kind == "int":
            return f"one whole number from {self.minimum} to {self.maximum}"
        if self.kind == "choice":
            return f"one of {', '.join(self.choices)}"
        return "a name" if self.kind == "name" else "a value"

    def read(self, text: str) -> Any:
        """The value that `text` stands for. Raises ValueError when it is none."""
        if self.kind == "int":
            return self._number(text)
        if self.kind == "choice" and text not in self.choices:
            raise ValueError(text)
        if self.kind == "name" and not text.isidentifier():
            raise ValueError(text)
        return text

    def _number(self, text: str) -> int:
        digits = text.lstrip("0") or "0"
        if not (text.isascii() and text.isdecimal()) or len(digits) > _LONGEST_NUMBER:
            raise ValueError(text)
        value = int(digits)
        if not self.minimum <= value <= self.maximum:
            raise ValueError(text)
        return value


@dataclass(frozen=True)
class HintSpec:
    """One hint.

    name:      its canonical spelling
    subjects:  the kinds of operation that take it, of KINDS
    arguments: in order of position
    doc:       what it tells the compiler, for the user guide
    example:   a kernel that uses it, for the user guide; a test runs it
    aliases:   other spellings of the name
    """

    name: str
    subjects: frozenset[str]
    arguments: tuple[Argument, ...] = ()
    doc: str = ""
    example: str = ""
    aliases: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "subjects", frozenset(self.subjects))
        strange = sorted(self.subjects - KINDS)
        if strange or not self.name.isidentifier():
            raise ValueError(f"hint {self.name!r}: no kind of operation is called {', '.join(strange)}")

    def read(self, args: Sequence[str]) -> dict[str, Any]:
        """Argument → value; what was left out has its default. Raises ValueError whose text says what is wanted."""
        given: dict[str, Any] = {}
        for position, text in enumerate(args):
            argument, value = self._which(position, text, given)
            try:
                given[argument.name] = argument.read(value)
            except ValueError:
                raise ValueError(f"{self._wants()}, not {shortened(value)!r}") from None
        for argument in self.arguments:
            if argument.default is REQUIRED and argument.name not in given:
                raise ValueError(self._wants())
        return {a.name: given.get(a.name, a.default) for a in self.arguments}

    def usage(self) -> str:
        """How it is written, for the table: `num_stages(n)`, `multibuffer(n=2)`."""
        shown = [a.name if a.default in (REQUIRED, None) else f"{a.name}={a.default}" for a in self.arguments]
        return f"{self.name}({', '.join(shown)})" if shown else self.name

    def _which(self, position: int, text: str, given: dict[str, Any]) -> tuple[Argument, str]:
        head, separator, value = text.partition("=")
        named = next((a for a in self.arguments if separator and a.name == head.strip()), None)
        if named is None and position < len(self.arguments):
            named, value = self.arguments[position], text
        if named is None:
            raise ValueError(self._wants())
        if named.name in given:
            raise ValueError(f"{self.name} has {named.name} twice")
        return named, value.strip()

    def _wants(self) -> str:
        if not self.arguments:
            return f"{self.name} takes no value"
        if len(self.arguments) > 1:
            each = ", ".join(f"{a.name}: {a.wanted}" for a in self.arguments)
            return f"{self.name} wants {self.usage()} ({each})"
        (only,) = self.arguments
        example = only.choices[0] if only.choices else max(only.minimum, min(2, only.maximum))
        return f"{self.name} wants {only.wanted}, for example {self.name}={example}"


_specs: dict[str, HintSpec] = {}
#: What is known without anybody registering anything: files tell it.
_own: dict[str, HintSpec] = {}
_aliases: dict[str, str] = {}
_lock = threading.RLock()
_loaded = False
#: Grows with each change of what is known, for who must see a change fast.
revision = 0


def register(spec: HintSpec) -> None:
    """Make `spec` known. The same one again is fine; another one under a name that is taken raises ValueError.

    Kernels compiled before are compiled again at their next launch.
    """
    with _lock:
        _load()
        _add(spec)
        _changed()


def unregister(name: str) -> None:
    """Forget the hint `name`, if it is known."""
    with _lock:
        _load()
        spec = _specs.pop(name, None)
        for alias in spec.aliases if spec else ():
            _aliases.pop(alias, None)
        _changed()


def fingerprint() -> str:
    """Identity of what was registered and unregistered, the same in every process that did the same; or "none"."""
    with _lock:
        if _specs == _own:
            return "none"
        added = [_identity(spec) for name, spec in sorted(_specs.items()) if _own.get(name) != spec]
        gone = sorted(_own.keys() - _specs.keys())
    return hashlib.sha256(repr((added, gone)).encode()).hexdigest()


def _identity(spec: HintSpec) -> tuple:
    """All of `spec` that shapes code; words for people do not."""
    arguments = [
        (
            a.name,
            a.kind,
            "required" if a.default is REQUIRED else repr(a.default),
            a.minimum,
            a.maximum,
            a.choices,
        )
        for a in spec.arguments
    ]
    return spec.name, sorted(spec.subjects), arguments, spec.aliases


def _changed() -> None:
    global revision
    revision += 1
    look_up.cache_clear()


def get(name: str) -> HintSpec | None:
    """The hint that `name`, or the alias `name`, stands for; None when there is none."""
    if not _loaded:
        _load()
    return _specs.get(_aliases.get(name, name))


def names() -> list[str]:
    """Canonical names of all hints, sorted."""
    _load()
    return sorted(_specs)


def suggest(name: str) -> str:
    """The name or alias most like `name`, or "" when none is."""
    _load()
    # The comparison takes the product of the lengths: what is longer than any name is like none.
    if len(name) > 2 * max(map(len, _specs)):
        return ""
    near = difflib.get_close_matches(name, [*_specs, *_aliases], n=1, cutoff=0.6)
    if near:
        return near[0]
    folded = {known.lower().replace("_", ""): known for known in _specs}
    return folded.get(name.lower().replace("_", ""), "")


@functools.lru_cache(maxsize=1024)
def look_up(name: str, args: tuple[str, ...]) -> tuple[HintSpec | None, str, tuple[Any, ...], str]:
    """(the hint, its canonical text, its arguments' values, what is wrong with it or "") of what was written."""
    spec = get(name)
    if spec is None:
        near = suggest(name)
        problem = f"no hint is called {shortened(name)!r}" + (f"; did you mean {near!r}?" if near else "")
        return None, name, (), problem
    try:
        values = tuple(spec.read(args).values())
    except ValueError as error:
        return spec, spec.name, (), str(error)
    return spec, canonical(spec, args), values, ""


def canonical(spec: HintSpec, args: Sequence[str]) -> str:
    """One spelling for all ways of writing it: `name`, `name=value`, `name(value, value)`."""
    if len(args) == 1:
        return f"{spec.name}={args[0].partition('=')[2].strip() if _is_named(spec, args[0]) else args[0]}"
    return f"{spec.name}({', '.join(args)})" if args else spec.name


def _is_named(spec: HintSpec, text: str) -> bool:
    head, separator, _ = text.partition("=")
    return bool(separator) and any(a.name == head.strip() for a in spec.arguments[:1])


def _add(spec: HintSpec) -> None:
    known = _specs.get(spec.name)
    if known == spec:
        return
    taken = [n for n in (spec.name, *spec.aliases) if n in _specs or n in _aliases]
    if taken:
        raise ValueError(f"hint {', '.join(taken)} is registered already, and differently")
    _specs[spec.name] = spec
    _aliases.update(dict.fromkeys(spec.aliases, spec.name))


def _load() -> None:
    """FlagTree's own hints and those of the backends; once."""
    global _loaded
    if _loaded:
        return
    from flagtree.hints import builtin, support

    with _lock:
        if _loaded:
            return
        for spec in builtin.SPECS:
            _add(spec)
        # What a backend adds must not take the others' away.
        support.each_backend(_add_all)
        _own.update(_specs)
        _loaded = True


def _add_all(specs: Sequence[HintSpec]) -> None:
    for spec in specs:
        _add(spec)
