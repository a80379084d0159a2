# SPDX-License-Identifier: MIT
"""The launcher itself: grids, argument counts, construction, lifetime."""

from __future__ import annotations

import contextlib
import gc
import sys
import weakref

import numpy as np
import pytest

from flagtree._native import launch


def test_kernel_over_numpy_and_torch(make, threads):
    import torch

    add = make("add", x="*fp32", y="*fp32", out="*fp32", n="i32", BLOCK="constexpr")
    for n_threads in (1, 2, 3):
        threads(n_threads)
        for n in (1, 63, 64, 100_003):
            x, y = torch.randn(n), np.random.default_rng(n).random(n, np.float32)
            out = torch.full((n,), float("nan"))
            add((n + 63) // 64, 1, 1, x, y, out, n, 64)
            torch.testing.assert_close(out, x + torch.from_numpy(y), rtol=0, atol=0)


@pytest.mark.parametrize("grid", [(1, 1, 1), (7, 1, 1), (1, 5, 1), (3, 4, 5), (65_537, 1, 1), (100, 100, 10)])
@pytest.mark.parametrize("n_threads", [1, 2, 5])
def test_every_program_runs_once(make, threads, grid, n_threads):
    threads(n_threads)
    counts = np.zeros(np.prod(grid), np.int32)
    kernel = make("count", counts="*i32")
    for launch_number in range(1, 11):
        assert kernel(*grid, counts) is None
        assert (counts == launch_number).all()


def test_kernel_sees_the_grid(make):
    out = np.zeros(4, np.int64)
    make("store_grid", out="*i64")(3, 4, 5, out)
    assert out.tolist() == [3, 4, 5, 60]


def test_grid_beyond_32_bits_is_covered(make):
    out = np.zeros(4, np.int64)
    make("store_grid", out="*i64")(2**31 - 1, 1000, 3, out)
    assert out.tolist() == [2**31 - 1, 1000, 3, (2**31 - 1) * 3000]


@pytest.mark.parametrize("grid", [(0, 1, 1), (1, 0, 1), (1, 1, 0), (0, 0, 0)])
def test_empty_grid_runs_nothing_but_checks_arguments(make, grid):
    counts = np.zeros(1, np.int32)
    kernel = make("count", counts="*i32")
    kernel(*grid, counts)
    assert counts[0] == 0
    with pytest.raises(TypeError, match="parameter 'counts'"):
        kernel(*grid, "text")


@pytest.mark.parametrize(("grid", "axis", "size"), [((-1, 1, 1), "x", -1), ((1, 2**31, 1), "y", 2**31)])
def test_grid_size_out_of_range_names_axis_and_value(make, grid, axis, size):
    with pytest.raises(ValueError, match=f"kernel 'count': grid size {size} along {axis} is not allowed"):
        make("count", counts="*i32")(*grid, None)


def test_huge_grid_size_is_a_value_error(make):
    with pytest.raises(ValueError, match="along z is not allowed; allowed are integers from 0 to 2147483647"):
        make("count", counts="*i32")(1, 1, 10**30, None)


def test_grid_of_too_many_programs_is_a_value_error(make):
    with pytest.raises(ValueError, match="2\\^63-1 programs"):
        make("count", counts="*i32")(2**31 - 1, 2**31 - 1, 3, None)


def test_grid_sizes_are_integers(make):
    kernel = make("count", counts="*i32")
    counts = np.zeros(4, np.int32)
    kernel(np.int32(2), np.int64(2), True, counts)
    assert counts.tolist() == [1, 1, 1, 1]
    with pytest.raises(TypeError, match="kernel 'count': grid size along y is a float; pass an int"):
        kernel(1, 1.0, 1, counts)


@pytest.mark.parametrize("values", [(), (1, 1, 1), (1, 1, 1, 0), (1, 1, 1, 0, 0, 0)])
def test_wrong_number_of_values_names_the_parameters(make, values):
    with pytest.raises(TypeError, match=r"'noop' takes 3 grid sizes and 2 arguments \(x, n\)") as error:
        make("noop", x="*fp32", n="i32")(*values)
    assert f"got {len(values)} values" in str(error.value)


def test_keywords_are_refused(make):
    with pytest.raises(TypeError, match=r"'noop': pass all arguments by position.*'n'"):
        make("noop", n="i32")(1, 1, 1, n=3)


def test_constexpr_arguments_are_skipped(make):
    out = np.zeros(1, np.uint64)
    kernel = make("store_slot", A="constexpr", out="*u64", B="constexpr", value="i32", C="constexpr")
    kernel(1, 1, 1, object(), out, "anything", 77, None)
    assert out[0] == 77


def test_kernel_without_parameters(make):
    assert make("noop")(1, 1, 1) is None


def test_more_parameters_than_fit_the_stack(make):
    out = np.zeros(1, np.uint64)
    names = {f"v{i}": "i32" for i in range(60)}
    make("sum_slots", out="*u64", **names)(1, 1, 1, out, *range(60))
    assert out[0] == sum(range(60))


@pytest.mark.parametrize(
    "kind", ["fp8e4nv", "fp8e5", "tensordesc<fp32[2,2]>", "i128", "i3", "*", "", "float"]
)
def test_type_that_cannot_be_passed_is_refused_at_construction(kind):
    with pytest.raises(
        ValueError, match="kernel 'k', parameter 'p': the CPU launcher cannot pass a"
    ) as error:
        launch.Launcher("k", [("p", kind)], 4096)
    assert ("through a pointer" in str(error.value)) == kind.startswith("fp8")


@pytest.mark.parametrize("entry", ["p", ("p",), ("p", 1), ("p", "i32", 3), None])
def test_malformed_signature_names_the_entry(entry):
    with pytest.raises(TypeError, match="signature of kernel 'k': entry 1 is a"):
        launch.Launcher("k", [("a", "i32"), entry], 4096)


@pytest.mark.parametrize("address", [0, None, "4096", 1.5, 2**70])
def test_address_must_be_that_of_code(address):
    with pytest.raises(ValueError, match=r"kernel 'k': .* is no address"):
        launch.Launcher("k", [], address)


def test_attributes_tell_what_it_was_made_from(make):
    kernel = make("noop", x="*fp32", B="constexpr")
    assert kernel.kernel_name == "noop"
    assert kernel.signature == [("x", "*fp32"), ("B", "constexpr")]
    assert kernel.address > 0
    assert repr(kernel).startswith("<Launcher noop(x, B) at 0x")


def test_calls_leave_reference_counts_alone(make):
    kernel = make("noop", a="*fp32", b="*u8", c="i32", d="fp32", e="*i64", f="constexpr")
    interface = type("Interface", (), {})()
    interface.__array_interface__ = np.zeros(1).__array_interface__
    values = [np.zeros(4), bytearray(8), 10**6, 2.5, interface, object()]
    bad = [np.zeros(4), bytearray(8), "wrong", 2.5, interface, object()]
    kernel(1, 1, 1, *values)
    before = [sys.getrefcount(value) for value in (*values, *bad, type(interface), kernel)]
    for _ in range(100):
        kernel(1, 1, 1, *values)
        with pytest.raises(TypeError):
            kernel(1, 1, 1, *bad)
    gc.collect()
    assert [sys.getrefcount(value) for value in (*values, *bad, type(interface), kernel)] == before


def test_calls_and_launchers_leak_no_memory(make):
    import torch

    def churn(times: int) -> None:
        for _ in range(times):
            kernel = make("noop", a="*fp32", b="*fp32", c="*u8", n="i32")
            for _ in range(10):
                kernel(1, 1, 1, torch.empty(4), np.empty(4), bytearray(4), 7)
                with contextlib.suppress(TypeError):
                    kernel(1, 1, 1, 1.5, None, None, 7)

    churn(50)
    gc.collect()
    before = sys.getallocatedblocks()
    churn(500)
    gc.collect()
    assert sys.getallocatedblocks() - before < 200


def test_launcher_keeps_its_owner_and_both_can_be_collected():
    class Owner:
        pass

    owner = Owner()
    kernel = launch.Launcher("k", [], 4096, owner)
    owner.kernel = kernel  # a cycle
    alive = weakref.ref(owner)
    del owner
    gc.collect()
    assert alive() is not None
    del kernel
    gc.collect()
    assert alive() is None
