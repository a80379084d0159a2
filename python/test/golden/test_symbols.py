# SPDX-License-Identifier: MIT
"""Undefined symbols are read from object files: what is called from elsewhere, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from object_symbols import undefined, unknown

PROGRAM = """
llvm.func @no_such_function(f32) -> f32
llvm.func @erff(f32) -> f32
llvm.func @inner(%x: f32) -> f32 attributes {no_inline} {
  llvm.return %x : f32
}
llvm.func @outer(%x: f32) -> f32 {
  %a = llvm.call @no_such_function(%x) : (f32) -> f32
  %b = llvm.call @erff(%a) : (f32) -> f32
  %c = llvm.call @inner(%b) : (f32) -> f32
  llvm.return %c : f32
}
"""


@pytest.fixture
def obj(fixed_cpu: Callable) -> bytes:
    from flagtree._native.compiler import Module

    return Module.parse(PROGRAM).emit("obj")


def test_called_symbols_without_code_are_undefined(obj: bytes) -> None:
    # What fixes the addresses of global data may be among them.
    assert undefined(obj) - {"_GLOBAL_OFFSET_TABLE_"} == {"no_such_function", "erff"}


def test_what_nobody_allowed_is_told(obj: bytes) -> None:
    assert unknown(obj) - {"_GLOBAL_OFFSET_TABLE_"} == {"no_such_function"}


def test_other_files_are_refused() -> None:
    with pytest.raises(ValueError, match="ELF64"):
        undefined(b"MZ" + bytes(100))
