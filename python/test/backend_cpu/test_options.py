# SPDX-License-Identifier: MIT
"""Compile options of the CPU backend and what upstream reads from them."""

from __future__ import annotations

from typing import Any

import pytest
from triton.backends.compiler import GPUTarget

from flagtree.backends.cpu.compiler import CPUBackend
from flagtree.backends.cpu.options import GPU_ONLY


def parse(**given: Any) -> Any:
    return CPUBackend(GPUTarget("cpu", "x86_64", 1)).parse_options(given)


@pytest.mark.parametrize("option", sorted(GPU_ONLY))
def test_an_option_of_gpus_changes_nothing(option: str) -> None:
    assert parse(**{option: 7}) == parse() and parse(**{option: 7}).hash() == parse().hash()


@pytest.mark.parametrize("option", ["debug", "enable_fp_fusion", "sanitize_overflow"])
def test_an_option_that_shapes_code_changes_the_hash(option: str) -> None:
    assert parse(**{option: True}).hash() != parse(**{option: False}).hash()


def test_fp_fusion_left_open_is_as_triton_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRITON_DEFAULT_FP_FUSION", "0")
    assert not parse().enable_fp_fusion and parse(enable_fp_fusion=True).enable_fp_fusion
    monkeypatch.setenv("TRITON_DEFAULT_FP_FUSION", "1")
    assert parse().enable_fp_fusion and not parse(enable_fp_fusion=False).enable_fp_fusion


def test_the_fields_that_upstream_reads_are_there() -> None:
    names = set(vars(parse()))
    assert names >= {
        "num_warps", "num_ctas", "num_stages", "warp_size", "debug", "instrumentation_mode", "extern_libs",
        "allowed_dot_input_precisions", "fpsan_homomorphic_casts", "enable_fp_fusion", "launch_cooperative_grid",
    }  # fmt: skip


def test_arguments_of_a_kernel_are_no_options() -> None:
    assert parse(x=1, BLOCK=2) == parse()


def test_extern_libs_have_one_spelling() -> None:
    assert parse(extern_libs={"b": "2", "a": "1"}).hash() == parse(extern_libs={"a": "1", "b": "2"}).hash()


def test_only_the_cpu_is_supported() -> None:
    assert CPUBackend.supports_target(GPUTarget("cpu", "x86_64", 1))
    assert not CPUBackend.supports_target(GPUTarget("cuda", 90, 32))


def test_any_shape_of_dot_is_allowed() -> None:
    functions = CPUBackend(GPUTarget("cpu", "x86_64", 1)).get_codegen_implementation(parse())
    assert functions["min_dot_size"](None, None) == (1, 1, 1)


def test_libdevice_has_the_functions_of_tl_math_and_those_of_cuda() -> None:
    import triton.language as tl
    from triton.language.extra.cuda import libdevice as cuda

    (libdevice,) = CPUBackend(GPUTarget("cpu", "x86_64", 1)).get_module_map().values()
    assert libdevice.exp is tl.math.exp and libdevice.erf is tl.math.erf
    assert libdevice.tanh is cuda.tanh and libdevice.j0 is cuda.j0
    with pytest.raises(AttributeError, match=r"libdevice\.no_such_function does not exist"):
        _ = libdevice.no_such_function
