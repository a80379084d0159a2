# SPDX-License-Identifier: MIT
"""What a kernel object says of its parameters, autotuners and heuristics included."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from flagtree.upstream.probe import jit_function

#: Says that a parameter has no default.
MISSING = inspect.Parameter.empty


@dataclass(frozen=True)
class Parameter:
    """One parameter: its annotation as text ("" without one), whether it is a constexpr, its default."""

    name: str
    annotation: str
    is_constexpr: bool
    default: Any = MISSING


def parameters(kernel: Any) -> list[Parameter]:
    """The parameters of `kernel` in order."""
    return [
        Parameter(p.name, _annotation(p), bool(p.is_constexpr), p.default if p.has_default else MISSING)
        for p in jit_function(kernel).params
    ]


def first_configuration(kernel: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """(constexprs, options) of the first configuration of an autotuner, both empty for other kernels."""
    inner = kernel
    while inner is not None:
        configs = getattr(inner, "configs", None)
        if configs:
            config = configs[0]
            options = {n: getattr(config, n) for n in ("num_warps", "num_stages", "num_ctas")}
            return dict(config.kwargs), options
        inner = getattr(inner, "fn", None)
    return {}, {}


def is_kernel(value: Any) -> bool:
    """True for a `@triton.jit` function, with or without autotuner and heuristics around it."""
    try:
        jit_function(value)
    except TypeError:
        return False
    return True


def kernels_of(module: ModuleType) -> dict[str, Any]:
    """Name → kernel, of all that `module` defines itself, in the order of the file."""
    found = {n: v for n, v in vars(module).items() if is_kernel(v) and _home(v) == module.__name__}
    return dict(sorted(found.items(), key=lambda item: first_line(item[1])))


def source_of(kernel: Any) -> str:
    """Text of the function from `def` on, which its AST lines count from."""
    return jit_function(kernel).src


def first_line(kernel: Any) -> int:
    """Line of `def` in the file."""
    function = jit_function(kernel)
    code = function.fn.__code__
    before = function.raw_src
    offset = next((i for i, line in enumerate(before) if line.lstrip().startswith("def ")), 0)
    return code.co_firstlineno + offset


def file_of(kernel: Any) -> str:
    """File that the function is in."""
    return jit_function(kernel).fn.__code__.co_filename


def namespace_of(kernel: Any) -> dict[str, Any]:
    """Globals of the function."""
    return jit_function(kernel).fn.__globals__


def _home(kernel: Any) -> str:
    return jit_function(kernel).fn.__module__


def _annotation(parameter: Any) -> str:
    """Upstream's own canonical text, "" for what it does not know ("fp32", "*fp32", "constexpr", …)."""
    try:
        # Under `from __future__ import annotations` a quoted annotation arrives with its quotes.
        return parameter.annotation.strip("'\"")
    except Exception:
        return ""
