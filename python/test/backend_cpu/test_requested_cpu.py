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
