# SPDX-License-Identifier: MIT
"""Triton's names of argument types."""

from __future__ import annotations

_CPP = {
    "i1": "int8_t",
    "i8": "int8_t",
    "i16": "int16_t",
    "i32": "int32_t",
    "i64": "int64_t",
    "u1": "uint8_t",
    "u8": "uint8_t",
    "u16": "uint16_t",
    "u32": "uint32_t",
    "u64": "uint64_t",
    "fp16": "double",
    "bf16": "double",
    "fp32": "double",
    "f32": "double",
    "fp64": "double",
    "nvTmaDesc": "void*",
}


def cpp_type(ty: str) -> str:
    """The C++ type that carries a host argument of Triton type `ty`. Raises ValueError for an unknown one."""
    if ty.startswith("*"):
        return "void*"
    if ty not in _CPP:
        raise ValueError(f"{ty!r} is no argument type; known are pointers (*T) and {', '.join(_CPP)}")
    return _CPP[ty]


_FROM_MLIR = {
    "f16": "fp16",
    "bf16": "bf16",
    "f32": "fp32",
    "f64": "fp64",
    "f8E4M3FN": "fp8e4nv",
    "f8E5M2": "fp8e5",
}


def from_mlir(ty: str) -> str:
    """Triton's name of an MLIR type as a kernel read from a `.ttir` file has it; Triton's own names stay."""
    pointer = ty.startswith("!tt.ptr<")
    inner = ty.removeprefix("!tt.ptr<").split(",")[0].rstrip(">") if pointer else ty
    return ("*" if pointer else "") + _FROM_MLIR.get(inner, inner)
