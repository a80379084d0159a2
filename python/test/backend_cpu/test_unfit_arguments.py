# SPDX-License-Identifier: MIT
"""What no kernel can take is refused with the kernel's and the parameter's name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import triton
import triton.language as tl


@triton.jit
def copy_some(source, target, count, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(target + i, tl.load(source + i, mask=i < count), mask=i < count)


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        (torch.zeros(8, dtype=torch.complex64), ["complex64", "view_as_real"]),
        (torch.quantize_per_tensor(torch.zeros(8), 0.1, 0, torch.qint8), ["qint8", "dequantize"]),
        (torch.zeros(8).to_sparse(), ["address", "dense"]),
        ([1, 2, 3], ["list", "tl.constexpr"]),
        ("text", ["str", "tl.constexpr"]),
        ({}, ["dict"]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_unfit_argument_is_named(value: Any, parts: list[str]) -> None:
    with pytest.raises(TypeError, match="kernel `copy_some`, parameter `source`") as caught:
        copy_some[(1,)](value, torch.zeros(8), 8, BLOCK=8)
    assert all(part in str(caught.value) for part in parts), caught.value


def test_an_integer_beyond_64_bits_is_named() -> None:
    with pytest.raises(OverflowError, match=r"kernel `copy_some`, parameter `count`.*64 bits"):
        copy_some[(1,)](torch.zeros(8), torch.zeros(8), 2**70, BLOCK=8)


def test_errors_that_no_argument_causes_stay_as_they_are() -> None:
    with pytest.raises(TypeError) as caught:
        copy_some[(1,)](torch.zeros(8), BLOCK=8)
    assert "parameter `source`" not in str(caught.value)


def test_a_read_only_array_is_read_but_never_written(tmp_path: Path) -> None:
    file = tmp_path / "numbers"
    np.arange(64, dtype=np.float32).tofile(file)
    mapped, out = np.memmap(file, np.float32, "r"), np.zeros(64, np.float32)
    copy_some[(1,)](mapped, out, 64, BLOCK=64)
    assert (out == np.arange(64)).all()
    with pytest.raises(ValueError, match=r"kernel `copy_some`, parameter `target`: .* read-only"):
        copy_some[(1,)](out, mapped, 64, BLOCK=64)
