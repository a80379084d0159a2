# SPDX-License-Identifier: MIT
"""What hints become on NVIDIA and AMD devices: in the IR, and in PTX and AMDGCN, cross-compiled."""

from __future__ import annotations

import re
from typing import Any

import pytest
from gpu_kernels import HEAD, TARGETS, assembly, build
from source_kernels import kernel_of

from flagtree.hints import passes
from flagtree.hints.account import Status, fates
from flagtree.hints.passes import Situation
from flagtree.upstream.hint_passes import shared_copies
from flagtree.upstream.hint_passes.ir_text import ModuleText, tensor_type, with_attribute, without_hint
from flagtree.upstream.hint_passes.layouts import blocked, contiguous_elements, order_of
from flagtree.upstream.hint_passes.loop_copies import stages
from flagtree.upstream.hint_passes.reattach import places, reattach
from flagtree.upstream.hint_passes.strip import without_hints

NVIDIA = ("sm80", "sm90", "sm100")
AMD = ("gfx90a", "gfx942", "gfx950")

LATE = (
    HEAD
    + """
    i = tl.arange(0, B)
    v = tl.load(x + i).to(tl.float32)
    s = tl.sum(v * v, 0)
    a = tl.load(x + n + i).to(tl.float32)  #@hint: {first}
    b = tl.load(x + 2 * n + i).to(tl.float32)  #@hint: {first}
    s = tl.sum(v * s * a + b, 0)
    c = tl.load(x + 3 * n + i).to(tl.float32)  #@hint: {second}
    tl.store(o + i, v * s + c)
"""
)
LOOP = (
    HEAD
    + """
    acc = tl.zeros((B,), tl.float32)
    for k in range(0, n, B):  {loop}
        acc += tl.load(x + k + tl.arange(0, B)).to(tl.float32)  {load}
    tl.store(o + tl.arange(0, B), acc)
"""
)
COPY = (
    HEAD
    + """
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, mask=i < n, other={other}).to(tl.float32))  #@hint: {hint}
"""
)


def count(pattern: str, text: str) -> int:
    return len(re.findall(pattern, text))


def outcomes(records: list[passes.PassRecord], name: str) -> list[str]:
    return [r.outcome for r in records if r.name == name]


@pytest.mark.parametrize("arch", NVIDIA)
def test_copies_that_begin_and_end_together_are_one_group_and_awaited_where_they_are_used(arch: str) -> None:
    text = LATE.format(first="shared_memory", second="shared_memory")
    compiled, records = build(text, TARGETS[arch])
    ptx = compiled.asm["ptx"]
    assert count(r"cp\.async\.c[ag]\.shared", ptx) == 3 * 2, "16 bytes a thread, two for each of three blocks"
    assert count(r"cp\.async\.commit_group", ptx) == 2
    assert re.findall(r"cp\.async\.wait_group\s+(\d+)", ptx) == ["1", "0"]
    assert count(r"ld\.global", ptx) == 2, "only what has no hint"
    # Both groups begin before the first reduction, each wait stands right before its use.
    ttgir = compiled.asm["ttgir"]
    order = re.findall(r"ttg\.(async_commit_group|async_wait)|\"(tt\.reduce)\"", ttgir)
    assert [a or b for a, b in order] == [
        "async_commit_group", "async_commit_group", "tt.reduce", "async_wait", "tt.reduce", "async_wait",
    ]  # fmt: skip
    assert outcomes(records, "shared-memory") == [passes.APPLIED] * 3


@pytest.mark.parametrize("arch", NVIDIA)
def test_a_load_in_a_loop_is_copied_ahead_as_far_as_the_hardware_allows(arch: str) -> None:
    compiled, records = build(LOOP.format(loop="", load="#@hint: shared_memory"), TARGETS[arch])
    assert "tt.num_stages = 5" in compiled.asm["ttir"]
    assert count(r"cp\.async\.wait_group\s+3", compiled.asm["ptx"]) == 1
    assert outcomes(records, "shared-memory-in-loops") == [passes.APPLIED]


@pytest.mark.parametrize("loop, load, depth", [("#@hint: num_stages=3", "", 3), ("", ", latency=2", 0)])
def test_what_the_kernel_states_itself_wins(loop: str, load: str, depth: int) -> None:
    text = LOOP.format(loop=loop, load="#@hint: shared_memory" + load)
    compiled, records = build(text, TARGETS["sm90"])
    assert outcomes(records, "shared-memory-in-loops") == [passes.UNCHANGED]
    assert (f"tt.num_stages = {depth}" in compiled.asm["ttir"]) == bool(depth)
    assert count(r"cp\.async\.wait_group\s+1", compiled.asm["ptx"]) == 1


def test_only_the_hinted_load_of_a_loop_is_copied() -> None:
    text = LOOP.format(loop="", load="#@hint: shared_memory").replace(
        "    tl.store(", "        acc += tl.load(o + k + tl.arange(0, B))\n    tl.store("
    )
    compiled, _ = build(text, TARGETS["sm90"])
    assert count(r"= tt\.load", compiled.asm["ttgir"]) == 1 and "async_copy" in compiled.asm["ttgir"]


ELEMENTS = ("i1", "i8", "u8", "i16", "i32", "i64", "fp16", "bf16", "fp32", "fp64", "fp8e5", "fp8e4nv")


@pytest.mark.parametrize("arch", ["sm90", "gfx950"])
@pytest.mark.parametrize("element", ELEMENTS)
def test_every_element_type_goes_through_shared_memory(element: str, arch: str) -> None:
    other = "True" if element == "i1" else "0.0" if element.startswith(("f", "b")) else "0"
    text = COPY.format(other=other, hint="shared_memory")
    compiled, records = build(text, TARGETS[arch], element=element)
    assert outcomes(records, "shared-memory") == [passes.APPLIED], records
    asm = assembly(compiled)
    if arch == "sm90":
        assert "cp.async.c" in asm
    else:
        assert re.search(r"buffer_load.*\blds\b|ds_write", asm)


def test_what_is_too_narrow_for_an_asynchronous_copy_goes_through_shared_memory_at_once() -> None:
    text = (HEAD + """
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + 3 * i).to(tl.float32))  #@hint: shared_memory
""")  # fmt: skip
    compiled, records = build(text, TARGETS["sm90"])
    assert outcomes(records, "shared-memory") == [passes.APPLIED] and "a copy of" in records[0].reason
    assert "cp.async" not in compiled.asm["ptx"] and "st.shared" in compiled.asm["ptx"]


def test_a_mask_that_makes_copies_narrow_is_found_out_by_the_stage_behind(capfd: Any) -> None:
    """Only the lowering knows that a mask of unknown alignment splits the copies into single elements."""
    text = COPY.format(other="0.0", hint="shared_memory")
    compiled, records = build(text, TARGETS["sm90"], aligned=False)
    assert outcomes(records, "shared-memory") == [passes.APPLIED]
    assert "st.shared" in compiled.asm["ptx"] or "cp.async" in compiled.asm["ptx"]


def test_another_value_where_the_mask_is_false_survives_the_copy() -> None:
    ttgir = build(COPY.format(other="1.5", hint="shared_memory"), TARGETS["sm90"])[0].asm["ttgir"]
    assert "arith.select" in ttgir
    ttgir = build(COPY.format(other="0.0", hint="shared_memory"), TARGETS["sm90"])[0].asm["ttgir"]
    assert "arith.select" not in ttgir, "asynchronous copies leave zeros there themselves"


@pytest.mark.parametrize(
    "barrier",
    ["tl.store(o + i, v)", "tl.atomic_add(o + i, v)", "tl.debug_barrier()", 'tl.device_print("v", v)'],
)
def test_no_copy_begins_before_what_orders_memory(barrier: str) -> None:
    text = LATE.format(first="shared_memory", second="shared_memory").replace(
        "    c = ", f"    {barrier}\n    c = "
    )
    ttgir = build(text, TARGETS["sm90"])[0].asm["ttgir"]
    between = re.search(r"tt\.store|tt\.atomic_rmw|gpu\.barrier|ttg\.barrier|tt\.print", ttgir)
    assert between is not None
    assert count("async_commit_group", ttgir[: between.start()]) == 1
    assert count("async_commit_group", ttgir[between.start() :]) == 1


def test_an_index_that_is_copied_itself_is_awaited_before_the_copy_that_needs_it() -> None:
    text = (HEAD + """
    i = tl.arange(0, B)
    m = tl.sum(tl.load(o + i))
    k = tl.load(x + i)  #@hint: shared_memory
    v = tl.load(o + k)  #@hint: shared_memory
    tl.store(o + i, v * m)
""")  # fmt: skip
    compiled, records = build(text, TARGETS["sm90"], element="i32")
    assert outcomes(records, "shared-memory") == [passes.APPLIED] * 2
    order = re.findall(r"ttg\.(async_commit_group|async_wait)", compiled.asm["ttgir"])
    assert order in (["async_commit_group", "async_wait", "async_commit_group", "async_wait"], order[:2])


NOT_COPIED = {
    "a scalar": "    tl.store(o, tl.load(x).to(tl.float32))  #@hint: shared_memory\n",
    "volatile": "    i = tl.arange(0, B)\n"
    "    tl.store(o + i, tl.load(x + i, volatile=True).to(tl.float32))  #@hint: shared_memory\n",
}


@pytest.mark.parametrize("why", NOT_COPIED)
def test_what_cannot_be_copied_is_told_with_the_reason(why: str) -> None:
    _, records = build(HEAD + "\n" + NOT_COPIED[why], TARGETS["sm90"])
    assert [(r.outcome, why in r.reason) for r in records] == [(passes.FAILED, True)]


def test_what_does_not_fit_is_left_where_it_is_with_the_numbers() -> None:
    text = LATE.format(first="shared_memory", second="shared_memory")
    compiled, records = build(text, TARGETS["sm80"], block=32768, num_warps=16)
    assert compiled.metadata.shared <= 166912
    told = [r.reason for r in records if r.outcome == passes.FAILED]
    assert told and all("65,536 bytes do not fit" in t and "166,912" in t for t in told)
    assert passes.APPLIED in outcomes(records, "shared-memory")


#: Blocks of 64 KiB: of these a program has room for three on an sm90, for two on an sm80.
ROOM = {"sm90": (232_448, 3), "sm80": (166_912, 2)}
TOGETHER = "".join(f"    a{n} = tl.load(x + {n} * B + i)  #@hint: shared_memory\n" for n in range(5))
APART = "".join(
    f"    tl.store(o + {n} * B + i, tl.load(x + {n} * B + i).to(tl.float32) * 2)  #@hint: shared_memory\n"
    for n in range(5)
)
SQUARES = (
    HEAD
    + """
    i = tl.arange(0, B)
    at = i[:, None] * B + i[None, :]
    a = tl.load(x + at)  #@hint: shared_memory
    b = tl.load(x + at + 1 * B * B)  #@hint: shared_memory
    c = tl.load(x + at + 2 * B * B)  #@hint: shared_memory
    tl.store(o + i[None, :] * B + i[:, None], tl.load(x + at + 3 * B * B))
    tl.store(o + at + 1 * B * B, a + b)
    tl.store(o + at + 2 * B * B, c)
"""
)


@pytest.mark.parametrize("arch", ROOM)
def test_of_copies_under_way_together_the_first_that_fit_stay(arch: str) -> None:
    space, fitting = ROOM[arch]
    text = (
        HEAD
        + "\n    i = tl.arange(0, B)\n"
        + TOGETHER
        + "    tl.store(o + i, (a0 + a1 + a2 + a3 + a4).to(tl.float32))\n"
    )
    compiled, records = build(text, TARGETS[arch], block=32768)
    assert compiled.metadata.shared == fitting * 65_536 <= space
    found = sorted((r for r in records if r.name == "shared-memory"), key=lambda r: r.line)
    assert [r.outcome for r in found] == [passes.APPLIED] * fitting + [passes.FAILED] * (5 - fitting)
    for number, record in enumerate(found):
        # The last is left out first, while all the others are still to be copied.
        words = (
            f"65,536 bytes do not fit: a program has {space:,} bytes of shared memory on {arch}, "
            f"and {number * 65_536:,} are in use at the same time"
        )
        assert record.outcome == passes.APPLIED or words in record.reason


@pytest.mark.parametrize("arch", ROOM)
def test_copies_one_after_the_other_use_the_same_memory(arch: str) -> None:
    compiled, records = build(HEAD + "\n    i = tl.arange(0, B)\n" + APART, TARGETS[arch], block=32768)
    assert outcomes(records, "shared-memory") == [passes.APPLIED] * 5
    assert compiled.metadata.shared == 65_536
    steps = "".join(re.findall(r"bar\.sync|cp\.async\.cg|ld\.shared", compiled.asm["ptx"]))
    assert "ld.sharedcp.async" not in steps, "a copy overwrites what other threads may not have read yet"


def test_memory_that_later_stages_need_costs_a_copy_and_not_all() -> None:
    compiled, records = build(SQUARES, TARGETS["sm90"], element="fp32", block=128)
    told = {r.line: (r.outcome, r.reason) for r in records}
    assert [outcome for outcome, _ in told.values()].count(passes.APPLIED) == 2
    assert told[7][0] == passes.FAILED and "besides 59,392 that other operations need" in told[7][1]
    assert compiled.metadata.shared <= 232_448


def test_the_account_has_one_fate_for_each_of_them() -> None:
    types = {"x": "*fp32", "o": "*fp32", "n": "i32", "B": "constexpr"}
    found = fates(kernel_of(SQUARES), types, {"B": 128}, TARGETS["sm90"])
    assert [fate.status for fate in found] == [Status.APPLIED, Status.APPLIED, Status.REJECTED]
    assert "65,536 bytes do not fit" in found[2].reason


@pytest.mark.parametrize(("use", "copied"), [("acc += a + b + c", 1), ("acc = tl.dot(a, b, acc) + c", 0)])
def test_of_the_loads_of_a_loop_those_are_copied_that_fit(use: str, copied: int) -> None:
    text = (
        HEAD
        + f"""
    i = tl.arange(0, B)
    at = i[:, None] * B + i[None, :]
    acc = tl.zeros((B, B), tl.float32)
    for k in range(0, n):
        a = tl.load(x + k * B * B + at)  #@hint: shared_memory
        b = tl.load(x + k * 2 * B * B + at)  #@hint: shared_memory
        c = tl.load(x + k * 3 * B * B + at)  #@hint: shared_memory
        {use}
    tl.store(o + at, acc)
"""
    )
    compiled, records = build(text, TARGETS["sm90"], element="fp32", block=128, num_stages=1)
    found = outcomes(records, "shared-memory-in-loops")
    assert found.count(passes.APPLIED) == copied and found.count(passes.FAILED) == 3 - copied
    assert count(r"ttg\.async_commit_group", compiled.asm["ttgir"]) == 2 * copied
    assert all("bytes do not fit" in r.reason for r in records if r.outcome == passes.FAILED)


@pytest.mark.parametrize("arch", AMD)
def test_amd_copies_through_lds_and_asynchronously_where_it_can(arch: str) -> None:
    text = LATE.format(first="shared_memory", second="shared_memory")
    compiled, records = build(text, TARGETS[arch], block=4096)
    assert outcomes(records, "shared-memory") == [passes.APPLIED] * 3
    asm = assembly(compiled)
    if arch == "gfx950":
        assert count(r"buffer_load_dwordx4.*\blds\b", asm) == 6 and "asynchronous" in records[0].reason
        assert "amdg.buffer_load_to_local" in compiled.asm["ttgir"]
    else:
        assert "ttg.local_alloc" in compiled.asm["ttgir"] and "asynchronous" not in records[0].reason
        assert count(r"ds_read|ds_load", asm) > count(
            r"ds_read|ds_load", assembly(plain(text, arch, block=4096))
        )


@pytest.mark.parametrize("arch", AMD)
@pytest.mark.parametrize("hint", ["num_stages=4", "unroll(4)"])
def test_amd_loops_become_other_code(arch: str, hint: str) -> None:
    text = LOOP.format(loop=f"#@hint: {hint}", load="")
    assert assembly(build(text, TARGETS[arch])[0]) != assembly(plain(text, arch))


def plain(text: str, arch: str, **options: Any) -> Any:
    """The same without hints."""
    return build(re.sub(r"#@hint.*", "", text), TARGETS[arch], **options)[0]


@pytest.mark.parametrize("arch", NVIDIA)
@pytest.mark.parametrize(
    "hint, pattern, number",
    [
        ("cache(cg)", r"ld\.global\.cg", 1),
        ("evict(first)", r"ld\.global\.L1::evict_first", 1),
        ("evict(last)", r"ld\.global\.L1::evict_last", 1),
    ],
)
def test_a_load_has_its_cache_policy(arch: str, hint: str, pattern: str, number: int) -> None:
    text = LATE.format(first="", second=hint).replace("#@hint: \n", "\n")
    compiled, records = build(text, TARGETS[arch])
    assert count(pattern, compiled.asm["ptx"]) == number * 2
    assert outcomes(records, "cache-policy") == [passes.APPLIED]


@pytest.mark.parametrize(
    "hint, pattern", [("cache(cs)", r"st\.global\.cs"), ("evict(first)", r"st\.global\.L1::evict_first")]
)
def test_a_store_has_its_cache_policy(hint: str, pattern: str) -> None:
    text = (
        LATE.format(first="", second="")
        .replace("#@hint: \n", "\n")
        .replace("v * s + c)", f"v * s + c)  #@hint: {hint}")
    )
    assert count(pattern, build(text, TARGETS["sm90"])[0].asm["ptx"]) == 4


def test_a_copy_keeps_the_cache_policy() -> None:
    text = LATE.format(first="shared_memory", second="shared_memory, evict(first)")
    ttgir = build(text, TARGETS["sm90"])[0].asm["ttgir"]
    assert count(r"async_copy_global_to_local.*evict_first", ttgir) == 1


def test_two_policies_that_exclude_each_other_are_not_both_taken() -> None:
    text = LATE.format(first="", second="cache(cg), evict(last)").replace("#@hint: \n", "\n")
    compiled, records = build(text, TARGETS["sm90"])
    assert sorted(outcomes(records, "cache-policy")) == [passes.APPLIED, passes.FAILED]
    assert count(r"ld\.global\.cg", compiled.asm["ptx"]) == 2


def test_what_the_load_states_itself_wins_over_the_hint() -> None:
    text = LATE.format(first="", second="cache(cg)").replace("#@hint: \n", "\n")
    text = text.replace("x + 3 * n + i)", 'x + 3 * n + i, cache_modifier=".ca")')
    _, records = build(text, TARGETS["sm90"])
    assert [r.reason for r in records] == ["the load states its own, which wins"]


SQUARE = (
    HEAD
    + """
    i = tl.arange(0, 64)
    at = i[:, None] * 64 + i[None, :]
    tl.store(o + at, tl.load(x + at, mask=at < n, other=0.0).to(tl.float32))  #@hint: {hint}
"""
)


@pytest.mark.parametrize("arch", ["sm80", "sm90", "gfx942", "gfx950"])
def test_a_load_has_the_layout_that_is_asked_for(arch: str) -> None:
    compiled, records = build(SQUARE.format(hint="layout(col)"), TARGETS[arch])
    assert outcomes(records, "layout") == [passes.APPLIED]
    (load,) = re.findall(r"= (?:tt\.load|amdg\.buffer_load).*, (#\w+)> loc", compiled.asm["ttgir"])
    assert "order = [0, 1]" in re.search(rf"(?m)^{load} = .*$", compiled.asm["ttgir"])[0]
    _, records = build(SQUARE.format(hint="layout(row)"), TARGETS[arch])
    assert outcomes(records, "layout") == [passes.UNCHANGED]


@pytest.mark.parametrize("hint, copies", [("unroll(4)", 4), ("unroll(1)", 1)])
def test_unrolled_loops_have_that_many_copies(hint: str, copies: int) -> None:
    compiled, _ = build(LOOP.format(loop=f"#@hint: {hint}", load=""), TARGETS["sm90"])
    body = re.search(r"scf\.for.*?\n(.*?)\n    \}", compiled.asm["ttir"], re.S)
    assert body is not None and count(r"= tt\.load", body[1]) == copies


def test_warps_are_specialised_only_where_the_architecture_has_it() -> None:
    from source_kernels import kernel_of

    from flagtree.hints.account import Status, fates

    kernel = kernel_of(LOOP.format(loop="#@hint: warp_specialize", load=""))
    signature = {"x": "*bf16", "o": "*fp32", "n": "i32", "B": "constexpr"}
    (fate,) = fates(kernel, signature, {"B": 1024}, TARGETS["sm80"])
    assert fate.status is Status.REJECTED and "sm90" in fate.reason and "sm80" in fate.reason
    (fate,) = fates(kernel, signature, {"B": 1024}, TARGETS["sm90"])
    assert "from sm90" not in fate.reason


def test_hints_lost_by_a_rewrite_are_found_again_by_their_place() -> None:
    """A mask that folds to true makes upstream build the load anew, without its attributes."""
    text = (HEAD + """
    i = tl.arange(0, B)
    v = tl.load(x + n + i)
    m = tl.sum(v.to(tl.float32))
    w = tl.load(x + i, mask=i < B, other=0.0).to(tl.float32)  #@hint: shared_memory, evict(first)
    tl.store(o + i, w * m)
""")  # fmt: skip
    compiled, records = build(text, TARGETS["sm90"])
    assert {r.name: r.outcome for r in records} == {
        "cache-policy": passes.APPLIED,
        "shared-memory": passes.APPLIED,
    }
    assert "cp.async" in compiled.asm["ptx"]


MODULE = """#loc = loc("k.py":1:0)
#loc1 = loc("k.py":3:8)
#loc2 = loc("v"(#loc1))
#loc3 = loc(callsite(#loc1 at #loc))
module {
  tt.func public @k(%x: !tt.ptr<f32> loc("x"(#loc))) {
    %v = tt.load %x {flagtree_hints = "latency=2,evict=first", tt.latency = 2 : i32} : !tt.ptr<f32> loc(#loc2)
    %w = tt.load %x : !tt.ptr<f32> loc(#loc3)
    %0 = scf.for %i = %v to %w step %w iter_args(%a = %v) -> (f32)  : i32 {
      scf.yield %a : f32 loc(#loc)
    } {flagtree_hints = "num_stages=3", tt.num_stages = 3 : i32} loc(#loc)
    tt.return loc(#loc)
  } loc(#loc)
} loc(#loc)"""


def test_places_are_those_of_the_innermost_source() -> None:
    found = places(MODULE)
    assert found[("load", "k.py", 3, 8)] == (
        'flagtree_hints = "latency=2,evict=first"',
        "tt.latency = 2 : i32",
    )
    assert found[("for", "k.py", 1, 0)][1] == "tt.num_stages = 3 : i32"
    again = reattach(MODULE, found)
    assert again.count("latency=2,evict=first") == 2 and again.count("tt.latency") == 2
    assert reattach(again, found) == again
    assert reattach(MODULE, found, only_hints=True).count("tt.latency") == 1


def test_hints_are_stripped_with_what_upstream_does_for_them() -> None:
    assert "flagtree" not in without_hints(MODULE) and "tt.latency" not in without_hints(MODULE)
    one = without_hints(MODULE, "latency")
    assert 'flagtree_hints = "evict=first"}' in one and "tt.num_stages = 3" in one
    line = '  %a = tt.load %x {flagtree_hints = "one"} : !tt.ptr<f32> loc(#loc)'
    assert without_hint(line, "one") == "  %a = tt.load %x : !tt.ptr<f32> loc(#loc)"
    assert with_attribute("    } loc(#loc)", "tt.flatten") == "    } {tt.flatten} loc(#loc)"


def test_types_and_layouts_are_read() -> None:
    kind = tensor_type("tensor<16x64x!tt.ptr<bf16>, #ttg.slice<{dim = 0, parent = #blocked}>>")
    assert (kind.shape, kind.element, kind.bytes, kind.pointer) == ((16, 64), "bf16", 2048, True)
    assert tensor_type("tensor<8xf8E4M3FN>").bytes == 8 and tensor_type("tensor<8xi1>").bytes == 8
    layout = blocked((64, 32), [0, 1], 16, 4, 32)
    assert order_of(layout, 2, {}) == [0, 1] and contiguous_elements(layout, {}) == 8
    assert order_of(f"#ttg.slice<{{dim = 0, parent = {layout}}}>", 1, {}) == [0]
    assert [op.name for op in ModuleText(MODULE).walk()][:3] == ["module", "tt.func", "tt.load"]


@pytest.mark.parametrize(
    "kilobytes, warps, arch, wanted",
    [
        (4, 4, "90", 5),
        (16, 4, "90", 4),
        (64, 4, "90", 2),
        (64, 4, "80", 2),
        (128, 4, "80", 0),
        (32, 4, "80", 2),
    ],
)
def test_the_depth_follows_from_block_and_hardware(
    kilobytes: int, warps: int, arch: str, wanted: int
) -> None:
    from flagtree.compiler.hardware import unified

    block = tensor_type(f"tensor<{kilobytes * 512}xbf16>")
    depth, why = stages([block], Situation(unified("nvidia", arch), warps, 32), masked=False)
    assert depth == wanted and why


def test_a_hundred_copies_do_not_take_long() -> None:
    import time

    lines = "".join(
        f"    %p{i} = tt.addptr %x, %c : !tt.ptr<f32>, i32 loc(#loc)\n"
        f"    %s{i} = tt.splat %p{i} : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #b> loc(#loc)\n"
        f'    %v{i} = tt.load %s{i} {{flagtree_hints = "shared_memory"}} : tensor<128x!tt.ptr<f32>, #b> loc(#loc)\n'
        f"    %m{i} = arith.mulf %v{i}, %v{i} : tensor<128xf32, #b> loc(#loc)\n"
        for i in range(100)
    )
    text = (
        "#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>\n"
        '#loc = loc("k.py":1:1)\nmodule {\n  tt.func public @k(%x: !tt.ptr<f32>, %c: i32) {\n'
        + lines
        + "    tt.return loc(#loc)\n  } loc(#loc)\n} loc(#loc)"
    )
    start = time.perf_counter()
    outcome = shared_copies.rewrite(text, Situation())
    assert len(outcome.records) == 100 and time.perf_counter() - start < 1
