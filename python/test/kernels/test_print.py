# SPDX-License-Identifier: MIT
"""device_print: upstream's lines, whole ones from many threads, of scalars and blocks of any rank and type."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import torch
import triton
import triton.language as tl


@triton.jit
def print_block(x, B: tl.constexpr):
    tl.device_print("x", tl.load(x + tl.arange(0, B)))


@pytest.mark.parametrize("name", ["int8", "uint8", "int16", "int32", "uint32", "int64", "uint64"])
def test_integers_print_with_their_sign(capfd: Any, name: str) -> None:
    limits = np.iinfo(name)
    x = np.array([limits.min, limits.max, 0, 7], name)
    print_block[(1,)](x, B=4)
    lines = capfd.readouterr().out.splitlines()
    assert lines == [f"pid (0, 0, 0) idx ({i}) x: {value}" for i, value in enumerate(x.tolist())]


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "float64"])
def test_floats_print_with_six_digits(capfd: Any, name: str) -> None:
    x = torch.tensor([0.5, -1.25, float("inf"), 1024.0], dtype=getattr(torch, name))
    print_block[(1,)](x, B=4)
    lines = capfd.readouterr().out.splitlines()
    values = ["0.500000", "-1.250000", "inf", "1024.000000"]
    assert lines == [f"pid (0, 0, 0) idx ({i}) x: {value}" for i, value in enumerate(values)]


@triton.jit
def print_scalars(x, n):
    tl.device_print("n", n)
    tl.device_print("first: ", tl.load(x), n + 1)
    tl.device_print("done")


def test_scalars_several_operands_and_none(capfd: Any) -> None:
    print_scalars[(1, 2)](np.array([2.5], np.float32), 41)
    lines = sorted(capfd.readouterr().out.splitlines())
    expected = []
    for y in range(2):
        expected += [
            f"pid (0, {y}, 0) idx () n: 41",
            f"pid (0, {y}, 0) idx () first: (operand 0) 2.500000",
            f"pid (0, {y}, 0) idx () first: (operand 1) 42",
        ]
    assert [line for line in lines if "done" not in line] == sorted(expected)
    assert [line for line in lines if "done" in line] == [f"pid (0, {y}, 0) done" for y in range(2)]


@triton.jit
def print_tile(x, o, R: tl.constexpr, C: tl.constexpr):
    at = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    v = tl.load(x + at)
    w = v * 2 + 1
    tl.device_print("w", w)
    tl.device_print("odd", (v % 2) != 0)
    tl.device_print("at", at, hex=True)
    tl.store(o + at, w)


def test_tiles_print_what_is_also_stored(capfd: Any) -> None:
    x, o = np.arange(64, dtype=np.int32).reshape(4, 16), np.zeros((4, 16), np.int32)
    print_tile[(1,)](x, o, R=4, C=16)
    lines = capfd.readouterr().out.splitlines()
    np.testing.assert_array_equal(o, x * 2 + 1)
    places = [(r, c) for r in range(4) for c in range(16)]
    assert lines[:64] == [f"pid (0, 0, 0) idx ({r}, {c:2}) w: {o[r, c]}" for r, c in places]
    assert lines[64:128] == [f"pid (0, 0, 0) idx ({r}, {c:2}) odd: {x[r, c] % 2}" for r, c in places]
    assert lines[128:] == [f"pid (0, 0, 0) idx ({r}, {c:2}) at: 0x{r * 16 + c:08x}" for r, c in places]


@triton.jit
def print_cube(x):
    i = tl.arange(0, 2)
    at = i[:, None, None] * 4 + i[None, :, None] * 2 + i[None, None, :]
    tl.device_print("v", tl.load(x + at))


def test_three_dimensions(capfd: Any) -> None:
    print_cube[(1,)](np.arange(8, dtype=np.int64))
    lines = capfd.readouterr().out.splitlines()
    assert lines[5] == "pid (0, 0, 0) idx (1, 0, 1) v: 5" and len(lines) == 8


@triton.jit
def print_pointer(x):
    tl.device_print("x", x)


def test_a_pointer_prints_as_its_address(capfd: Any) -> None:
    x = np.zeros(1, np.float32)
    print_pointer[(1,)](x)
    assert capfd.readouterr().out == f"pid (0, 0, 0) idx () x: {x.ctypes.data}\n"


@triton.jit
def print_in_branch(x, n):
    for i in range(n):
        if tl.load(x + i) > 2:
            tl.device_print("big", i)


def test_a_print_within_control_flow(capfd: Any) -> None:
    print_in_branch[(1,)](np.array([1, 5, 2, 9], np.int32), 4)
    assert capfd.readouterr().out.splitlines() == [f"pid (0, 0, 0) idx () big: {i}" for i in (1, 3)]


def test_lines_of_many_programs_stay_whole(capfd: Any) -> None:
    x = np.arange(16, dtype=np.int32)
    print_block[(400,)](x, B=16)
    lines = capfd.readouterr().out.splitlines()
    assert len(lines) == 400 * 16
    line = re.compile(r"pid \((\d+), 0, 0\) idx \(([ \d]\d)\) x: (\d+)")
    seen = {tuple(map(int, line.fullmatch(each).groups())) for each in lines}
    assert seen == {(p, i, i) for p in range(400) for i in range(16)}


@triton.jit
def print_static(x, B: tl.constexpr):
    tl.static_print("block of", B)
    tl.static_assert(B == 4, "B must be 4")
    tl.store(x + tl.arange(0, B), B)


def test_static_print_and_static_assert_act_at_compile_time(capfd: Any) -> None:
    x = np.zeros(4, np.int32)
    print_static[(2,)](x, B=4)
    assert capfd.readouterr().out.count("block of 4") == 1 and (x == 4).all()
    with pytest.raises(triton.CompilationError, match="B must be 4"):
        print_static[(1,)](np.zeros(8, np.int32), B=8)
