# SPDX-License-Identifier: MIT
"""The passes of each stage of the CPU pipeline: the one list of them."""

from __future__ import annotations

from typing import Any

from flagtree.backends.cpu.host import target_spec
from flagtree.compiler.pass_manager import PassManager
from flagtree.passes import bufferization, common, conversion, cpu, flir, memref
from flagtree.passes import linalg as linalg_passes


def ttir(pm: PassManager, options: Any) -> None:
    """Nothing: the stage keeps what the front end gave, which upstream and `flagtree compile` can read again."""


def linalg(pm: PassManager, options: Any) -> None:
    """Triton IR → structured accesses and linalg on tensors of static shape, elementwise work fused."""
    _structure(pm)
    conversion.add_convert_triton_to_flir(pm, fp_fusion=options.enable_fp_fusion)
    _clean(pm)
    with pm.nest("func.func"):
        linalg_passes.add_convert_elementwise_to_linalg(pm)
        flir.add_fuse_elementwise(pm)
    _clean(pm)


def llir(pm: PassManager, options: Any) -> None:
    """linalg → tiled, vectorised, bufferized → the llvm dialect."""
    with pm.nest("func.func"):
        flir.add_read_hints(pm)
    llir_without_hints(pm, options)


def llir_without_hints(pm: PassManager, options: Any) -> None:
    """`llir` where nothing reads the hints."""
    flir.add_set_hardware(pm, spec=target_spec())
    conversion.add_convert_flir_program_to_llvm(pm)
    _tile(pm, options)
    _bufferize(pm)
    conversion.add_convert_flir_atomics_to_llvm(pm)
    with pm.nest("func.func"):
        flir.add_unroll_rows(pm)
        flir.add_approximate_math(pm)
        cpu.add_expand_casts(pm)
        cpu.add_guard_division(pm)
        conversion.add_convert_flir_to_llvm(pm)
    cpu.add_call_libm(pm)
    cpu.add_make_entry(pm)
    _to_llvm(pm)


def _structure(pm: PassManager) -> None:
    """Functions take the grid as arguments, branches become structured control flow, calls are inlined."""
    conversion.add_convert_triton_func_to_func(pm)
    # Before the calls: a body of several blocks does not fit into a loop.
    conversion.add_lift_cf_to_scf(pm)
    common.add_inline(pm, default_pipeline="")  # what follows cleans up
    common.add_symbol_dce(pm)
    _clean(pm)


def _tile(pm: PassManager, options: Any) -> None:
    with pm.nest("func.func"):
        cpu.add_merge_product_steps(pm)
        cpu.add_bound_products(pm)
        cpu.add_stage_operands(pm)
        cpu.add_prepare_dots(pm)
        linalg_passes.add_convert_elementwise_to_linalg(pm)
        flir.add_fuse_elementwise(pm)
    _clean(pm)
    with pm.nest("func.func"):
        flir.add_expand_histogram(pm)
        flir.add_narrow_accumulators(pm)
        flir.add_unroll_hinted(pm)
        flir.add_tile_and_fuse(pm, distinct_arguments=options.distinct_arguments)
    _clean(pm)
    with pm.nest("func.func"):
        flir.add_vectorize(pm)
    common.add_loop_invariant_code_motion(pm)
    _clean(pm)
    with pm.nest("func.func"):
        cpu.add_prefetch_ahead(pm)
        flir.add_split_loops(pm)
        cpu.add_prefetch_hinted(pm)
    _clean(pm)
    common.add_loop_invariant_code_motion(pm)


def _bufferize(pm: PassManager) -> None:
    bufferization.add_one_shot_bufferize(pm, allow_return_allocs_from_loops=True)
    common.add_cse(pm)  # shows which copies are from a view to itself
    common.add_canonicalize(pm)
    cpu.add_place_buffers(pm)
    with pm.nest("func.func"):
        cpu.add_tile_dots(pm)


def _to_llvm(pm: PassManager) -> None:
    conversion.add_convert_vector_to_scf(pm)
    with pm.nest("func.func"):
        cpu.add_store_booleans(pm)
    conversion.add_convert_scf_to_cf(pm)
    memref.add_expand_strided_metadata(pm)
    conversion.add_lower_affine(pm)
    conversion.add_convert_vector_to_llvm(pm)
    conversion.add_convert_to_llvm(pm)
    conversion.add_reconcile_unrealized_casts(pm)


def _clean(pm: PassManager) -> None:
    common.add_canonicalize(pm)
    common.add_cse(pm)
