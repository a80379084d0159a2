# SPDX-License-Identifier: MIT
"""What operations of TTGIR may be moved, and what may be moved across them."""

from __future__ import annotations

import re

from flagtree.upstream.hint_passes.ir_text import ModuleText, Op

_PURE = re.compile(
    r"^(arith\.|math\.|ub\.poison$|ttg\.convert_layout$|tt\.(splat|unsplat|addptr|make_range|expand_dims|broadcast|"
    r"trans|reshape|bitcast|int_to_ptr|ptr_to_int|get_program_id|get_num_programs|fp_to_fp|clampf|join|split|cat|"
    r"mulhiui|precise_sqrt|precise_divf)$)"
)
_CONVERSIONS = re.compile(
    r"^(arith\.(extf|truncf|extsi|extui|trunci|sitofp|uitofp|fptosi|fptoui|bitcast)$|ttg\.convert_layout$|"
    r"tt\.(fp_to_fp|expand_dims|broadcast|reshape|trans|bitcast|int_to_ptr|ptr_to_int)$)"
)
#: They read global memory or work on shared memory or registers; none writes global memory or waits for others.
_NO_GLOBAL_WRITE = re.compile(
    r"^(tt\.(load|reduce|scan|dot|dot_scaled|histogram|gather|map_elementwise|descriptor_load)|tt\..*\.return|"
    r"ttg\.(local_alloc|local_dealloc|local_load|local_store|memdesc_\w+|async_wait|async_commit_group|"
    r"async_copy_global_to_local)|ttng\.(warp_group_dot|warp_group_dot_wait|fence_async_shared)|"
    r"scf\.(for|if|yield|reduce)|amdg\.(buffer_load|buffer_load_to_local))$"
)
#: Loads as they are after the TTGIR stage.
LOADS = ("tt.load", "amdg.buffer_load", "amdgpu.buffer_load")


def pure(op: Op) -> bool:
    """True when the operation only computes from its operands: it may stand anywhere behind them."""
    return not op.blocks and bool(_PURE.match(op.name))


def conversion(module: ModuleText, op: Op) -> bool:
    """True when the operation turns one value into another form of it."""
    return bool(_CONVERSIONS.match(op.name)) and len(module.operands(op)) == 1


def lets_loads_pass(module: ModuleText, op: Op) -> bool:
    """True when a load behind the operation may be done before it: nothing in it writes memory or orders accesses."""
    return all(_lets_pass(module, each) for each in op.walk())


def _lets_pass(module: ModuleText, op: Op) -> bool:
    if _PURE.match(op.name):
        return True
    return bool(_NO_GLOBAL_WRITE.match(op.name)) and "isVolatile = true" not in module.tail(op)
