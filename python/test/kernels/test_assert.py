# SPDX-License-Identifier: MIT
"""device_assert: in debug mode a failed one raises and names kernel, program, message and line; else it is nothing."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
import triton
import triton.language as tl


@triton.jit
def checked(x, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=0)
    tl.device_assert(v >= 0, "negative value")
    tl.store(o + i, v + 1, mask=i < n)


def line_of(kernel: Any, words: str) -> int:
    lines, start = inspect.getsourcelines(kernel.fn)
    return start + next(i for i, line in enumerate(lines) if words in line)


def test_what_holds_changes_nothing() -> None:
    x, o = np.arange(100, dtype=np.int32), np.zeros(100, np.int32)
    checked[(4,)](x, o, 100, B=32, debug=True)
    np.testing.assert_array_equal(o, x + 1)


def test_a_failed_assertion_raises_with_program_message_and_line() -> None:
    x, o = np.arange(100, dtype=np.int32), np.zeros(100, np.int32)
    x[70] = -1
    with pytest.raises(AssertionError) as raised:
        checked[(4,)](x, o, 100, B=32, debug=True)
    text = str(raised.value)
    assert "kernel 'checked', program (2, 0, 0): negative value" in text
    assert f"{__file__}:{line_of(checked, 'device_assert')}" in text
    # The program ended where it failed.
    assert not o[64:96].any()


def test_a_kernel_runs_again_after_it_failed() -> None:
    x, o = np.full(32, -5, np.int32), np.zeros(32, np.int32)
    for _ in range(3):
        with pytest.raises(AssertionError, match="negative value"):
            checked[(1,)](x, o, 32, B=32, debug=True)
    checked[(1,)](-x, o, 32, B=32, debug=True)
    assert (o == 6).all()


def test_many_programs_may_fail_at_once() -> None:
    x, o = np.full(32 * 500, -5, np.int32), np.zeros(32 * 500, np.int32)
    with pytest.raises(AssertionError, match=r"program \(\d+, 0, 0\): negative value"):
        checked[(500,)](x, o, x.size, B=32, debug=True)
    assert not o.any()


def test_without_debug_it_is_not_looked_at() -> None:
    x, o = np.full(32, -5, np.int32), np.zeros(32, np.int32)
    checked[(1,)](x, o, 32, B=32)
    assert (o == -4).all()


def test_triton_s_switch_turns_it_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(triton.knobs.runtime, "debug", True)  # TRITON_DEBUG=1, read when triton is imported
    with pytest.raises(AssertionError, match="negative value"):
        checked[(1,)](np.full(32, -5, np.int32), np.zeros(32, np.int32), 32, B=32)


@triton.jit(debug=True)
def scalar_check(x, o, n):
    for i in range(n):
        v = tl.load(x + i)
        tl.device_assert(v != 3, "three")
        tl.store(o + i, v)


def test_a_scalar_in_a_loop_ends_the_program() -> None:
    x, o = np.arange(6, dtype=np.int64), np.full(6, -1, np.int64)
    with pytest.raises(AssertionError, match=r"kernel 'scalar_check', program \(0, 0, 0\): three"):
        scalar_check[(1,)](x, o, 6)
    np.testing.assert_array_equal(o, [0, 1, 2, -1, -1, -1])


@triton.jit
def helper(v):
    tl.device_assert(v < 10, "too large")
    return v * 2


@triton.jit(debug=True)
def calls_helper(x, o):
    tl.store(o, helper(tl.load(x)))


def test_an_assertion_in_a_called_function_names_both_lines() -> None:
    o = np.zeros(1, np.int32)
    calls_helper[(1,)](np.array([4], np.int32), o)
    assert o[0] == 8
    with pytest.raises(AssertionError) as raised:
        calls_helper[(1,)](np.array([40], np.int32), o)
    text = str(raised.value)
    assert "too large" in text
    assert f"{__file__}:{line_of(helper, 'device_assert')}" in text
    assert f"called from {__file__}:{line_of(calls_helper, 'tl.store')}" in text


@triton.jit(debug=True)
def checked_tile(x, n, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.arange(0, R)[:, None], tl.arange(0, C)[None, :]
    inside = (r < n) & (c < n)
    v = tl.load(x + r * C + c, mask=inside, other=1.0)
    tl.device_assert(v > 0, "not positive", mask=inside)


@pytest.mark.parametrize("n", [0, 5, 8])
def test_lanes_behind_the_mask_of_an_assertion_do_not_count(n: int) -> None:
    x = np.ones((8, 16), np.float32)
    x[5, 5] = -1.0
    if n <= 5:
        checked_tile[(1,)](x, n, R=8, C=16)
    else:
        with pytest.raises(AssertionError, match="not positive"):
            checked_tile[(1,)](x, n, R=8, C=16)
