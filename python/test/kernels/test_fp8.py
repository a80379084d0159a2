# SPDX-License-Identifier: MIT
"""8-bit floats: every code, and numbers of all sizes rounded to them, against torch."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import triton
import triton.language as tl
from kernel_data import FLOATS, check_guard, dtype_of, guarded, same

#: name in the language → torch's type, largest finite number
FORMATS = {
    "float8e4nv": (torch.float8_e4m3fn, 448.0),
    "float8e5": (torch.float8_e5m2, 57344.0),
    "float8e4b8": (torch.float8_e4m3fnuz, 240.0),
    "float8e5b16": (torch.float8_e5m2fnuz, 57344.0),
}


@triton.jit
def widen(x, o, T: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i).to(T, bitcast=True).to(o.dtype.element_ty))


@triton.jit
def narrow(x, o, n, T: tl.constexpr, MODE: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    v = tl.load(x + i, mask=m).to(T, fp_downcast_rounding=MODE)
    tl.store(o + i, v.to(tl.uint8, bitcast=True), mask=m)


def codes() -> Any:
    return torch.arange(256, dtype=torch.int32).to(torch.uint8)


def run_narrow(x: Any, name: str, mode: str | None = None) -> Any:
    n = x.numel()
    o = guarded(n, "uint8")
    narrow[(triton.cdiv(n, 1024),)](x, o, n, T=getattr(tl, name), MODE=mode, B=1024)
    check_guard(o, n)
    return o[:n]


@pytest.mark.parametrize("to", FLOATS)
@pytest.mark.parametrize("name", FORMATS)
def test_every_code(name: str, to: str) -> None:
    exact = codes().view(FORMATS[name][0]).double()
    o = torch.zeros(256, dtype=dtype_of(to))
    widen[(1,)](codes(), o, T=getattr(tl, name), B=256)
    same(o, exact.to(dtype_of(to)))
    number = ~torch.isnan(exact)
    assert (torch.signbit(o) == torch.signbit(exact))[number].all()


@pytest.mark.parametrize("name", FORMATS)
def test_every_code_stays(name: str) -> None:
    exact = codes().view(FORMATS[name][0]).float()
    o = run_narrow(exact, name)
    kept = torch.isfinite(exact)
    assert (o == codes())[kept].all()
    assert torch.isnan(o.view(FORMATS[name][0]).float())[torch.isnan(exact)].all()


def numbers(most: float) -> Any:
    """fp32 numbers of all sizes up to `most`, and the halves between all 8-bit numbers with their neighbours."""
    bits = torch.arange(-(1 << 31), 1 << 31, 65_521, dtype=torch.int64).to(torch.int32)
    return torch.cat([bits.view(torch.float32), torch.linspace(-most, most, 4099), torch.randn(4099)])


def halves(torch_type: Any) -> Any:
    exact = codes().view(torch_type).float()
    ordered = exact[torch.isfinite(exact)].unique()
    middle = (ordered[1:] + ordered[:-1]) / 2
    return torch.cat([middle, torch.nextafter(middle, middle + 1), torch.nextafter(middle, middle - 1)])


@pytest.mark.parametrize("source", FLOATS)
@pytest.mark.parametrize("name", FORMATS)
def test_numbers_round_to_nearest_even(name: str, source: str) -> None:
    torch_type, most = FORMATS[name]
    x = torch.cat([numbers(most), halves(torch_type)]).to(dtype_of(source))
    x = x[x.double().abs() <= most]
    o = run_narrow(x, name).view(torch_type)
    same(o.float(), x.float().to(torch_type).float())


@pytest.mark.parametrize("name", FORMATS)
def test_fp64_is_rounded_once(name: str) -> None:
    torch_type, most = FORMATS[name]
    middle = halves(torch_type).double()
    x = torch.cat([middle * (1 + 2.0**-40), middle * (1 - 2.0**-40)])
    x = x[x.abs() <= most]
    table = codes().view(torch_type).double()
    table = table[torch.isfinite(table)].unique()
    nearest = table[(x.unsqueeze(1) - table).abs().argmin(1)]
    same(run_narrow(x, name).view(torch_type).double().abs(), nearest.abs())


@pytest.mark.parametrize("name", FORMATS)
def test_numbers_round_towards_zero(name: str) -> None:
    torch_type, most = FORMATS[name]
    x = torch.cat([numbers(most), halves(torch_type)])
    x = x[x.abs() <= most]
    table = codes().view(torch_type).double()
    table = table[torch.isfinite(table) & (table >= 0)].unique()
    below = table[torch.searchsorted(table, x.double().abs(), right=True) - 1]
    o = run_narrow(x, name, "rtz").view(torch_type).double()
    same(o.abs(), below)
    assert (o * x.double() >= 0).all()


@pytest.mark.parametrize("source", FLOATS)
@pytest.mark.parametrize("name", FORMATS)
def test_what_is_too_large_becomes_the_largest(name: str, source: str) -> None:
    torch_type, most = FORMATS[name]
    x = torch.tensor([most * 1.1, 1e5, 6e4, float("inf")]).to(dtype_of(source))
    x = torch.cat([x[x.double() > most], torch.tensor([float("nan")]).to(x.dtype)])
    for sign in (1, -1):
        o = run_narrow(sign * x, name).view(torch_type).double()
        assert (o[:-1] == sign * most).all() and torch.isnan(o[-1])


@triton.jit
def storage(x, w, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    m = i < n
    v = tl.load(x + i, mask=m, other=0.0).to(tl.float32)
    s = tl.load(w + i, mask=m, other=0.0).to(tl.float32)
    tl.store(o + i, tl.where(v > s, v, s).to(o.dtype.element_ty), mask=m)


@pytest.mark.parametrize("name", FORMATS)
def test_blocks_of_torch_tensors(name: str) -> None:
    torch_type, _ = FORMATS[name]
    x, w = torch.randn(67).to(torch_type), torch.randn(67).to(torch_type)
    o = torch.zeros(75).to(torch_type)
    storage[(1,)](x, w, o, 67, B=128)
    same(o[:67].float(), torch.maximum(x.float(), w.float()))
    assert (o[67:].float() == 0).all()


@triton.jit
def arithmetic(x, y, o, B: tl.constexpr):
    i = tl.arange(0, B)
    a, b = tl.load(x + i), tl.load(y + i)
    tl.store(o + i, tl.where(a > b, (a * b).to(tl.float32), (a + b).to(tl.float32)))


@pytest.mark.parametrize("name", ["float8e5", "float8e4nv"])
def test_arithmetic_rounds_each_result(name: str) -> None:
    torch_type, _ = FORMATS[name]
    x, y = (torch.randn(64).to(torch_type) for _ in range(2))
    o = torch.zeros(64)
    arithmetic[(1,)](x, y, o, B=64)
    a, b = x.float(), y.float()
    same(o, torch.where(a > b, a * b, a + b).to(torch_type).float())


def fp8e4b15(code: Any) -> Any:
    """The numbers of that format, which torch does not have."""
    code = code.to(torch.int64)
    exponent, digits = code >> 3 & 15, (code & 7).double()
    size = torch.where(exponent > 0, (1 + digits / 8) * 2.0 ** (exponent - 15.0), digits * 2.0**-17)
    return torch.where(code >= 128, -size, size)


@pytest.mark.parametrize("to", ["float16", "float32", "bfloat16"])
def test_every_code_of_fp8e4b15(to: str) -> None:
    o = torch.zeros(256, dtype=dtype_of(to))
    widen[(1,)](codes(), o, T=tl.float8e4b15, B=256)
    same(o, fp8e4b15(codes()).to(dtype_of(to)))


@pytest.mark.parametrize("mode", [None, "rtz"])
def test_numbers_round_to_fp8e4b15(mode: str | None) -> None:
    table = fp8e4b15(codes()[:128])
    middle = ((table[1:] + table[:-1]) / 2).float()
    x = torch.cat([table.float(), middle, torch.rand(4099) * 2, torch.rand(999) * 1e-4, torch.tensor([1e9])])
    o = fp8e4b15(run_narrow(torch.cat([x, -x]), "float8e4b15", mode))
    size = x.double().clamp(max=1.875)
    if mode == "rtz":
        expected = table[torch.searchsorted(table, size, right=True) - 1]
    else:
        upper = torch.searchsorted(table, size).clamp(min=1, max=127)
        low, high = table[upper - 1], table[upper]
        even = torch.where((upper - 1) % 2 == 0, low, high)
        expected = torch.where(
            size - low == high - size, even, torch.where(size - low < high - size, low, high)
        )
    same(o, torch.cat([expected, -expected]))
