# SPDX-License-Identifier: MIT
"""The official stage hook, shared between FlagTree's extensions and whatever hook the user sets.

`knobs.runtime.add_stages_inspection_hook` is one slot. A data descriptor on the knobs' class keeps the user's
hook in the slot where upstream would keep it (so `knobs.scope()`, `copy()` and assignment work) and hands
upstream a combination of it and of our extensions. Without extensions upstream sees the user's hook alone.

Since 3.7 upstream asks the hook for a key at every launch. FlagTree's built-in extensions are the same for a whole
process and their code is part of the cache key anyway, so only a backend's `add_stages` gets to see them.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from typing import Any

_SLOT = "add_stages_inspection_hook"
#: Functions that call the hook with the stages: upstream's backends' and our own backends' (`run_hook`).
_ASKING = frozenset({"add_stages", "run_hook"})

#: (backend object, stages, options, language, capability) → None; may wrap entries of `stages`.
Extension = Callable[[Any, dict, Any, Any, Any], None]

_extensions: dict[str, Extension] = {}
_built_in: dict[str, Extension] = {}
_installed = False


def install() -> None:
    """Put the descriptor in the place of the knob."""
    global _installed
    from triton import knobs

    if _installed:
        return
    cls = type(knobs.runtime)
    default = vars(cls)[_SLOT]
    setattr(cls, _SLOT, _SharedHook(default))
    _installed = True


def extend(name: str, extension: Extension) -> None:
    """Register `extension` under `name` (again: replaces it). It runs before the user's own hook."""
    _extensions[name] = extension


def build_in(name: str, extension: Extension) -> None:
    """Register an extension of FlagTree's own; it runs before all others and costs nothing at a launch."""
    _built_in[name] = extension


def retract(name: str) -> None:
    """Remove the extension `name`, if it is there."""
    _extensions.pop(name, None)
    _built_in.pop(name, None)


def fingerprint() -> str:
    """Identity of the extensions. Part of the cache key, because 3.6 does not ask the hook for its own."""
    return ",".join(sorted(_extensions)) or "none"


def run_hook(backend: Any, stages: dict, options: Any, language: Any, capability: Any = None) -> None:
    """What a backend of ours calls at the end of its `add_stages`, as upstream's backends do."""
    from triton import knobs

    hook = getattr(knobs.runtime, _SLOT, None)
    if hook is not None:
        hook(backend, stages, options, language, capability)


class _Combined:
    """Our extensions and the user's hook as one hook of upstream's signature."""

    def __init__(self, user: Any) -> None:
        self.user = user

    def __call__(self, *args: Any) -> tuple[str, str] | None:
        if not args:
            return self._key()
        for extension in (*_built_in.values(), *_extensions.values()):
            extension(*args)
        return self.user(*args) if self.user is not None else None

    def _key(self) -> tuple[str, str]:
        """Since 3.7 upstream calls the hook with no arguments and wants (key, hash)."""
        key, digest = self.user() if self.user is not None else ("", "")
        ours = fingerprint()
        return f"{key}{ours}", hashlib.sha256(f"{digest}{ours}".encode()).hexdigest()


class _SharedHook:
    """Data descriptor: stores the user's hook in the instance, reads as the combination."""

    def __init__(self, default: Any) -> None:
        self.default = default

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        user = instance.__dict__.get(_SLOT, self.default)
        # Whoever else reads the knob (a launch, the user) finds what the user put there.
        asked_by_backend = _built_in and sys._getframe(1).f_code.co_name in _ASKING
        return _Combined(user) if _extensions or asked_by_backend else user

    def __set__(self, instance: Any, hook: Any) -> None:
        # Someone who saves the hook and puts it back must not nest combinations.
        instance.__dict__[_SLOT] = hook.user if isinstance(hook, _Combined) else hook

    def __delete__(self, instance: Any) -> None:
        instance.__dict__.pop(_SLOT, None)
