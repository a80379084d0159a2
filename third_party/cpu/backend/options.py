# SPDX-License-Identifier: MIT
"""Compile options of the CPU backend."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from typing import Any

from flagtree.upstream.fp_fusion import settled

#: Options that mean something to GPUs only. They are accepted, so one launch line serves every device, and are
#: forgotten at once: neither the cache key nor the code depends on them.
GPU_ONLY = frozenset(
    {
        "num_warps",
        "num_ctas",
        "num_stages",
        "warp_size",
        "maxnreg",
        "cluster_dims",
        "ptx_version",
        "ptx_options",
        "launch_cooperative_grid",
        "launch_pdl",
        "waves_per_eu",
        "matrix_instr_nonkdim",
        "kpack",
        "schedule_hint",
        "num_consumer_groups",
        "num_buffers_warp_spec",
        "reg_dec_producer",
        "reg_inc_consumer",
    }
)


@dataclass(frozen=True)
class CPUOptions:
    """What shapes a CPU kernel, and beside it what upstream reads from the options of any backend."""

    # Constant on this device: one program is one thread of the host.
    num_warps: int = 1
    num_ctas: int = 1
    num_stages: int = 1
    warp_size: int = 1
    launch_cooperative_grid: bool = False
    # Code depends on these.
    debug: bool = False
    sanitize_overflow: bool = True
    enable_fp_fusion: bool = True
    default_dot_input_precision: str = "ieee"
    allowed_dot_input_precisions: tuple[str, ...] = ("ieee", "tf32", "tf32x3", "bf16x3", "bf16x6")
    max_num_imprecise_acc_default: int = 0
    supported_fp8_dtypes: tuple[str, ...] = ("fp8e4nv", "fp8e5", "fp8e4b8", "fp8e5b16", "fp8e4b15")
    deprecated_fp8_dot_operand_dtypes: tuple[str, ...] = ()
    deprecated_fp8_dtypes: tuple[str, ...] = ()
    instrumentation_mode: str = ""
    fpsan_homomorphic_casts: bool = False
    #: Two arguments are two buffers, or the same elements at the same places. Launches check it where it matters.
    distinct_arguments: bool = True
    extern_libs: Any = None
    ir_override: str | None = None
    backend_name: str = "cpu"
    arch: str = ""

    def __post_init__(self) -> None:
        libs = dict(self.extern_libs) if self.extern_libs else {}
        object.__setattr__(self, "extern_libs", tuple(sorted(libs.items())))

    def hash(self) -> str:
        """sha256 over every field; the GPU-only ones are constant."""
        text = "_".join(f"{field.name}-{getattr(self, field.name)}" for field in fields(self))
        return hashlib.sha256(text.encode()).hexdigest()


def parse(given: dict[str, Any], arch: str) -> CPUOptions:
    """The options of one compile. `given` may hold kernel arguments too, which are none of ours."""
    given = settled(given)
    names = {field.name for field in fields(CPUOptions)} - GPU_ONLY
    kept = {name: given[name] for name in names if given.get(name) is not None}
    return CPUOptions(**{**kept, "arch": arch})
