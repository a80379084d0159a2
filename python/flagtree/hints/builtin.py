# SPDX-License-Identifier: MIT
"""FlagTree's own hints. Each example is a kernel that computes o = 2 * x, or o = x @ x where it has a dot."""

from __future__ import annotations

from flagtree.hints.registry import Argument, HintSpec

_MEMORY = frozenset({"load", "store"})
_LOAD = frozenset({"load"})
_LOOP = frozenset({"for"})
_DOT = frozenset({"dot"})

_ONE_BLOCK = """\
@triton.jit
def kernel(x, o, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + i, mask=i < n){load}
    tl.store(o + i, 2 * value, mask=i < n){store}
"""
_LOOP_OVER_BLOCKS = """\
@triton.jit
def kernel(x, o, n, BLOCK: tl.constexpr):
    for start in tl.range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):{loop}
        i = start + tl.arange(0, BLOCK)
        value = tl.load(x + i, mask=i < n){load}
        tl.store(o + i, 2 * value, mask=i < n)
"""
_PRODUCT = """\
@triton.jit
def kernel(x, o, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    at = i[:, None] * BLOCK + i[None, :]
    a = tl.load(x + at){load}
    tl.store(o + at, tl.dot(a, a)){dot}
"""


def _example(template: str, **places: str) -> str:
    text = {"load": "", "store": "", "loop": "", "dot": ""}
    text.update({place: f"  # @hint: {hint}" for place, hint in places.items()})
    return template.format(**text)


SPECS = (
    HintSpec(
        "shared_memory",
        _MEMORY,
        doc="The block goes through the fast memory beside the processor. On a load within a loop the copy is "
        "asynchronous and runs ahead of its use; `num_stages` on the loop or `latency` on the load say how far.",
        example=_example(_ONE_BLOCK, load="shared_memory"),
    ),
    HintSpec(
        "dma",
        _MEMORY,
        doc="The block is moved by the device's copy engine and not by the processor's own loads and stores.",
        example=_example(_ONE_BLOCK, load="dma", store="dma"),
    ),
    HintSpec(
        "UB_buffer",
        _MEMORY,
        doc="The block is kept in the unified buffer of a vector core.",
        example=_example(_ONE_BLOCK, load="UB_buffer"),
    ),
    HintSpec(
        "layout",
        _MEMORY | _DOT,
        (
            Argument("order", "choice", "which dimension is contiguous", choices=("row", "col")),
            Argument("second", "choice", "the same for a dot's second operand", None, choices=("row", "col")),
        ),
        doc="How the block lies: by rows or by columns.",
        example=_example(_PRODUCT, load="layout(row)", dot="layout(row, col)"),
    ),
    HintSpec(
        "multibuffer",
        _MEMORY | _LOOP,
        (Argument("n", "int", "number of buffers", 2, minimum=1, maximum=16),),
        doc="The block, or each block of the loop, has n buffers, so that one is filled while another is used.",
        example=_example(_LOOP_OVER_BLOCKS, loop="multibuffer(2)"),
    ),
    HintSpec(
        "bind_sub_block",
        _LOOP,
        doc="The iterations are shared among the vector cores that belong to one program.",
        example=_example(_LOOP_OVER_BLOCKS, loop="bind_sub_block"),
    ),
    HintSpec(
        "dot_pad_only_k",
        _DOT,
        doc="Of a product that is no multiple of the matrix unit's tile, only the inner dimension is padded.",
        example=_example(_PRODUCT, dot="dot_pad_only_k"),
    ),
    HintSpec(
        "warp_specialize",
        _LOOP,
        doc="Some warps only load and others only compute.",
        example=_example(_LOOP_OVER_BLOCKS, loop="warp specialize"),
    ),
    HintSpec(
        "num_stages",
        _LOOP,
        (Argument("n", "int", "number of stages", minimum=1, maximum=32),),
        doc="Loads of the loop run n - 1 iterations ahead.",
        example=_example(_LOOP_OVER_BLOCKS, loop="num_stages=3"),
    ),
    HintSpec(
        "unroll",
        _LOOP,
        (Argument("n", "int", "copies of the body", minimum=1, maximum=64),),
        doc="The body of the loop is repeated n times.",
        example=_example(_LOOP_OVER_BLOCKS, loop="unroll(2)"),
        aliases=("loop_unroll_factor",),
    ),
    HintSpec(
        "flatten",
        _LOOP,
        doc="The loop and the one within it become one loop.",
        example=_example(_LOOP_OVER_BLOCKS, loop="flatten"),
    ),
    HintSpec(
        "disallow_acc_multi_buffer",
        _LOOP,
        doc="The accumulator of a dot has one buffer only.",
        example=_example(_LOOP_OVER_BLOCKS, loop="disallow_acc_multi_buffer"),
    ),
    HintSpec(
        "latency",
        _LOAD,
        (Argument("n", "int", "iterations", minimum=0, maximum=32),),
        doc="The load runs n iterations ahead of its use.",
        example=_example(_LOOP_OVER_BLOCKS, loop="num_stages=4", load="latency=2"),
    ),
    HintSpec(
        "cache",
        _MEMORY,
        (
            Argument(
                "policy",
                "choice",
                "a load's: ca (all levels), cg (the last level only), cv (do not cache); "
                "a store's: wb (write back), cg, cs (streaming), wt (write through)",
                choices=("ca", "cg", "cv", "wb", "cs", "wt"),
            ),
        ),
        doc="At which levels of the cache the block is kept; as `cache_modifier` of `tl.load`.",
        example=_example(_ONE_BLOCK, load="cache(cg)"),
    ),
    HintSpec(
        "evict",
        _MEMORY,
        (Argument("policy", "choice", "when the cache drops it", choices=("first", "last", "normal")),),
        doc="Whether the cache drops the block before others or after them; as `eviction_policy` of `tl.load`.",
        example=_example(_ONE_BLOCK, load="evict(first)"),
    ),
    HintSpec(
        "vectorize",
        _MEMORY | _LOOP,
        (Argument("n", "int", "elements", None, minimum=1, maximum=1024),),
        doc="Elements are worked on n at a time; as many as the device has in a register when n is left out.",
        example=_example(_LOOP_OVER_BLOCKS, loop="vectorize(8)"),
    ),
    HintSpec(
        "parallel",
        _LOOP,
        doc="The iterations do not depend on each other and may run at the same time.",
        example=_example(_LOOP_OVER_BLOCKS, loop="parallel"),
    ),
    HintSpec(
        "prefetch",
        _LOAD,
        (Argument("distance", "int", "iterations", None, minimum=1, maximum=64),),
        doc="What the load will read some iterations later is asked for already.",
        example=_example(_LOOP_OVER_BLOCKS, load="prefetch(2)"),
    ),
)
