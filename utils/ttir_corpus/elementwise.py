# SPDX-License-Identifier: MIT
"""Kernels that treat each element on its own: arithmetic, casts, cache policies, random numbers, libdevice."""

from __future__ import annotations

import triton
import triton.language as tl
from triton.language.extra import libdevice

from .registry import case


@case("x:*fp32 y:*fp32 out:*fp32 n:i32", aligned="x y out n", constants={"BLOCK": 1024}, locations=True)
@triton.jit
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    a = tl.load(x + offs, mask=mask)
    b = tl.load(y + offs, mask=mask)
    tl.store(out + offs, a + b, mask=mask)


@case("x:*fp16 out:*fp16 n:i32", aligned="x out", constants={"BLOCK": 512})
@triton.jit
def cache_policies(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    a = tl.load(x + offs, mask=mask, other=0.0, cache_modifier=".cg", eviction_policy="evict_first")
    b = tl.load(x + offs, mask=mask, other=1.0, eviction_policy="evict_last")
    c = tl.load(x + offs, mask=mask, volatile=True)
    d = tl.load(x + offs, cache_modifier=".ca")
    e = tl.load(x + offs, cache_modifier=".cv", volatile=True)
    tl.store(out + offs, a + b + c + d + e, mask=mask, cache_modifier=".wt", eviction_policy="evict_first")
    tl.store(out + n + offs, a, cache_modifier=".cs")


@case("x:*fp32 out:*fp32 n:i32", aligned="x out", constants={"BLOCK": 256})
@triton.jit
def math_functions(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    a = tl.load(x + offs, mask=mask, other=1.0)
    r = tl.exp(a) + tl.exp2(a) + tl.log(a) + tl.log2(a)
    r += tl.sin(a) * tl.cos(a) - tl.sqrt(a) / tl.rsqrt(a)
    r += tl.erf(a) + tl.floor(a) + tl.ceil(a) + tl.abs(a)
    r += tl.math.sqrt_rn(a) + tl.math.div_rn(a, r) + tl.fma(a, a, r)
    r = tl.maximum(r, a) + tl.minimum(r, a, propagate_nan=tl.PropagateNan.ALL)
    r += tl.sigmoid(a) + a % 3.0
    tl.store(out + offs, r, mask=mask)


@case("x:*fp32 out:*fp32 lo:fp32 hi:fp32 n:i32", constants={"BLOCK": 256})
@triton.jit
def clamp(x, out, lo, hi, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    a = tl.load(x + offs, mask=mask)
    b = tl.clamp(a, lo, hi)
    c = tl.clamp(a, lo, hi, propagate_nan=tl.PropagateNan.ALL)
    tl.store(out + offs, b + c, mask=mask)


@case("x:*fp32 out:*fp8e5 back:*fp16 n:i32", constants={"BLOCK": 128})
@triton.jit
def fp8_casts(x, out, back, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    a = tl.load(x + offs, mask=mask)
    narrow = a.to(tl.float8e5, fp_downcast_rounding="rtne")
    other = a.to(tl.float8e4nv, fp_downcast_rounding="rtne").to(tl.float16)
    toward_zero = a.to(tl.float16, fp_downcast_rounding="rtz")
    brain = a.to(tl.bfloat16).to(tl.float32).to(tl.float16)
    bits = a.to(tl.int32, bitcast=True).to(tl.float16)
    tl.store(out + offs, narrow, mask=mask)
    tl.store(back + offs, narrow.to(tl.float16) + other + toward_zero + brain + bits, mask=mask)


@case("x:*i64 y:*u32 z:*i8 out:*i64 n:i64", constants={"BLOCK": 128})
@triton.jit
def integer_ops(x, y, z, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    a = tl.load(x + offs, mask=mask, other=1)
    b = tl.load(y + offs, mask=mask, other=1)
    c = tl.load(z + offs, mask=mask, other=1)
    high = tl.umulhi(b, b + 3)
    r = a // 7 + a % 5 - (a << 2) + (a >> 1) + (a & 15 | 3 ^ a)
    u = b // 3 + b % 11 + (b >> 4)
    wide = r + u.to(tl.int64) + high.to(tl.int64) + c.to(tl.int64) + (-c) + ~a
    wide = tl.where(a > 0, wide, tl.abs(a))
    wide = tl.maximum(wide, a) + tl.minimum(b, 9).to(tl.int64)
    tl.store(out + offs, wide + (a != b) + (b >= 4) + c.to(tl.uint8), mask=mask)


@case("x:*fp32 out:*fp32 n:i32 p:fp32 seed:i32", constants={"BLOCK": 512})
@triton.jit
def dropout(x, out, n, p, seed, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    a = tl.load(x + offs, mask=mask)
    keep = tl.rand(seed, offs) > p
    noise = tl.randn(seed, offs)
    tl.store(out + offs, tl.where(keep, a / (1 - p), 0.0) + noise, mask=mask)


@case("x:*fp32 out:*fp32 n:i32", constants={"BLOCK": 256})
@triton.jit
def libdevice_calls(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    a = tl.load(x + offs, mask=mask)
    r = libdevice.tanh(a) + libdevice.pow(a, a) + libdevice.asin(a)
    tl.store(out + offs, r, mask=mask)


@case("x:*i32 y:*fp32 out:*i32 n:i32", constants={"BLOCK": 256})
@triton.jit
def inline_assembly(x, y, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    a = tl.load(x + offs, mask=mask)
    f = tl.load(y + offs, mask=mask)
    r = tl.inline_asm_elementwise(
        "shf.l.wrap.b32 $0, $1, $1, 7;", "=r,r", [a], dtype=tl.int32, is_pure=True, pack=1
    )
    s, t = tl.inline_asm_elementwise(
        "mov.b32 $0, $2; mov.b32 $1, $3;",
        "=r,=r,r,r",
        [r, f],
        dtype=(tl.int32, tl.float32),
        is_pure=False,
        pack=1,
    )
    tl.store(out + offs, s + t.to(tl.int32), mask=mask)


@triton.jit
def _ordering(a, b):
    if a < b:
        return -1
    elif a == b:
        return 0
    else:
        return 1


@case("x:*i32 y:*i32 out:*i32 n:i32", constants={"BLOCK": 256})
@triton.jit
def map_elementwise(x, y, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    a = tl.load(x + offs, mask=mask)
    b = tl.load(y + offs, mask=mask)
    tl.store(out + offs, tl.map_elementwise(_ordering, a, b), mask=mask)


@case("flags:*i1 out:*i1 n:i32", constants={"BLOCK": 256})
@triton.jit
def booleans(flags, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    a = tl.load(flags + offs, mask=mask, other=False)
    tl.store(out + offs, ~a & (offs % 2 == 0), mask=mask)


@case("addresses:*i64 out:*fp32 n:i32", constants={"BLOCK": 64})
@triton.jit
def pointers_from_integers(addresses, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    rows = tl.load(addresses + offs, mask=mask, other=0)
    values = tl.load(rows.to(tl.pointer_type(tl.float32)), mask=mask)
    scalar = tl.load(addresses).to(tl.pointer_type(tl.float32))
    back = (scalar + 1).to(tl.int64)
    tl.store(out + offs, values + tl.load(scalar) + back.to(tl.float32), mask=mask)


@case("table:*kfp32 codes:*ku8 out:*fp32 n:i32", aligned="table out", constants={"BLOCK": 256})
@triton.jit
def const_pointers(table, codes, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    code = tl.load(codes + offs, mask=mask, other=0)
    scale = tl.load(table)
    tl.store(out + offs, tl.load(table + code, mask=mask) * scale, mask=mask)


@case("x:*u8 out:*u8 n:i32", constants={"BLOCK": 256})
@triton.jit
def packed_assembly(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    a = tl.load(x + offs, mask=mask)
    r = tl.inline_asm_elementwise(
        "lop3.b32 $0, $1, $1, 0, 0x55;", "=r,r", [a], dtype=tl.uint8, is_pure=True, pack=4
    )
    tl.store(out + offs, r, mask=mask)


@case("x:*fp32 out:*fp32 n:i32", constants={"BLOCK": 128})
@triton.jit
def other_fp8_formats(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    a = tl.load(x + offs, mask=mask)
    bits = a.to(tl.uint32, bitcast=True).to(tl.uint8)
    b = bits.to(tl.float8e4b15, bitcast=True).to(tl.float32)
    tl.store(out + offs, b + a.to(tl.float64).to(tl.float32), mask=mask)
