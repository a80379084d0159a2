# SPDX-License-Identifier: MIT
"""What the backend cannot compile yet is refused with the operation, the kernel and the line; nothing crashes."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from refused_kernels import looping_combiner

from flagtree.compiler.errors import KernelCompileError

CASES = {
    looping_combiner: "tt.reduce",
}


@pytest.mark.parametrize("kernel", CASES, ids=lambda k: getattr(k, "__name__", None))
def test_an_operation_without_a_lowering_is_named(kernel: Any) -> None:
    x = torch.ones(32, 32)
    o = torch.zeros_like(x)
    with pytest.raises(KernelCompileError) as raised:
        kernel[(1,)](x, o, B=32)
    text = str(raised.value)
    assert CASES[kernel] in text and kernel.__name__ in text and "refused_kernels.py:" in text
    assert not o.any()
