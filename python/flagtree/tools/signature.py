# SPDX-License-Identifier: MIT
"""The types and constants that a kernel is compiled for: what was given, and what is assumed for the rest."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from flagtree.tools.infer import Roles, roles
from flagtree.upstream.parameters import MISSING, Parameter, first_configuration, parameters

_SCALARS = frozenset(
    ["i1", "i8", "i16", "i32", "i64", "u1", "u8", "u16", "u32", "u64", "fp16", "bf16", "fp32", "fp64"]
)
_ELEMENTS = _SCALARS | frozenset(["fp8e4nv", "fp8e5", "fp8e4b8", "fp8e5b16", "fp8e4b15"])
_DESCRIPTOR = re.compile(r"tensordesc<\w+\[[\d, ]+\]>$")
_ASSUMED_POINTER, _ASSUMED_NUMBER = "*fp32", "i32"


class SignatureError(ValueError):
    """A type or constant that is missing or cannot be. The message says what to pass."""


@dataclass
class Signature:
    """types: parameter → Triton type in order, "constexpr" included; constexprs: parameter → value;
    alignments: parameter → bytes; assumed: the parameters whose type nobody gave."""

    types: dict[str, str] = field(default_factory=dict)
    constexprs: dict[str, Any] = field(default_factory=dict)
    alignments: dict[str, int] = field(default_factory=dict)
    assumed: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return ",".join(
            f"{n}={self.constexprs[n]!r}" if n in self.constexprs else f"{n}={t}"
            for n, t in self.types.items()
        )


def resolve(kernel: Any, name: str, given: str | None, constants: Sequence[str] = ()) -> Signature:
    """The signature of `kernel`.

    given:     "*fp32,*fp32,i32,1024", "x=*fp32,n=i32:16,B=1024", or both kinds, the unnamed first
    constants: "B=1024" each
    Raises SignatureError.
    """
    known = {p.name: p for p in parameters(kernel)}
    texts = _given(given or "", list(known), name)
    for item in constants:
        parameter, separator, value = item.partition("=")
        if not separator:
            raise SignatureError(f"--constexpr {item!r}: write NAME=VALUE, for example BLOCK=1024")
        texts[_known(parameter.strip(), known, name)] = _Constant(value.strip())
    made = Signature()
    found = _infer(kernel, known, texts)
    configured, _ = first_configuration(kernel)
    for parameter in known.values():
        if parameter.name in texts:
            _put(made, parameter, texts[parameter.name])
        elif parameter.is_constexpr or parameter.name in configured:
            _constant(made, parameter, configured, name)
        else:
            made.types[parameter.name] = _assume(parameter, found, name)
            made.assumed.append(parameter.name)
    return made


def _infer(kernel: Any, known: dict[str, Parameter], texts: dict[str, str]) -> Roles:
    """Roles of the parameters, for which what was given is evidence too."""
    if all(p.is_constexpr or p.annotation or p.name in texts for p in known.values()):
        return Roles()
    pointers = [name for name, text in texts.items() if text.startswith("*")]
    return roles(kernel, pointers, [name for name in texts if name not in pointers])


class _Constant(str):
    """A text that is a value, even where it could be read as a type."""


def _given(text: str, names: list[str], kernel: str) -> dict[str, str]:
    texts: dict[str, str] = {}
    named = False
    for position, item in enumerate(_split(text)):
        head, separator, value = item.partition("=")
        if separator:
            named = True
            texts[_known(head.strip(), names, kernel)] = value.strip()
        elif named:
            raise SignatureError(f"--signature: {item!r} has no name and follows one that has; name it too")
        elif position >= len(names):
            raise SignatureError(
                f"--signature has more than {len(names)} types; kernel `{kernel}` has the parameters {', '.join(names)}"
            )
        else:
            texts[names[position]] = item
    return texts


def _split(text: str) -> Iterator[str]:
    """The items between commas that are outside of brackets."""
    depth, item = 0, ""
    for char in text + ",":
        depth += (char in "[(<") - (char in "])>")
        if char == "," and depth <= 0:
            if item.strip():
                yield item.strip()
            item = ""
        else:
            item += char


def _known(name: str, names: Any, kernel: str) -> str:
    if name in names:
        return name
    near = difflib.get_close_matches(name, list(names), n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise SignatureError(f"kernel `{kernel}` has no parameter {name!r}; it has {', '.join(names)}{hint}")


def _put(made: Signature, parameter: Parameter, text: str) -> None:
    ty, separator, suffix = text.rpartition(":")
    if not isinstance(text, _Constant) and is_type(ty if separator else text):
        if parameter.is_constexpr:
            raise SignatureError(f"`{parameter.name}` is a constexpr: pass a value, not the type {text}")
        made.types[parameter.name] = ty if separator else text
        if separator:
            made.alignments[parameter.name] = _alignment(parameter.name, suffix)
        return
    made.types[parameter.name] = "constexpr"
    made.constexprs[parameter.name] = _value(parameter, text)


def is_type(text: str) -> bool:
    """True for the name of an argument type: "*fp32", "i64", "tensordesc<fp16[16, 64]>"."""
    element = text.removeprefix("*").removeprefix("k")
    return (
        (element in _ELEMENTS)
        if text.startswith("*")
        else (text in _SCALARS or bool(_DESCRIPTOR.match(text)))
    )


def _alignment(name: str, text: str) -> int:
    if text != "16":
        raise SignatureError(f"`{name}`: after the type only :16 can follow (a multiple of 16), not :{text}")
    return 16


def _value(parameter: Parameter, text: str) -> Any:
    """A Python literal, or the name of a type (`fp16` for a constexpr that is a dtype)."""
    import triton.language as tl

    types = {"fp16": tl.float16, "bf16": tl.bfloat16, "fp32": tl.float32, "fp64": tl.float64}
    types.update(
        {
            n: getattr(tl, n.replace("i", "int", 1).replace("u", "uint", 1))
            for n in ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")
        }
    )
    if parameter.is_constexpr and text in types:
        return types[text]
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        allowed = "a number, True, False, None or a quoted string"
        types_too = (
            ""
            if parameter.is_constexpr
            else f", or a type: *T or T with T one of {', '.join(sorted(_SCALARS))}"
        )
        raise SignatureError(f"`{parameter.name}`: {text!r} is no value ({allowed}{types_too})") from None


def _constant(made: Signature, parameter: Parameter, configured: dict[str, Any], kernel: str) -> None:
    name = parameter.name
    value = configured.get(name, parameter.default)
    if value is MISSING:
        raise SignatureError(
            f"kernel `{kernel}`: the constexpr `{name}` has no default; pass --constexpr {name}=VALUE"
        )
    made.types[name] = "constexpr"
    made.constexprs[name] = value


def _assume(parameter: Parameter, found: Roles, kernel: str) -> str:
    name = parameter.name
    if is_type(parameter.annotation):
        return parameter.annotation
    if name in found.pointers:
        return _ASSUMED_POINTER
    if name in found.descriptors:
        raise SignatureError(
            f"kernel `{kernel}`: `{name}` is a tensor descriptor, whose block cannot be told; "
            f'pass --signature "{name}=tensordesc<fp32[16,16]>" with the type and block that you mean'
        )
    for group in found.ambiguous:
        if name in group:
            example = ",".join(
                f"{n}={_ASSUMED_POINTER if i == 0 else _ASSUMED_NUMBER}" for i, n in enumerate(group)
            )
            raise SignatureError(
                f"kernel `{kernel}`: one of {', '.join(f'`{n}`' for n in group)} is a pointer and it cannot be told "
                f'which; pass their types, for example --signature "{example}"'
            )
    return "fp32" if isinstance(parameter.default, float) else _ASSUMED_NUMBER
