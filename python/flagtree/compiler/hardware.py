# SPDX-License-Identifier: MIT
"""UnifiedHardware: what a backend's hardware.toml says of one architecture."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.resources import files
from types import MappingProxyType
from typing import Any

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib


@dataclass(frozen=True)
class MemorySpace:
    """One memory.

    bytes:          what one program can have of it; None where that is not known
    bytes_per_unit: what one compute unit has, shared by the programs on it
    address_space:  its number in the IR, where it has one
    """

    name: str
    bytes: int | None = None
    bytes_per_unit: int | None = None
    address_space: int | None = None


@dataclass(frozen=True)
class VectorUnit:
    """Registers of one width."""

    name: str
    bits: int
    registers: int


@dataclass(frozen=True)
class UnifiedHardware:
    """One architecture, or what all of a backend's have in common where hardware.toml does not know it.

    backend, arch:   name of the backend's folder; name of the architecture as the file spells it
    kind:            "gpu", "npu" or "host"
    cores:           compute units; None where that is not known
    dma_tag:         what moves blocks without the processor, or ""
    shared_tag:      name of the memory that `shared_memory` means, or ""
    reduce_strategy: how a reduction is lowered, or ""
    facts:           all other entries of the architecture's table
    """

    backend: str
    arch: str
    kind: str = ""
    cores: int | None = None
    dma_tag: str = ""
    shared_tag: str = ""
    reduce_strategy: str = ""
    memories: Mapping[str, MemorySpace] = field(default_factory=dict, hash=False)
    vectors: tuple[VectorUnit, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def memory(self, name: str) -> MemorySpace | None:
        """The memory space `name`, or None."""
        return self.memories.get(name)

    @property
    def shared(self) -> MemorySpace | None:
        """The memory that `shared_memory` means."""
        return self.memory(self.shared_tag)

    @property
    def vector_widths(self) -> tuple[int, ...]:
        """Bits of the vector registers, ascending."""
        return tuple(sorted(unit.bits for unit in self.vectors))

    def registers(self, bits: int) -> int | None:
        """Number of vector registers of that width; the fewest where several kinds have it."""
        return min((unit.registers for unit in self.vectors if unit.bits == bits), default=None)

    def target_spec(self, **more: int | str | None) -> str:
        """MLIR's target spec, as text: what is known of the device, and `more` that only the caller knows.

        dlti.target_system_spec of the module; passes of the library ask it.
        """
        entries = {
            "arch": self.arch,
            "kind": self.kind,
            "cores": self.cores,
            "cache_line_bytes": self.facts.get("cache_line_bytes"),
            "dma_tag": self.dma_tag,
            "shared_tag": self.shared_tag,
            "reduce_strategy": self.reduce_strategy,
            **more,
            "memory": {name: vars(each) for name, each in sorted(self.memories.items())},
            "vector": {unit.name: vars(unit) for unit in self.vectors},
        }
        device = f"#dlti.target_device_spec<{_dlti(entries)}>"
        return f"#dlti.target_system_spec<{_quoted(self.backend)} = {device}>"

    def has(self, feature: str) -> bool:
        """True when the architecture's table says `feature = true`."""
        return self.facts.get(feature) is True


@functools.cache
def tables(backend: str) -> dict[str, Any]:
    """The file's tables; empty when the backend has none that can be read."""
    try:
        return tomllib.loads((files(f"flagtree.backends.{backend}") / "hardware.toml").read_text("utf-8"))
    except (ImportError, OSError, ValueError):
        return {}


@functools.cache
def backend_of(target: str) -> str:
    """Name of the backend whose targets Triton calls `target` ("cuda" → "nvidia"), or "" when there is none."""
    from flagtree import backends

    available = backends.available()
    named = {name: str(device(name).get("target", "")).partition(":")[0] for name in available}
    return next((n for n, t in named.items() if t == target), target if target in available else "")


def device(backend: str) -> Mapping[str, Any]:
    """The table `[device]`."""
    found = tables(backend).get("device", {})
    return found if isinstance(found, dict) else {}


@functools.cache
def unified(backend: str, arch: str) -> UnifiedHardware:
    """The hardware of `arch` ("sm90", 90, "gfx942", "x86_64"). Never raises: what is not known is None."""
    common = device(backend)
    key, table = _arch_table(backend, str(arch))
    facts = {**_of_this_machine(backend, key), **table}
    get = {**common, **facts}.get
    return UnifiedHardware(
        backend,
        key,
        kind=str(get("kind", "")),
        cores=get("compute_units"),
        dma_tag=str(get("dma_tag", "")),
        shared_tag=str(get("shared_tag", "")),
        reduce_strategy=str(get("reduce_strategy", "")),
        memories=MappingProxyType(
            {name: MemorySpace(name, **_known(MemorySpace, of)) for name, of in _sub(facts, "memory")}
        ),
        vectors=tuple(VectorUnit(name, **_known(VectorUnit, of)) for name, of in _sub(facts, "vector")),
        facts=MappingProxyType({k: v for k, v in facts.items() if not isinstance(v, dict)}),
    )


def of_target(target: str, arch: Any) -> UnifiedHardware | None:
    """The hardware of a target of Triton's, for example ("cuda", 90); None when no backend here serves it."""
    backend = backend_of(target)
    return unified(backend, str(arch)) if backend else None


def _arch_table(backend: str, arch: str) -> tuple[str, dict[str, Any]]:
    """(the file's name for it, its table). NVIDIA's targets are numbers, and some have a letter behind (sm_90a)."""
    known = tables(backend).get("arch", {})
    plain = arch.replace("_", "")
    for name, table in known.items():
        if isinstance(table, dict) and plain in (name.replace("_", ""), name.lstrip(_LETTERS), f"{name}a"):
            return name, table
    return arch, {}


_LETTERS = "abcdefghijklmnopqrstuvwxyz_"


def _of_this_machine(backend: str, arch: str) -> dict[str, Any]:
    """What the backend asks the machine itself: `hardware_facts(arch)` of its `spec`, if it has that."""
    try:
        ask = getattr(import_module(f"flagtree.backends.{backend}.spec"), "hardware_facts", None)
        return dict(ask(arch)) if ask is not None else {}
    except Exception:
        return {}


def _dlti(entries: Mapping[str, Any]) -> str:
    """Entries of a spec or a map; what is not known is left out."""
    found = []
    for name, value in entries.items():
        if isinstance(value, Mapping):
            inner = _dlti({k: v for k, v in value.items() if k != "name"})
            text = f"#dlti.map<{inner}>" if inner else ""
        elif isinstance(value, int):
            text = f"{value} : i64"
        else:
            text = _quoted(value) if value else ""
        if text:
            found.append(f"{_quoted(name)} = {text}")
    return ", ".join(found)


def _quoted(text: str) -> str:
    """MLIR's string: printable ASCII as it is, the rest in hexadecimal digits."""
    plain = "".join(chr(b) if 32 <= b < 127 and chr(b) not in '"\\' else f"\\{b:02X}" for b in text.encode())
    return f'"{plain}"'


def _sub(facts: Mapping[str, Any], kind: str) -> list[tuple[str, dict[str, Any]]]:
    found = facts.get(kind, {})
    return [(name, of) for name, of in found.items() if isinstance(of, dict)]


def _known(cls: type, table: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in table.items() if name in cls.__dataclass_fields__}  # type: ignore[attr-defined]
