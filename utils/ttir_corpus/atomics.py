# SPDX-License-Identifier: MIT
"""Atomic operations and locks."""

from __future__ import annotations

import triton
import triton.language as tl

from .registry import case


@case("p:*i32 u:*u32 f:*fp32 h:*fp16 n:i32", constants={"BLOCK": 64})
@triton.jit
def atomic_kinds(p, u, f, h, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    mask = offs < n
    old = tl.atomic_add(p + offs, 1, mask=mask)
    old = tl.atomic_max(p + offs, old, mask=mask, sem="acquire")
    old = tl.atomic_min(p + offs, old, mask=mask, sem="release", scope="cta")
    old = tl.atomic_and(p + offs, old, sem="relaxed", scope="sys")
    old = tl.atomic_or(p + offs, old)
    old = tl.atomic_xor(p + offs, old)
    old = tl.atomic_xchg(p + offs, old)
    tl.atomic_max(u + offs, old.to(tl.uint32))
    tl.atomic_min(u + offs, old.to(tl.uint32))
    tl.atomic_add(f + offs, 1.0)
    tl.atomic_max(f + offs, 2.0)
    tl.atomic_add(h + offs, old.to(tl.float16), mask=mask)
    tl.atomic_add(p, 1)


@case("lock:*i32 total:*fp32 x:*fp32", constants={"BLOCK": 128})
@triton.jit
def cas_lock(lock, total, x, BLOCK: tl.constexpr):
    part = tl.sum(tl.load(x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)))
    while tl.atomic_cas(lock, 0, 1, sem="acquire") == 1:
        pass
    tl.store(total, tl.load(total) + part)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0, sem="release")
    offs = tl.arange(0, 32)
    tl.atomic_cas(lock + offs, offs, offs + 1)


@case("flag:*i32 data:*fp32 n:i32", constants={"BLOCK": 64}, since=(3, 9))
@triton.jit
def atomic_load_store(flag, data, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    mask = offs < n
    ready = tl.atomic_poll(flag, 1)
    late = tl.atomic_poll(flag + offs, offs, sem="relaxed", scope="sys", timeout_ns=1000)
    value = tl.atomic_load(data + offs, mask=mask & late & ready)
    tl.atomic_store(data + n + offs, value, mask=mask)
    tl.atomic_store(flag, tl.atomic_load(flag, sem="relaxed", scope="sys") + 1, sem="relaxed")
