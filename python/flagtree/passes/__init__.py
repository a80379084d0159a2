# SPDX-License-Identifier: MIT
"""Every registered pass as a function: `flagtree.passes.<group>.add_<name>(pm, **options)`.

Nothing is listed here: groups, names and options come from the library's registry (made from Passes.td), so
passes of backends and plugins appear by themselves. The first attribute that is looked up loads the library.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

from flagtree.compiler.pass_manager import PassManager, format_pass

__all__ = ["PassGroup", "PassManager", "PluginPasses", "groups", "refresh"]

_groups: dict[str, PassGroup] | None = None


class PassGroup:
    """The passes of one group."""

    def __init__(self, name: str) -> None:
        self.__name__ = f"flagtree.passes.{name}"
        self._adders: dict[str, Callable[..., None]] = {}

    def _register(self, info: dict[str, Any], group: str) -> None:
        adder = _make_adder(info, group)
        self._adders[adder.__name__] = adder

    def __getattr__(self, name: str) -> Callable[..., None]:
        adders = self.__dict__.get("_adders", {})
        if name in adders:
            return adders[name]
        raise AttributeError(f"{self.__dict__.get('__name__')} has no {name!r}{_did_you_mean(name, adders)}")

    def __dir__(self) -> list[str]:
        return sorted(self._adders)


class PluginPasses:
    """Passes that plugins registered: `flagtree.passes.plugin.add_<name>(pm, **options)`.

    MLIR tells whether a pass of some name is registered, not which ones are, so these are looked up and not
    listed, and their options are checked when the pipeline is run.
    """

    __name__ = "flagtree.passes.plugin"

    def __getattr__(self, name: str) -> Callable[..., None]:
        from flagtree.compiler import native

        argument = name.removeprefix("add_").replace("_", "-")
        if not name.startswith("add_") or not native.compiler().pass_exists(argument):
            raise AttributeError(f"no pass {argument!r} is registered; load its plugin with FLAGTREE_PLUGIN")
        return _make_adder({"argument": argument, "summary": "a plugin's pass", "options": None}, "plugin")


def groups() -> dict[str, PassGroup]:
    """Group name → its passes. Raises NativeLibraryError when the library cannot be loaded."""
    global _groups
    if _groups is None:
        _groups = _collect()
    return _groups


def refresh() -> None:
    """Read the registry again, after a plugin was loaded."""
    global _groups
    _groups = None


def _collect() -> dict[str, PassGroup]:
    from flagtree.compiler import native

    found: dict[str, PassGroup] = {}
    for info in native.compiler().passes():
        group = info["group"].replace("-", "_")
        found.setdefault(group, PassGroup(group))._register(info, group)
    return found


def _make_adder(info: dict[str, Any], group: str) -> Callable[..., None]:
    argument: str = info["argument"]
    known = info["options"]
    options = {option["name"].replace("-", "_"): option["name"] for option in known or ()}

    def add(pm: PassManager, **given: Any) -> None:
        unknown = [name for name in given if name not in options]
        if unknown and known is not None:
            near = _did_you_mean(unknown[0], options)
            allowed = ", ".join(sorted(options)) or "none"
            raise TypeError(f"pass {argument} has no option {unknown[0]!r}; it has {allowed}{near}")
        spelled = {options.get(name) or name.replace("_", "-"): value for name, value in given.items()}
        pm.add(format_pass(argument, spelled))

    add.__name__ = add.__qualname__ = "add_" + argument.removeprefix(f"{group}-").replace("-", "_")
    add.__doc__ = _document(info)
    return add


def _document(info: dict[str, Any]) -> str:
    lines = [f"Add {info['argument']}: {info['summary']}"]
    for option in info["options"] or ():
        lines.append(
            f"    {option['name']} ({option['type']}, default {option['default']}): {option['description']}"
        )
    return "\n".join(lines)


def _did_you_mean(name: str, known: Any) -> str:
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""


def __getattr__(name: str) -> PassGroup | PluginPasses:
    if name.startswith("__"):
        raise AttributeError(name)
    if name == "plugin":
        return PluginPasses()
    known = groups()
    if name in known:
        return known[name]
    raise AttributeError(f"there is no group of passes {name!r}; groups are {', '.join(sorted(known))}")


def __dir__() -> list[str]:
    return sorted([*__all__, *groups()])
