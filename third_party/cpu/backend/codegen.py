# SPDX-License-Identifier: MIT
"""What Triton's front end asks a backend while it makes IR."""

from __future__ import annotations

from typing import Any


def min_dot_size(lhs_type: Any, rhs_type: Any) -> tuple[int, int, int]:
    """Smallest (m, n, k) of a dot: no matrix unit sets a limit here."""
    return (1, 1, 1)


def convert_custom_types(
    value: Any, dtype: Any, fp_downcast_rounding: Any = None, _semantic: Any = None
) -> Any:
    """Conversions from and to fp8e4b15, a type that only the front end knows: in IR it is an integer of 8 bits.

    Four bits of exponent with the bias of fp16, three of mantissa, neither infinity nor NaN: what is beyond 1.875, NaN
    as well, becomes that. Rounded to nearest even; `fp_downcast_rounding` may be "rtz" instead.
    """
    import triton.language as tl

    if value.dtype.scalar == tl.float8e4b15:
        return _semantic.cast(_from_fp8e4b15(value, _semantic, tl), dtype)
    code = _to_fp8e4b15(_semantic.cast(value, _like(value, tl.float32)), fp_downcast_rounding, _semantic, tl)
    return _semantic.bitcast(code, dtype)


def _like(value: Any, scalar: Any) -> Any:
    """The type of `value` with another element."""
    return value.type.with_element_ty(scalar) if value.type.is_block() else scalar


def _from_fp8e4b15(value: Any, ops: Any, tl: Any) -> Any:
    """The same number in fp16: the code's digits are fp16's first ones."""
    code = ops.cast(ops.bitcast(value, _like(value, tl.uint8)), _like(value, tl.uint16))
    size = ops.shl(ops.and_(code, 0x7F), 7)
    sign = ops.shl(ops.and_(code, 0x80), 8)
    return ops.bitcast(ops.or_(size, sign), _like(value, tl.float16))


def _to_fp8e4b15(value: Any, rounding: Any, ops: Any, tl: Any) -> Any:
    """The code of a number in fp32; the steps are those of cpu-expand-casts for the other formats."""
    mode = getattr(rounding, "name", str(rounding or "")).lower()
    integers, floats = _like(value, tl.int32), _like(value, tl.float32)
    shift, rebase = 20, (127 - 15) << 23
    bits = ops.bitcast(value, integers)
    size = ops.and_(bits, 0x7FFFFFFF)
    most = (0x7F << shift) + rebase
    size = ops.where(ops.less_than(size, most), size, most)
    small = ops.less_than(size, rebase + (1 << 23))
    number = ops.bitcast(size, floats)
    normal = ops.sub(size, rebase, False)
    if mode == "rtz":
        # In steps of the least subnormal number; what is no small number is not used.
        below = ops.where(small, number, 0.0)
        subnormal = ops.cast(ops.mul(below, 2.0**17, False), integers)
    else:
        last = ops.and_(ops.lshr(size, shift), 1)
        normal = ops.add(ops.add(normal, (1 << (shift - 1)) - 1, False), last, False)
        rounder = 64.0  # its last digit is the least subnormal number
        subnormal = ops.sub(ops.bitcast(ops.add(number, rounder, False), integers), 0x42800000, False)
    code = ops.where(small, subnormal, ops.lshr(normal, shift))
    sign = ops.and_(ops.lshr(bits, 24), 0x80)
    return ops.cast(ops.or_(code, sign), _like(value, tl.uint8))
