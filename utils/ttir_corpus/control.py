# SPDX-License-Identifier: MIT
"""Control flow, calls, loop attributes, assertions and printing, axis-information hints."""

from __future__ import annotations

import triton
import triton.language as tl

from .registry import case


@triton.jit(noinline=True)
def _polynomial(x, a, b):
    return a * x * x + b * x, x - a


@triton.jit
def _scaled(x, factor: tl.constexpr):
    if factor == 1:
        return x
    return x * factor


@triton.jit(noinline=True)
def _report(out, value):
    tl.store(out, value)


@case("x:*fp32 out:*fp32 a:fp32 n:i32", constants={"BLOCK": 128})
@triton.jit
def nested_calls(x, out, a, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    v = tl.load(x + offs, mask=mask)
    p, q = _polynomial(a, a + 1.0, 2.0)
    tl.store(out + offs, _scaled(v, 3) * p + _scaled(v, 1) * q, mask=mask)
    _report(out + n, a)


@case("x:*i32 out:*i32 n:i32")
@triton.jit
def while_loops(x, out, n):
    i = tl.program_id(0)
    total = 0
    while i < n:
        value = tl.load(x + i)
        while value > 0 and total < 1000:
            total += value % 10
            value //= 10
        i += tl.num_programs(0)
    tl.store(out, total)


@case("x:*fp32 out:*fp32 n:i32 k:i32", constants={"BLOCK": 128})
@triton.jit
def loop_attributes(x, out, n, k, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for i in tl.range(0, n, num_stages=4, flatten=True, warp_specialize=True):
        for j in tl.range(0, k, loop_unroll_factor=2, disallow_acc_multi_buffer=True):
            acc += tl.load(x + i * k + j * BLOCK + offs)
    for i in tl.static_range(0, 3):
        acc += i
    for i in range(n, 0, -1):
        acc *= i
    for i in tl.range(0, n, disable_licm=True):
        acc += tl.load(x + i)
    tl.store(out + offs, acc)


@case("x:*i32 out:*i32 n:i32 m:i64", constants={"BLOCK": 64})
@triton.jit
def branches(x, out, n, m, BLOCK: tl.constexpr):
    pid = tl.program_id(1)
    if pid >= n:
        return
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + offs)
    if pid == 0:
        value += 1
        step = m
    elif pid < n // 2:
        value -= 1
        step = m * 2
    else:
        step = m + 3
    flag = tl.sum(value, 0) > 10 if pid > 3 else False
    if flag:
        tl.store(out + offs + step, value)
    tl.store(out + offs, value if n > 5 else -value)


@case("x:*fp32 y:*u8 out:*fp32 n:i32", constants={"BLOCK": 64}, options={"debug": True})
@triton.jit
def assert_and_print(x, y, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.device_assert(offs < n, "offset past the end")
    value = tl.load(x + offs)
    byte = tl.load(y + offs)
    tl.device_assert(n > 0, "empty")
    tl.device_print("value", value, byte)
    tl.device_print("bits", n, hex=True)
    tl.device_print("here")
    tl.store(out + offs, value)


@case("x:*fp32 out:*fp32 n:i32", constants={"BLOCK": 256})
@triton.jit
def axis_hints(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(2) * BLOCK + tl.arange(0, BLOCK)
    offs = tl.max_contiguous(tl.multiple_of(offs, BLOCK), BLOCK)
    where = tl.max_constancy(offs // 4, 4)
    tl.assume(n >= 0)
    tl.store(out + offs, tl.load(x + where, mask=offs < n), mask=offs < n)


@case("x:*fp32 out:*fp32 n:i32", constants={"BLOCK": 256}, since=(3, 9))
@triton.jit
def dependent_launch(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.extra.cuda.gdc_wait()
    value = tl.load(x + offs, mask=offs < n)
    tl.extra.cuda.gdc_launch_dependents()
    tl.store(out + offs, value * 2, mask=offs < n)


@case("x:*fp32 out:*fp32 n:i32", aligned="x out n", constants={"BLOCK": 1024}, locations=True)
@triton.jit
def hinted_copy(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + offs, mask=offs < n)  # @hints: shared_memory
    tl.store(out + offs, value, mask=offs < n)
