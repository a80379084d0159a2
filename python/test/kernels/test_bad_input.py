# SPDX-License-Identifier: MIT
"""Input that goes wrong elsewhere: the right result, or an error with kernel, line or parameter, and remedy."""

from __future__ import annotations

import mmap
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import torch
import triton
import triton.language as tl

from flagtree.compiler.errors import KernelCompileError

BIG = 1 << 20
MAP_NORESERVE = getattr(mmap, "MAP_NORESERVE", 0x4000)


@triton.jit
def normalize(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    e = tl.exp(tl.load(x + i, mask=i < n, other=-float("inf")))
    tl.store(o + i, e / tl.sum(e, 0), mask=i < n)


@triton.jit
def ring(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i)
    b = a + 1
    c = a + 2
    for _ in range(n):
        a, b, c = b, c, a + b + c
    tl.store(o + i, a)


OUT_OF_MEMORY = """
import resource, sys
import numpy as np
import flagtree
sys.path.insert(0, {folder!r})
flagtree.use("cpu")
import test_bad_input as own
x, o = np.zeros(own.BIG), np.zeros(own.BIG)
own.ring[(2,)](x, o, 3, B=16)
own.ring.warmup(x, o, 3, B=own.BIG, grid=(1,))
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * 4096 + (4 << 20),) * 2)
for _ in range(2):
    try:
        own.ring[(2,)](x, o, 3, B=own.BIG)
    except MemoryError as error:
        print(error)
own.ring[(2,)](x, o, 1, B=16)
print("alive", o[0] == 1)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space")
def test_a_lack_of_memory_is_an_exception_and_the_process_lives() -> None:
    code = OUT_OF_MEMORY.format(folder=__file__.rpartition("/")[0])
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=300
    )
    lines = done.stdout.splitlines()
    assert len(lines) == 3 and lines[2] == "alive True", done.stderr
    for line in lines[:2]:
        assert "kernel 'ring'" in line and "bytes" in line and "smaller blocks" in line


@triton.jit
def shift_rows(x, o, n, R: tl.constexpr, C: tl.constexpr):
    at = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    v = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(o + at, v - tl.sum(v, 1)[:, None] + tl.max(v, 0)[None, :], mask=at < n)


def test_a_block_of_a_million_elements() -> None:
    x, o = np.random.default_rng(0).random(BIG, np.float32), np.zeros(BIG, np.float32)
    normalize[(1,)](x, o, BIG - 7, B=BIG)
    e = np.exp(x[:-7].astype(np.float64))
    np.testing.assert_allclose(o[:-7], e / e.sum(), rtol=1e-5)
    assert not o[-7:].any()
    shift_rows[(1,)](x, o, BIG, R=1024, C=1024)
    tile = x.reshape(1024, 1024).astype(np.float64)
    expected = tile - tile.sum(1)[:, None] + tile.max(0)[None, :]
    np.testing.assert_allclose(o.reshape(1024, 1024), expected, rtol=1e-4, atol=1e-3)


@triton.jit
def many_uses(x, i, o, n, B: tl.constexpr):
    """Structured, indirect and atomic accesses behind one bound."""
    at = tl.arange(0, B)
    inside = at < n
    v = tl.load(x + at, mask=inside, other=1)
    w = tl.load(x + tl.load(i + at, mask=inside, other=0), mask=inside, other=2)
    tl.atomic_add(o, tl.sum(v + w, 0))
    tl.atomic_add(o + 1 + at, v, mask=inside)
    tl.store(x + at, v + w, mask=inside)


@pytest.mark.parametrize("n", [-(2**31), -1000, -1, 0])
def test_negative_extents_are_empty(n: int) -> None:
    x, i, o = np.arange(64, dtype=np.int32), np.full(64, 10**9, np.int32), np.zeros(65, np.int32)
    many_uses[(2,)](x, i, o, n, B=64)
    np.testing.assert_array_equal(x, np.arange(64))
    assert o[0] == 2 * 64 * 3 and not o[1:].any()


@triton.jit
def copy(x, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, mask=i < n), mask=i < n)


@pytest.mark.parametrize("make", [lambda n: np.zeros(n, np.float32), torch.zeros], ids=["numpy", "torch"])
def test_arguments_of_no_elements(make: Any) -> None:
    copy[(1,)](make(0), make(0), 0, B=32)
    copy[(0,)](make(0), make(0), 0, B=32)
    o = make(4)
    copy[(0, 5)](make(4) + 1, o, 4, B=32)
    assert not o.any()


@triton.jit
def strided(x, o, rows, cols, sr, sc, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.arange(0, R)[:, None], tl.arange(0, C)[None, :]
    inside = (r < rows) & (c < cols)
    tl.store(o + r * cols + c, tl.load(x + r * sr + c * sc, mask=inside), mask=inside)


@pytest.mark.parametrize(
    "view",
    [
        lambda t: t.t(),
        lambda t: t[::2, 1::3],
        lambda t: t[3:4].expand(9, -1),
        lambda t: t[:, 5:6].expand(-1, 9),
        lambda t: t.flatten().as_strided((7, 9), (1, 1)),  # windows that overlap
    ],
)
def test_views_that_are_not_contiguous(view: Any) -> None:
    x = view(torch.randn(24, 20))
    o = torch.zeros(x.shape)
    strided[(1,)](x, o, *x.shape, *x.stride(), R=32, C=32)
    assert torch.equal(o, x.contiguous())


def test_steps_of_numpy_that_go_backwards() -> None:
    x = np.arange(24 * 20, dtype=np.float32).reshape(24, 20)[::-1, ::-2]
    o = np.zeros(x.shape, np.float32)
    strided[(1,)](x, o, *x.shape, *(step // 4 for step in x.strides), R=32, C=32)
    np.testing.assert_array_equal(o, x)


@triton.jit
def far(x, o, distance, B: tl.constexpr):
    pid = tl.program_id(0)
    start = pid.to(tl.int64) * distance
    i = tl.arange(0, B)
    tl.store(o + pid * B + i, tl.load(x + start + i))
    tl.store(x + start + i.to(tl.int64), tl.load(o + pid * B + i) + 1)
    tl.atomic_add(x.to(tl.pointer_type(tl.int32)) + (start // 4 + i), 1 << 8)


@pytest.mark.skipif(sys.platform != "linux", reason="memory that is not there until it is touched")
@pytest.mark.parametrize("distance", [2**31 - 64, 2**31, 2**32 + 4])
def test_offsets_beyond_31_bits(distance: int) -> None:
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_NORESERVE
    memory = mmap.mmap(-1, 2 * distance + 4096, flags=flags)
    x = np.frombuffer(memory, np.int8)
    for pid in range(3):
        x[pid * distance : pid * distance + 32] = pid + 1
    o = np.zeros(96, np.int8)
    far[(3,)](x, o, distance, B=32)
    np.testing.assert_array_equal(o, np.repeat([1, 2, 3], 32).astype(np.int8))
    for pid in range(3):
        part = x[pid * distance : pid * distance + 128]
        expected = np.zeros(128, np.int8)
        expected[:32] = pid + 2
        expected[1::4] += 1
        np.testing.assert_array_equal(part, expected)


@triton.jit
def gather_far(x, i, o, B: tl.constexpr):
    at = tl.arange(0, B)
    tl.store(o + at, tl.load(x + tl.load(i + at)))


@pytest.mark.skipif(sys.platform != "linux", reason="memory that is not there until it is touched")
def test_loaded_indices_beyond_31_bits() -> None:
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_NORESERVE
    x = np.frombuffer(mmap.mmap(-1, 2**33 + 4096, flags=flags), np.int16)
    places = np.array([0, 2**31 - 1, 2**31, 2**32, 2**32 + 7, 5, 2**30, 2**31 + 2**30], np.int64)
    x[places] = np.arange(1, 9)
    o = np.zeros(8, np.int16)
    gather_far[(1,)](x, places, o, B=8)
    np.testing.assert_array_equal(o, np.arange(1, 9))


@triton.jit
def maybe(x, bias, o, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    if bias is not None:
        v += tl.load(bias + i)
    tl.store(o + i, v)


def test_an_argument_that_is_none() -> None:
    x, o = np.arange(16, dtype=np.float32), np.zeros(16, np.float32)
    maybe[(1,)](x, None, o, B=16)
    np.testing.assert_array_equal(o, x)
    maybe[(1,)](x, x, o, B=16)
    np.testing.assert_array_equal(o, 2 * x)


def test_a_tensor_whose_memory_was_freed_is_named() -> None:
    x, o = torch.zeros(32), torch.zeros(32)
    x.untyped_storage().resize_(0)
    with pytest.raises(ValueError, match=r"kernel 'copy', parameter 'x'.*freed"):
        copy[(1,)](x, o, 32, B=32)


def test_a_tensor_of_another_device_is_named() -> None:
    with pytest.raises(ValueError, match=r"parameter 'x'.*meta.*CPU"):
        copy[(1,)](torch.zeros(32, device="meta"), torch.zeros(32), 32, B=32)


@triton.jit
def assembly(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    w = tl.inline_asm_elementwise("neg.s32 $0, $1;", "=r,r", [v], dtype=tl.int32, is_pure=True, pack=1)
    tl.store(o + i, w)


def test_assembly_of_a_gpu_is_refused_with_line_and_remedy() -> None:
    x, o = np.zeros(32, np.int32), np.zeros(32, np.int32)
    with pytest.raises(KernelCompileError) as raised:
        assembly[(1,)](x, o, B=32)
    text = str(raised.value)
    assert "kernel `assembly`" in text and "tt.elementwise_inline_asm" in text
    assert f"{__file__}:" in text and "triton.language" in text


def test_a_kernel_of_gluon_is_refused_with_its_line_and_remedy() -> None:
    gluon = pytest.importorskip("triton.experimental.gluon")
    language = pytest.importorskip("triton.experimental.gluon.language")

    @gluon.jit
    def layouts(o):
        language.store(o, 1)

    layouts.fn.__globals__["language"] = language
    with pytest.raises(KernelCompileError) as raised:
        layouts[(1,)](np.zeros(1, np.int32))
    text = str(raised.value)
    assert "kernel `layouts`" in text and f"{__file__}:" in text and "triton.language" in text


if hasattr(tl.extra.cuda, "gdc_wait") and hasattr(tl, "atomic_load"):

    @triton.jit
    def dependent(x, o, B: tl.constexpr):
        i = tl.arange(0, B)
        tl.extra.cuda.gdc_wait()
        tl.store(o + i, tl.load(x + i))
        tl.extra.cuda.gdc_launch_dependents()

    def test_dependent_launches_follow_each_other_anyway() -> None:
        x, o = np.arange(32, dtype=np.int32), np.zeros(32, np.int32)
        dependent[(1,)](x, o, B=32)
        np.testing.assert_array_equal(o, x)
