# SPDX-License-Identifier: MIT
"""Accuracy of functions of math against fp64, in units of the last place."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
import triton
import triton.language as tl
from kernel_data import blocks, check_guard, close, dtype_of, guarded, same, sample
from ulps import worst


@triton.jit
def exp(a):
    return tl.exp(a)


@triton.jit
def exp2(a):
    return tl.exp2(a)


@triton.jit
def log(a):
    return tl.log(a)


@triton.jit
def log2(a):
    return tl.log2(a)


@triton.jit
def sin(a):
    return tl.sin(a)


@triton.jit
def cos(a):
    return tl.cos(a)


@triton.jit
def sqrt(a):
    return tl.sqrt(a)


@triton.jit
def exact_sqrt(a):
    return tl.sqrt_rn(a)


@triton.jit
def rsqrt(a):
    return tl.rsqrt(a)


@triton.jit
def erf(a):
    return tl.erf(a)


@triton.jit
def floor(a):
    return tl.floor(a)


@triton.jit
def ceil(a):
    return tl.ceil(a)


@triton.jit
def sigmoid(a):
    return tl.sigmoid(a)


@triton.jit
def reciprocal(a):
    return 1 / a


@triton.jit
def unary(x, o, n, F: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(o + i, F(tl.load(x + i, mask=m, other=1.0)), mask=m)


@triton.jit
def unary_scalars(x, o, n, F: tl.constexpr):
    for i in range(n):
        tl.store(o + i, F(tl.load(x + i)))


def run(function: Any, x: Any, block: int = 128) -> Any:
    n = x.numel()
    o = guarded(n, str(x.dtype).removeprefix("torch."))
    unary[blocks(n, block)](x, o, n, F=function, B=block)
    check_guard(o, n)
    return o[:n]


def spread(low: float, high: float, name: str) -> Any:
    return torch.linspace(low, high, 1001, dtype=torch.float64).to(dtype_of(name))


#: function → (fp64 reference, lowest and highest argument, ulps allowed)
FUNCTIONS: dict[Any, tuple[Callable[[Any], Any], float, float, float]] = {
    exp: (torch.exp, -80, 80, 2),
    exp2: (torch.exp2, -100, 100, 2),
    log: (torch.log, 0.01, 100, 2),
    log2: (torch.log2, 0.01, 100, 2),
    sqrt: (torch.sqrt, 0, 100, 1),
    rsqrt: (torch.rsqrt, 0.01, 100, 2),
    erf: (torch.erf, -4, 4, 2),
}


def label(function: Any) -> str | None:
    return getattr(function, "__name__", None)


@pytest.mark.parametrize("name", ["float32", "float64"])
@pytest.mark.parametrize("function", FUNCTIONS, ids=label)
def test_accuracy(function: Any, name: str) -> None:
    reference, low, high, ulps = FUNCTIONS[function]
    x = spread(low, high, name)
    close(run(function, x), reference(x.double()), ulps)


@pytest.mark.parametrize("name", ["float32", "float64"])
@pytest.mark.parametrize(("function", "reference"), [(sin, torch.sin), (cos, torch.cos)], ids=label)
@pytest.mark.parametrize("reach", [1.0, 100.0])
def test_circular_functions(function: Any, reference: Any, reach: float, name: str) -> None:
    x = spread(-reach, reach, name)
    error = (run(function, x).double() - reference(x.double())).abs().max().item()
    assert error <= 4 * torch.finfo(x.dtype).eps


@pytest.mark.parametrize(("function", "reference"), [(floor, torch.floor), (ceil, torch.ceil)], ids=label)
@pytest.mark.parametrize("name", ["float32", "float64"])
def test_rounding_to_whole_numbers(function: Any, reference: Any, name: str) -> None:
    x = spread(-4, 4, name)
    same(run(function, x), reference(x))


def test_exact_square_root_is_rounded_once() -> None:
    x = spread(0, 100, "float32")
    same(run(exact_sqrt, x), x.double().sqrt().float())  # torch's own is off by a unit at times


@pytest.mark.parametrize("name", ["float32", "float64"])
def test_division(name: str) -> None:
    x = spread(0.5, 100, name)
    same(run(reciprocal, x), 1 / x)


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_half_precision_divides_through_fp32(name: str) -> None:
    x = spread(0.5, 100, name)
    same(run(reciprocal, x), (1 / x.float()).to(x.dtype))


@pytest.mark.parametrize("name", ["float32", "float64"])
def test_sigmoid(name: str) -> None:
    x = spread(-20, 20, name)
    close(run(sigmoid, x), x.double().sigmoid(), 8)


@pytest.mark.parametrize("function", [exp, exp2, log, log2, sqrt, rsqrt, sin, cos, erf], ids=label)
def test_special_values(function: Any) -> None:
    reference = {sin: torch.sin, cos: torch.cos}.get(function) or FUNCTIONS[function][0]
    x = torch.tensor([0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 1e-37, 1e-30, 200.0, -200.0])
    o, exact = run(function, x), reference(x.double()).float()
    kind = torch.isnan(exact), torch.isinf(exact)
    assert (torch.isnan(o) == kind[0]).all(), (x, o, exact)
    assert (o[kind[1]] == exact[kind[1]]).all(), (x, o, exact)
    finite = torch.isfinite(exact)
    torch.testing.assert_close(o[finite], exact[finite], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("function", "reference"),
    [(f, FUNCTIONS[f][0]) for f in (exp, exp2, log, log2, sqrt, rsqrt, erf)]
    + [(sin, torch.sin), (cos, torch.cos)],
    ids=label,
)
def test_two_units_over_all_fp32_numbers(function: Any, reference: Any) -> None:
    found = worst(lambda x: run(function, x, block=1024), reference)
    assert not found.wrong, f"wrong sign, infinity or NaN at {found.wrong} numbers, e.g. {found.wrong_at}"
    assert 0 < found.ulps <= 2, f"off by {found.ulps} ulps at {found.at}"


@pytest.mark.parametrize("function", [log, log2], ids=label)
def test_logarithms_of_denormals(function: Any) -> None:
    x = torch.tensor([1e-45, 1e-40, 1e-38])
    close(run(function, x), FUNCTIONS[function][0](x.double()), 2)


@pytest.mark.parametrize("function", FUNCTIONS, ids=label)
@pytest.mark.parametrize("name", ["float32", "float64"])
def test_scalars_have_the_accuracy_of_blocks(function: Any, name: str) -> None:
    reference, low, high, ulps = FUNCTIONS[function]
    x = spread(low, high, name)[::50].contiguous()
    o = guarded(x.numel(), name)
    unary_scalars[(1,)](x, o, x.numel(), F=function)
    check_guard(o, x.numel())
    close(o[: x.numel()], reference(x.double()), ulps)


@triton.jit
def narrow(x, o, n, F: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    v = tl.load(x + i, mask=m, other=1.0).to(tl.float32)
    tl.store(o + i, F(v), mask=m)


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
@pytest.mark.parametrize("function", [exp, log, sqrt, erf], ids=label)
def test_half_precision_through_fp32(function: Any, name: str) -> None:
    reference, low, high, _ = FUNCTIONS[function]
    x = spread(max(low, -8), min(high, 8), name)
    o = guarded(x.numel(), name)
    narrow[blocks(x.numel(), 128)](x, o, x.numel(), F=function, B=128)
    check_guard(o, x.numel())
    close(o[: x.numel()], reference(x.double()), 0.51)


@triton.jit
def fused(x, y, z, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.fma(tl.load(x + i), tl.load(y + i), tl.load(z + i)))


@pytest.mark.parametrize("name", ["float32", "float64"])
def test_fma_rounds_once(name: str) -> None:
    eps = torch.finfo(dtype_of(name)).eps
    x = torch.full((64,), 1 + eps, dtype=dtype_of(name))
    z, o = torch.full_like(x, -(1 + 2 * eps)), torch.zeros_like(x)
    fused[(1,)](x, x, z, o, B=64)
    assert (o == eps * eps).all(), "the product was rounded before the sum"


@triton.jit
def quotients(x, y, o, p, q, B: tl.constexpr):
    i = tl.arange(0, B)
    a, b = tl.load(x + i), tl.load(y + i)
    tl.store(o + i, a / b)
    tl.store(p + i, tl.div_rn(a, b))
    tl.store(q + i, tl.fdiv(a, b))


def test_every_division_of_fp32_is_rounded_once() -> None:
    x, y = sample("float32", 256), sample("float32", 256)
    results = [torch.zeros(256) for _ in range(3)]
    quotients[(1,)](x, y, *results, B=256)
    for result in results:
        same(result, x / y)


@triton.jit
def float_remainder(x, y, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i) % tl.load(y + i))


@pytest.mark.parametrize("name", ["float32", "float64"])
def test_remainder_of_floats_has_the_sign_of_the_dividend(name: str) -> None:
    x, y, o = sample(name, 64), sample(name, 64), torch.zeros(64, dtype=dtype_of(name))
    float_remainder[(1,)](x, y, o, B=64)
    same(o, torch.fmod(x, y))
