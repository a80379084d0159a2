# SPDX-License-Identifier: MIT
"""Functions of `triton.language.extra.libdevice`: each that CUDA's has is computed, or refused by name."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
import triton
import triton.language as tl
from kernel_data import same
from libdevice_functions import libdevice_function
from triton.language.extra import libdevice
from triton.language.extra.cuda import libdevice as cuda
from ulps import ulps, worst


@triton.jit
def unary(x, o, n, F: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(o + i, F(tl.load(x + i, mask=m, other=1)), mask=m)


@triton.jit
def binary(x, y, o, n, F: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(o + i, F(tl.load(x + i, mask=m, other=1), tl.load(y + i, mask=m, other=1)), mask=m)


@triton.jit
def ternary(x, y, z, o, n, F: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    a, b, c = tl.load(x + i, mask=m), tl.load(y + i, mask=m), tl.load(z + i, mask=m)
    tl.store(o + i, F(a, b, c), mask=m)


def call(name: str, *x: Any, to: Any = None) -> Any:
    kernel = {1: unary, 2: binary, 3: ternary}[len(x)]
    n = x[0].numel()
    o = torch.zeros(n, dtype=to or x[0].dtype)
    kernel[(triton.cdiv(n, 256),)](*x, o, n, F=libdevice_function(name, len(x)), B=256)
    return o


def each(function: Callable[..., float]) -> Callable[..., Any]:
    """A function of Python's floats on tensors."""
    found = np.vectorize(function, otypes=[np.float64])
    return lambda *x: torch.from_numpy(found(*(np.asarray(each) for each in x)))


def sin_of_pi(x: Any) -> Any:
    return torch.sin(torch.remainder(x, 2) * math.pi)


#: Defined everywhere: name → fp64 reference.
EVERYWHERE = {
    "acos": torch.acos,
    "acosh": torch.acosh,
    "asin": torch.asin,
    "asinh": torch.asinh,
    "atan": torch.atan,
    "atanh": torch.atanh,
    "cosh": torch.cosh,
    "erfc": torch.erfc,
    "expm1": torch.expm1,
    "log10": torch.log10,
    "log1p": torch.log1p,
    "rint": torch.round,
    "nearbyint": torch.round,
    "sinh": torch.sinh,
    "tan": torch.tan,
    "tanh": torch.tanh,
    "trunc": torch.trunc,
    "fast_expf": torch.exp,
    "fast_sinf": torch.sin,
    "fast_log10f": torch.log10,
}


@pytest.mark.parametrize("name", EVERYWHERE)
def test_two_units_over_all_fp32_numbers(name: str) -> None:
    found = worst(lambda x: call(name, x), EVERYWHERE[name])
    assert not found.wrong, f"wrong sign, infinity or NaN at {found.wrong} numbers, e.g. {found.wrong_at}"
    assert found.ulps <= 2, f"off by {found.ulps} ulps at {found.at}"


#: name → fp64 reference, lowest and highest argument, ulps allowed in fp32
RANGES: dict[str, tuple[Callable[..., Any], float, float, float]] = {
    "cbrt": (each(math.cbrt) if hasattr(math, "cbrt") else lambda x: x.sign() * x.abs() ** (1 / 3), -9, 9, 2),
    "rcbrt": (lambda x: x.sign() * x.abs() ** (-1 / 3), 0.1, 9, 2),
    "exp10": (lambda x: 10.0**x, -30, 30, 2),
    "sinpi": (sin_of_pi, -0.9, 0.9, 2),
    "cospi": (lambda x: torch.cos(x * math.pi), -0.4, 0.4, 2),
    "lgamma": (torch.lgamma, 3, 30, 4),
    "tgamma": (each(math.gamma), 0.5, 20, 8),
    "j0": (torch.special.bessel_j0, 0.1, 2, 8),
    "j1": (torch.special.bessel_j1, 0.1, 3, 8),
    "y0": (torch.special.bessel_y0, 1, 3, 8),
    "y1": (torch.special.bessel_y1, 0.1, 2, 8),
    "normcdf": (lambda x: torch.erfc(x * -(0.5**0.5)) / 2, -9, 9, 2),
    "round": (lambda x: torch.floor(x.abs() + 0.5) * x.sign(), -9, 9, 0),
    "logb": (lambda x: torch.frexp(x).exponent - 1.0, 0.1, 99, 0),
    "saturatef": (lambda x: x.clamp(0, 1), -2, 2, 0),
    "fast_exp10f": (lambda x: 10.0**x, -30, 30, 2),
    "fast_tanf": (torch.tan, -3, 3, 2),
    "rsqrt_rn": (torch.rsqrt, 0.1, 9, 2),
    "rcp_rn": (torch.reciprocal, 0.1, 9, 0.5),
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("name", RANGES)
def test_functions_of_a_range(name: str, dtype: Any) -> None:
    reference, low, high, allowed = RANGES[name]
    if dtype == torch.float64 and ((name.endswith("f") and name != "normcdf") or name == "rsqrt_rn"):
        pytest.skip("fp32 only")
    x = torch.linspace(low, high, 1003, dtype=torch.float64).to(dtype)
    o, exact = call(name, x), reference(x.double()).double()
    if dtype == torch.float32:
        assert ulps(o, exact).max() <= allowed
    else:
        bessel = name[0] in "jy"  # torch's own are not exact
        torch.testing.assert_close(o, exact, rtol=1e-10 if bessel else 2e-13, atol=1e-14)


#: name → reference of two arguments
PAIRS: dict[str, Callable[..., Any]] = {
    "atan2": torch.atan2,
    "copysign": torch.copysign,
    "fdim": lambda x, y: (x - y).clamp(min=0),
    "fmod": torch.fmod,
    "hypot": torch.hypot,
    "pow": torch.pow,
    "remainder": each(math.remainder),
    "rhypot": lambda x, y: 1 / torch.hypot(x, y),
    "add_rn": torch.add,
    "sub_rn": torch.sub,
    "mul_rn": torch.mul,
    "div_rn": torch.div,
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("name", PAIRS)
def test_functions_of_two_numbers(name: str, dtype: Any) -> None:
    x, y = (torch.randn(1003, dtype=torch.float64).mul(3).to(dtype) for _ in range(2))
    if name == "pow":
        x = x.abs()
    o, exact = call(name, x, y), PAIRS[name](x.double(), y.double())
    if dtype == torch.float32:
        assert ulps(o, exact).max() <= 2
    else:
        torch.testing.assert_close(o, exact, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_lengths_of_vectors(dtype: Any) -> None:
    x, y, z = (torch.randn(300, dtype=torch.float64).to(dtype) for _ in range(3))
    exact = (x.double() ** 2 + y.double() ** 2 + z.double() ** 2).sqrt()
    torch.testing.assert_close(
        call("norm3d", x, y, z).double(), exact, rtol=3 * torch.finfo(dtype).eps, atol=0
    )
    torch.testing.assert_close(
        call("rnorm3d", x, y, z).double(), 1 / exact, rtol=4 * torch.finfo(dtype).eps, atol=0
    )
    same(call("fma", x, y, z), torch.addcmul(z.double(), x.double(), y.double()).to(dtype)) if (
        dtype == torch.float32
    ) else None


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_exponents(dtype: Any) -> None:
    x, n = torch.randn(300, dtype=dtype), torch.randint(-20, 20, (300,), dtype=torch.int32)
    exact = x.double() * 2.0 ** n.double()
    same(call("ldexp", x, n), exact.to(dtype))
    same(call("scalbn", x, n), exact.to(dtype))
    same(call("ilogb", x, to=torch.int32), torch.frexp(x).exponent.int() - 1)
    power = torch.randint(-3, 5, (300,), dtype=torch.int32)
    torch.testing.assert_close(call("pow", x, power), torch.pow(x, power), rtol=1e-6, atol=0)
    up = call("nextafter", x, torch.full_like(x, math.inf))
    same(up, torch.nextafter(x, torch.full_like(x, math.inf)))


SPECIAL = [0.0, -0.0, 1.5, -2.5, math.inf, -math.inf, math.nan, 1e-40, -1e30]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_kinds_of_numbers(dtype: Any) -> None:
    x = torch.tensor(SPECIAL, dtype=dtype)
    same(call("isnan", x, to=torch.bool), torch.isnan(x))
    same(call("isinf", x, to=torch.bool), torch.isinf(x))
    same(call("signbit", x, to=torch.int32) != 0, torch.signbit(x))
    finite = "finitef" if dtype == torch.float32 else "isfinited"
    same(call(finite, x, to=torch.bool), torch.isfinite(x))


def sample(dtype: Any) -> Any:
    bits = torch.iinfo(dtype).bits
    numbers = torch.randint(-(2**63), 2**63 - 1, (300,), dtype=torch.int64)
    edges = torch.tensor(
        [0, 1, -1, 1 << (bits - 1), (1 << (bits - 1)) - 1 if bits < 64 else 2**63 - 1], dtype=torch.float64
    )
    return torch.cat([numbers, edges.to(torch.int64)]).to(dtype)


def of_integers(function: Callable[..., int], *x: Any, bits: int = 32) -> Any:
    """A function of Python's integers; its result is cut to `bits`."""
    found = [function(*row) & ((1 << bits) - 1) for row in zip(*(each.tolist() for each in x), strict=True)]
    signed = [value - (1 << bits) if value >> (bits - 1) else value for value in found]
    return torch.tensor(signed, dtype={32: torch.int32, 64: torch.int64}[bits])


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64], ids=str)
def test_functions_of_bits(dtype: Any) -> None:
    x, bits = sample(dtype), torch.iinfo(dtype).bits
    mask = (1 << bits) - 1
    reverse = lambda v: int(f"{v & mask:0{bits}b}"[::-1], 2)  # noqa: E731
    same(call("popc", x, to=torch.int32), of_integers(lambda v: (v & mask).bit_count(), x))
    same(call("clz", x, to=torch.int32), of_integers(lambda v: bits - (v & mask).bit_length(), x))
    same(call("ffs", x, to=torch.int32), of_integers(lambda v: (v & -v & mask).bit_length(), x))
    same(call("brev", x), of_integers(reverse, x, bits=bits))
    same(call("mulhi", x, x.flip(0)), of_integers(lambda a, b: a * b >> bits, x, x.flip(0), bits=bits))


def test_functions_of_integers() -> None:
    x, y, z = sample(torch.int32), sample(torch.int32).flip(0), sample(torch.int32).roll(7)
    low24 = lambda v: ((v & 0xFFFFFF) ^ 0x800000) - 0x800000  # noqa: E731
    pick = lambda a, b, s: sum(  # noqa: E731
        (((b & 0xFFFFFFFF) << 32 | a & 0xFFFFFFFF) >> 8 * (s >> 4 * i & 7) & 255) << 8 * i for i in range(4)
    )
    same(call("mul24", x, y), of_integers(lambda a, b: low24(a) * low24(b), x, y))
    same(call("hadd", x, y), of_integers(lambda a, b: a + b >> 1, x, y))
    same(call("rhadd", x, y), of_integers(lambda a, b: a + b + 1 >> 1, x, y))
    same(call("byte_perm", x, y, z), of_integers(pick, x, y, z))
    unsigned = [each.view(torch.uint32) for each in (x, y, z)]
    same(call("hadd", *unsigned[:2]).view(torch.int32), of_integers(lambda a, b: a + b >> 1, *unsigned[:2]))
    same(call("sad", *unsigned).view(torch.int32), of_integers(lambda a, b, c: abs(a - b) + c, *unsigned))


ROUNDINGS = {"rn": torch.round, "rd": torch.floor, "ru": torch.ceil, "rz": torch.trunc}
LIMITS = {"int": (-(2**31), 2**31 - 1, torch.int32), "ll": (-(2**63), 2**63 - 1, torch.int64)}


@pytest.mark.parametrize("rounding", ROUNDINGS)
@pytest.mark.parametrize("to", LIMITS)
@pytest.mark.parametrize("source", ["float", "double"])
def test_conversions_to_integers_saturate(source: str, to: str, rounding: str) -> None:
    least, most, dtype = LIMITS[to]
    x = torch.tensor([0.5, 1.5, -0.5, -2.5, 1e30, -1e30, math.inf, -math.inf, math.nan, 2147483520.0, 12.7])
    x = x.double() if source == "double" else x
    rounded = ROUNDINGS[rounding](x.double()).tolist()
    expected = [0 if math.isnan(v) else max(least, min(most, v)) for v in rounded]
    o = call(f"{source}2{to}_{rounding}", x, to=dtype)
    assert o.tolist() == [int(v) for v in expected]


def test_bits_of_floats() -> None:
    x = torch.randn(300)
    same(call("float_as_int", x, to=torch.int32), x.view(torch.int32))
    same(call("int_as_float", x.view(torch.int32), to=torch.float32), x)
    d = x.double()
    high, low = call("double2hiint", d, to=torch.int32), call("double2loint", d, to=torch.int32)
    same(high, (d.view(torch.int64) >> 32).int())
    same(call("hiloint2double", high, low, to=torch.float64), d)


#: No counterpart: what rounds otherwise than to nearest, and special functions that the C library lacks.
REFUSED = re.compile(
    r"(fma|fmaf|[fd](add|sub|mul|div|rcp|sqrt)|(int|uint|ll|ull)2(float|double)|double2float)_r[duz]"
    r"|(erfcinv|erfcx|erfinv|normcdfinv|cyl_bessel_i[01])f?|rcp64h"
)

_TYPES = {"int32": "i32", "uint32": "i32", "int64": "i64", "uint64": "i64", "fp32": "f32", "fp64": "f64"}


def symbols() -> dict[str, tuple[list[str], str]]:
    """Every symbol that CUDA's libdevice names → types of its arguments, type of its result."""
    row = re.compile(r'\(((?:core\.dtype\("\w+"\),?\s*)+)\):\s*\("__nv_(\w+)",\s*core\.dtype\("(\w+)"\)\)')
    result = {}
    for arguments, symbol, to in row.findall(inspect.getsource(cuda)):
        types = re.findall(r'"(\w+)"', arguments)
        result[symbol] = ([_TYPES[each] for each in types], _TYPES[to])
    return result


def lower(name: str, types: list[str], to: str) -> str:
    from flagtree.backends.cpu import pipeline
    from flagtree.backends.cpu.options import CPUOptions
    from flagtree.compiler import native
    from flagtree.compiler.pass_manager import PassManager

    operands = ", ".join(f"%x{i}" for i in range(len(types)))
    arguments = ", ".join(f"%x{i}: tensor<8x{each}>" for i, each in enumerate(types))
    signature = ", ".join(f"tensor<8x{each}>" for each in types)
    text = f"""tt.func public @k(%o: !tt.ptr<{to}>, {arguments}) {{
      %y = tt.extern_elementwise {operands} {{libname = "", libpath = "", pure = true, symbol = "__nv_{name}"}}
           : ({signature}) -> tensor<8x{to}>
      %p = tt.splat %o : !tt.ptr<{to}> -> tensor<8x!tt.ptr<{to}>>
      tt.store %p, %y : tensor<8x!tt.ptr<{to}>>
      tt.return
    }}"""
    module = native.compiler().Module.parse(text, name="k")
    pm = PassManager()
    pipeline.linalg(pm, CPUOptions())
    pm.run(module)
    return str(module)


def test_every_symbol_is_computed_or_refused_by_name() -> None:
    from flagtree.compiler import native

    found = symbols()
    assert len(found) > 300
    for name, (types, to) in found.items():
        if REFUSED.fullmatch(name) and not name.endswith("_rn") and name != "double2float_rz":
            with pytest.raises(
                native.compiler().CompileError, match=f"libdevice function '{name}'.*kernel 'k'"
            ):
                lower(name, types, to)
        else:
            assert "tt.extern_elementwise" not in lower(name, types, to), name


@triton.jit
def uses_erfinv(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, libdevice.erfinv(tl.load(x + i)))


def test_what_is_missing_is_reported_with_kernel_line_and_remedy() -> None:
    with pytest.raises(Exception, match=r"erfinvf.*tl\.math") as caught:
        uses_erfinv[(1,)](torch.zeros(16), torch.zeros(16), B=16)
    assert "uses_erfinv" in str(caught.value) and "test_libdevice.py" in str(caught.value)
