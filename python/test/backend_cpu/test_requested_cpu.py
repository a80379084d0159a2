# SPDX-License-Identifier: MIT
"""FLAGTREE_CPU and FLAGTREE_CPU_FEATURES: names that LLVM does not know are refused, and end no process."""

from __future__ import annotations

import platform

import pytest
import torch
import triton
import triton.language as tl

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="names of x86 processors")


@triton.jit
def double(x, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x + i, 2 * tl.load(x + i))


@pytest.mark.parametrize(
    ("cpu", "features", "reason"),
    [
        ("znver33", "", "no processor 'znver33'; did you mean 'znver3'"),
        ("", "+avx22", "no feature 'avx22'; did you mean 'avx2'"),
        ("", "avx2", r"needs a sign: '\+avx2'"),
    ],
)
def test_an_unknown_name_is_refused(
    monkeypatch: pytest.MonkeyPatch, cpu: str, features: str, reason: str
) -> None:
    monkeypatch.setenv("FLAGTREE_CPU", cpu)
    monkeypatch.setenv("FLAGTREE_CPU_FEATURES", features)
    with pytest.raises(Exception, match=reason) as caught:
        double[(1,)](torch.ones(16), BLOCK=16)
    assert "FLAGTREE_CPU" in str(caught.value)


def test_a_bare_processor_is_compiled_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAGTREE_CPU", "x86-64")
    x = torch.ones(1000)
    double[(1,)](x, BLOCK=512)
    assert x.tolist() == [2.0] * 512 + [1.0] * 488


@triton.jit
def convert(x, o, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(o + i, tl.load(x + i).to(o.dtype.element_ty))


#: Ties, subnormal numbers of fp16, what is beyond its greatest number, and what is none.
_EDGES = [
    0.0,
    -0.0,
    1.0,
    1 + 2**-11,
    1 + 3 * 2**-11,
    2**-24,
    2**-25,
    3 * 2**-25,
    -(2**-15),
    65504,
    65519.99,
    65520,
]
_VALUES = [*_EDGES, float("inf"), -float("inf"), float("nan"), 1 / 3]


@pytest.mark.parametrize("block", [1, 16])
@pytest.mark.parametrize("other", [torch.float32, torch.float64, torch.bfloat16])
@pytest.mark.parametrize("cpu", ["x86-64", "x86-64-v2", "x86-64-v3"])
def test_fp16_is_converted_with_and_without_instructions_for_it(
    monkeypatch: pytest.MonkeyPatch, cpu: str, other: torch.dtype, block: int
) -> None:
    monkeypatch.setenv("FLAGTREE_CPU", cpu)
    for source, target in ((other, torch.float16), (torch.float16, other)):
        x = torch.tensor(_VALUES, dtype=torch.float64).to(source)
        for start in range(0, 16, block):
            found = torch.zeros(block, dtype=target)
            convert[(1,)](x[start:], found, BLOCK=block)
            expected = x[start : start + block].to(target)
            torch.testing.assert_close(found, expected, rtol=0, atol=0, equal_nan=True)
