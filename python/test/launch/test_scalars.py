# SPDX-License-Identifier: MIT
"""Scalar arguments: ranges, encodings and errors."""

from __future__ import annotations

import math
import struct
from fractions import Fraction

import numpy as np
import pytest
import torch

INTEGERS = [(sign + str(bits), bits, sign == "i") for bits in (8, 16, 32, 64) for sign in "iu"]
MASK = (1 << 64) - 1


def limits(bits: int, signed: bool) -> tuple[int, int]:
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)


@pytest.mark.parametrize(("kind", "bits", "signed"), INTEGERS)
def test_integer_limits_are_extended_to_64_bits(slot, kind, bits, signed):
    for value in (*limits(bits, signed), 0, 1, 100):
        assert slot(kind, value) == value & MASK


@pytest.mark.parametrize(("kind", "bits", "signed"), INTEGERS)
def test_integer_beyond_its_limits_is_an_overflow_error(slot, kind, bits, signed):
    low, high = limits(bits, signed)
    for value in (low - 1, high + 1, 1 << 200, -(1 << 200)):
        with pytest.raises(OverflowError, match=rf"'store_slot', parameter 'value' \({kind}\)") as error:
            slot(kind, value)
        assert f"allowed are integers from {low} to {high}" in str(error.value)


def test_overflow_error_shows_the_value(slot):
    with pytest.raises(OverflowError, match="2147483648 is out of range"):
        slot("i32", 2**31)


def test_integer_too_long_to_print_is_still_an_overflow_error(slot):
    with pytest.raises(OverflowError, match="a value of type int is out of range"):
        slot("i32", 10**6000)


@pytest.mark.parametrize("kind", ["i1", "u1"])
def test_truth_values_are_zero_or_one(slot, kind):
    values = [True, False, 1, 0, np.True_, np.False_]
    assert [slot(kind, value) for value in values] == [1, 0, 1, 0, 1, 0]
    for value in (2, -1):
        with pytest.raises(OverflowError, match="from 0 to 1"):
            slot(kind, value)


@pytest.mark.parametrize("value", [True, np.int32(7), np.uint8(255), np.int64(-3)])
def test_what_is_an_integer_by_its_own_account_is_taken(slot, value):
    assert slot("i32", value) == int(value) & MASK


@pytest.mark.parametrize("value", [1.5, "7", None, [1], np.float32(2)])
def test_integer_parameter_refuses_other_types(slot, value):
    with pytest.raises(TypeError, match=r"parameter 'value' \(i32\): got .* pass an int") as error:
        slot("i32", value)
    assert type(value).__name__ in str(error.value)


SPECIAL = [0.0, -0.0, 1.0, -1.5, 1 / 3, 1e-8, 6e-8, 65504.0, 65519.99, 65520.0, 1e38, 3.5e38, 1e39, 1e300]
SPECIAL += [math.inf, -math.inf, 5e-324, 1e-45, 2.0**-149, 2.0**-150, math.pi, 1 + 2**-11, 1 + 3 * 2**-11]


@pytest.mark.parametrize("value", SPECIAL)
def test_floats_have_the_bits_that_numpy_gives(slot, value):
    with np.errstate(over="ignore", under="ignore"):
        assert slot("fp16", value) == np.float64(value).astype(np.float16).view(np.uint16)
        assert slot("fp32", value) == np.float64(value).astype(np.float32).view(np.uint32)
    assert slot("fp64", value) == struct.unpack("<Q", struct.pack("<d", value))[0]


@pytest.mark.parametrize("value", [np.float32(v) for v in (0, -2.5, 1 / 3, 3e38, 1e-40, 3.4e38, -1.00390625)])
def test_bf16_has_the_bits_that_torch_gives(slot, value):
    expected = torch.tensor(value).to(torch.bfloat16).view(torch.int16).item() & 0xFFFF
    assert slot("bf16", float(value)) == expected


def test_bf16_is_rounded_once_from_double(slot):
    # Just above the midpoint: through fp32 it would become the midpoint and round down to even.
    value = 1 + 2**-8 + 2**-40
    assert Fraction(value) > 1 + Fraction(1, 256)
    assert slot("bf16", value) == 0x3F81


@pytest.mark.parametrize(("kind", "quiet"), [("fp16", 0x7E00), ("bf16", 0x7FC0), ("fp32", 0x7FC00000)])
def test_nan_stays_nan(slot, kind, quiet):
    assert slot(kind, math.nan) & quiet == quiet


@pytest.mark.parametrize("value", [3, True, np.float32(1.5), np.float16(0.5), np.int64(2)])
def test_float_parameter_takes_every_real_number(slot, value):
    assert slot("fp64", value) == struct.unpack("<Q", struct.pack("<d", float(value)))[0]


@pytest.mark.parametrize("value", ["1.0", None, [1.0], 1j])
def test_float_parameter_refuses_other_types(slot, value):
    with pytest.raises(TypeError, match=r"parameter 'value' \(fp32\): got .* pass a float or an int"):
        slot("fp32", value)


def test_int_too_large_for_a_float_is_an_overflow_error(slot):
    with pytest.raises(OverflowError, match=r"parameter 'value' \(fp32\).*does not fit a float"):
        slot("fp32", 10**400)


def test_interrupt_in_a_conversion_is_not_swallowed(slot):
    class Interrupting:
        def __index__(self) -> int:
            raise KeyboardInterrupt

        __float__ = __index__

    for kind in ("i32", "fp32"):
        with pytest.raises(KeyboardInterrupt):
            slot(kind, Interrupting())


def test_foreign_error_in_a_conversion_becomes_the_cause(slot):
    class Broken:
        def __float__(self) -> float:
            raise RuntimeError("no number today")

    with pytest.raises(TypeError, match="parameter 'value'") as error:
        slot("fp32", Broken())
    assert "no number today" in str(error.value.__cause__)
