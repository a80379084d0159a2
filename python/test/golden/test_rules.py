# SPDX-License-Identifier: MIT
"""The rules themselves, on small IR: each finds what breaks it and nothing else."""

from __future__ import annotations

import pytest
from golden_rules import Program
from llvm_ir import parse

LOAD = "%v = load <8 x float>, ptr %p, align 4"
STORE = "store <8 x float> %v, ptr %q, align 4"
MASKED_LOAD = (
    "%w = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %p, <8 x i1> %m, <8 x float> poison)"
)
MASKED_STORE = "call void @llvm.masked.store.v8f32.p0(<8 x float> %w, ptr align 4 %q, <8 x i1> %m)"
TAIL = f"{MASKED_LOAD}\n  {MASKED_STORE}"


def kernel(steady: str = f"{LOAD}\n  {STORE}", tail: str = TAIL) -> str:
    """A loop over programs; in it a loop over tiles, and behind that a tail."""
    return f"""
define void @k(ptr %0, ptr %1, i64 %2, i64 %3) #0 {{
  %some = icmp slt i64 %2, %3
  br i1 %some, label %program, label %end

program:                                          ; preds = %next, %4
  %id = phi i64 [ %2, %4 ], [ %following, %next ]
  br label %tile

tile:                                             ; preds = %tile, %program
  %i = phi i64 [ 0, %program ], [ %j, %tile ]
  {steady}
  %j = add nuw nsw i64 %i, 8
  %more = icmp ult i64 %j, %n
  br i1 %more, label %tile, label %behind

behind:                                           ; preds = %tile
  br i1 %left, label %tail, label %next

tail:                                             ; preds = %behind
  {tail}
  br label %next

next:                                             ; preds = %tail, %behind
  %following = add nsw i64 %id, 1
  %done = icmp eq i64 %following, %3
  br i1 %done, label %end, label %program

end:                                              ; preds = %next, %4
  ret void
}}

declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, <8 x i1>, <8 x float>)
"""


def rows(tail_rows: bool = True, first: str = f"{LOAD}\n  {STORE}") -> str:
    """A loop over programs, in it one over rows with a tile loop, and behind it one over the masked rows."""
    masked = """
more_rows:
  %r2 = phi i64 [ 0, %between ], [ %s2, %more_rows ]
  TAIL
  %s2 = add i64 %r2, 1
  %c3 = icmp ult i64 %s2, %n
  br i1 %c3, label %more_rows, label %next
""".replace("TAIL", TAIL)
    return f"""
define void @k(i64 %n) {{
  br label %program
program:
  br label %row
row:
  %r = phi i64 [ 0, %program ], [ %s, %row_end ]
  br label %tile
tile:
  %i = phi i64 [ 0, %row ], [ %j, %tile ]
  {first}
  %j = add i64 %i, 8
  %c1 = icmp ult i64 %j, %n
  br i1 %c1, label %tile, label %row_end
row_end:
  %s = add i64 %r, 1
  %c2 = icmp ult i64 %s, %n
  br i1 %c2, label %row, label %between
between:
  br i1 %left, label %{"more_rows" if tail_rows else "next"}, label %next
{masked if tail_rows else ""}
next:
  br i1 %done, label %end, label %program
end:
  ret void
}}
"""


def program(text: str) -> Program:
    return Program(text, "k")


def test_a_kernel_as_it_should_be_breaks_no_rule() -> None:
    checked = program(kernel(f"{LOAD}\n  %f = call <8 x float> @llvm.fma.v8f32(<8 x float> %v)\n  {STORE}"))
    assert [loop.header for loop in checked.steady] == ["tile"]
    assert checked.masks_outside_of_tails() == checked.scalar_inner_loops() == checked.missing_fma() == []
    assert checked.calls_in_inner_loops() == checked.allocations() == []
    assert checked.steady_instructions() == 7


def test_masks_in_the_only_loop_are_found() -> None:
    assert program(kernel(steady=TAIL)).masks_outside_of_tails() == [
        "no innermost loop loads or stores without masks"
    ]


@pytest.mark.parametrize(
    "access",
    [
        MASKED_LOAD,
        MASKED_STORE,
        "%g = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %p, <8 x i1> %m, <8 x float> poison)",
        "call void @llvm.masked.scatter.v8f32.v8p0(<8 x float> %v, <8 x ptr> %p, <8 x i1> %m)",
        "%g = call <8 x float> @llvm.vp.load.v8f32.p0(ptr %p, <8 x i1> %m, i32 8)",
        "%g = tail call <8 x float> @llvm.x86.avx.maskload.ps.256(ptr %p, <8 x i32> %m)",
        "tail call void @llvm.x86.avx.maskstore.ps.256(ptr %p, <8 x i32> %m, <8 x float> %v)",
    ],
)
def test_each_kind_of_masked_access_is_found(access: str) -> None:
    assert program(kernel(steady=f"{LOAD}\n  {access}")).steady == []


def test_a_gather_of_all_elements_has_no_mask() -> None:
    mask = "<8 x i1> splat (i1 true)"
    gather = f"%g = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %p, {mask}, <8 x float> %v)"
    assert program(kernel(steady=gather)).masks_outside_of_tails() == []


def test_a_loop_that_touches_no_memory_is_not_the_steady_one() -> None:
    assert program(kernel(steady="%f = fadd <8 x float> %a, %b")).steady == []


def test_a_loop_of_masked_rows_behind_a_steady_one_is_a_tail() -> None:
    assert program(rows()).masks_outside_of_tails() == []


def test_a_masked_loop_that_does_more_than_the_steady_one_is_found() -> None:
    told = program(rows(first=LOAD)).masks_outside_of_tails()
    assert len(told) == 1 and "%more_rows" in told[0]


def test_a_masked_loop_that_always_runs_is_found() -> None:
    text = rows().replace("br i1 %left, label %more_rows, label %next", "br label %more_rows")
    told = program(text).masks_outside_of_tails()
    assert len(told) == 1 and "%more_rows" in told[0]


def test_a_masked_loop_before_the_steady_one_is_found() -> None:
    text = rows().replace(
        "program:\n  br label %row", "program:\n  br i1 %left, label %more_rows, label %row"
    )
    text = text.replace("br i1 %c3, label %more_rows, label %next", "br i1 %c3, label %more_rows, label %row")
    text = text.replace("br i1 %left, label %more_rows, label %next", "br label %next")
    told = program(text).masks_outside_of_tails()
    assert len(told) == 1 and "%more_rows" in told[0]


def rest_of_row(entered: str) -> str:
    """As `rows`, without masked rows, with a masked rest of each row behind its tiles."""
    rest = f"row_end:\n  {entered}\nrest:\n  {TAIL}\n  br label %row_next\nrow_next:\n"
    return rows(False).replace("row_end:\n", rest).replace("[ %s, %row_end ]", "[ %s, %row_next ]")


SOMETIMES, ALWAYS = "br i1 %some, label %rest, label %row_next", "br label %rest"


def test_a_masked_block_in_every_row_is_found_unless_it_can_be_left_out() -> None:
    told = program(rest_of_row(ALWAYS)).masks_outside_of_tails()
    assert len(told) == 1 and "%row:" in told[0]
    assert program(rest_of_row(SOMETIMES)).masks_outside_of_tails() == []


def beside(loop: str) -> str:
    """The rows with a rest in each, or instead of them all another loop, chosen by a condition outside."""
    text = rest_of_row(ALWAYS if "%no_rest" in loop else SOMETIMES)
    text = text.replace("program:\n  br label %row", "program:\n  br i1 %which, label %row, label %other")
    return text.replace("next:\n  br i1 %done", f"{loop}\nnext:\n  br i1 %done")


def test_a_tail_that_another_version_does_without_can_be_left_out() -> None:
    again = "br i1 %no_rest, label %other, label %next"
    assert program(beside(f"other:\n  {LOAD}\n  {STORE}\n  {again}")).masks_outside_of_tails() == []
    # What does less than the tail is no such version.
    assert len(program(beside(f"other:\n  {LOAD}\n  {again}")).masks_outside_of_tails()) == 1


def test_a_tail_alone_in_its_own_version_is_a_copy() -> None:
    again = "br i1 %c9, label %other, label %next"
    assert program(beside(f"other:\n  {TAIL}\n  {again}")).masks_outside_of_tails() == []
    # What does more than the tail is no copy of it.
    more = program(beside(f"other:\n  {TAIL}\n  {MASKED_LOAD}\n  {again}")).masks_outside_of_tails()
    assert len(more) == 1 and "%other" in more[0]


def test_scalar_accesses_are_found() -> None:
    told = program(kernel(steady="%x = load float, ptr %p, align 4")).scalar_inner_loops()
    assert told == ["elements one at a time in the innermost loop at %tile: %x = load float, ptr %p, align 4"]


@pytest.mark.parametrize(
    "call",
    [
        "%e = call float @expf(float %x)",
        "%e = tail call fast <8 x float> @_ZGVdN8v_expf(<8 x float> %x)",
        "%e = call <8 x float> @llvm.exp.v8f32(<8 x float> %x)",
        "%e = call <8 x float> @llvm.pow.v8f32(<8 x float> %x, <8 x float> %y)",
        "%e = call <8 x float> @llvm.tanh.v8f32(<8 x float> %x)",
        "%e = frem <8 x float> %x, %y",
        "call void %f(ptr %context)",
        'call void asm sideeffect "nop", ""()',
        "call void @llvm.memcpy.p0.p0.i64(ptr align 64 %p, ptr align 64 %q, i64 4096, i1 false)",
        "call void @llvm.memset.p0.i64(ptr align 64 %p, i8 0, i64 %n, i1 false)",
    ],
)
def test_calls_in_the_inner_loop_are_found(call: str) -> None:
    assert program(kernel(steady=f"{LOAD}\n  {call}")).calls_in_inner_loops() == [
        f"call in the innermost loop at %tile: {call}"
    ]


@pytest.mark.parametrize(
    "code",
    [
        "%e = call <8 x float> @llvm.fma.v8f32(<8 x float> %x, <8 x float> %y, <8 x float> %z)",
        "%e = call <8 x float> @llvm.expect.v8f32(<8 x float> %x)",
        "%e = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %x, <8 x float> %y)",
        "call void @llvm.memcpy.p0.p0.i64(ptr align 64 %p, ptr align 64 %q, i64 64, i1 false)",
        "call void @llvm.prefetch.p0(ptr %p, i32 0, i32 3, i32 1)",
    ],
)
def test_instructions_that_look_like_calls_are_none(code: str) -> None:
    assert program(kernel(steady=f"{LOAD}\n  {code}")).calls_in_inner_loops() == []


def test_calls_outside_of_inner_loops_are_no_matter() -> None:
    assert program(kernel(tail="call void @puts(ptr %p)")).calls_in_inner_loops() == []


@pytest.mark.parametrize(
    "call",
    [
        "%p = call noalias ptr @malloc(i64 64)",
        "%p = tail call ptr @aligned_alloc(i64 64, i64 4096)",
        "tail call void @free(ptr %p)",
        "%p = call ptr @_Znwm(i64 64)",
        "%p = call ptr %scratch(ptr nonnull %1, i64 1048576)",
        "%p = call noundef align 64 ptr %9(ptr nonnull %1, i64 1048576)",
    ],
)
def test_memory_that_is_taken_anywhere_is_found(call: str) -> None:
    assert program(kernel(tail=call)).allocations() == [f"k takes memory: {call}"]
    helper = f"define internal void @helper() {{\n  {call}\n  ret void\n}}\n"
    assert program(helper + kernel()).allocations() == [f"helper takes memory: {call}"]


@pytest.mark.parametrize(
    "call",
    ["call void %print(ptr %1, ptr %p)", "%t = call i64 %clock(ptr %1)", "%p = call ptr @freeze_it(ptr %1)"],
)
def test_other_calls_take_no_memory(call: str) -> None:
    assert program(kernel(tail=call)).allocations() == []


@pytest.mark.parametrize(
    ("code", "fused"),
    [
        ("%f = call <8 x float> @llvm.fma.v8f32(<8 x float> %x)", True),
        ("%f = call contract <8 x float> @llvm.fmuladd.v8f32(<8 x float> %x)", True),
        ("%t = fmul contract <8 x float> %x, %y\n  %s = fadd contract <8 x float> %t, %z", True),
        ("%t = fmul fast <8 x float> %x, %y\n  %s = fsub fast <8 x float> %z, %t", True),
        ("%t = fmul <8 x float> %x, %y\n  %s = fadd <8 x float> %t, %z", False),
        ("%t = fmul contract <8 x float> %x, %y\n  %s = fadd <8 x float> %t, %z", False),
        ("%t = fmul contract <8 x float> %x, %y\n  %s = fadd contract <8 x float> %x, %z", False),
        ("%f = call float @llvm.fma.f32(float %x)", False),
        ("%t = fmul contract float %x, %y\n  %s = fadd contract float %t, %z", False),
    ],
)
def test_fma_is_told_from_products_and_sums_apart(code: str, fused: bool) -> None:
    assert (program(kernel(steady=f"{LOAD}\n  {code}")).missing_fma() == []) == fused
    assert program(kernel(tail=code)).missing_fma() != []


def test_a_kernel_that_is_not_there_is_named() -> None:
    with pytest.raises(ValueError, match="no function other in the IR; it has k"):
        Program(kernel(), "other")


def test_nested_loops_know_each_other() -> None:
    function = parse(rows())["k"]
    found = {loop.header: loop for loop in function.loops()}
    assert {h: loop.parent and loop.parent.header for h, loop in found.items()} == {
        "program": None,
        "row": "program",
        "tile": "row",
        "more_rows": "program",
    }
    assert found["row"].blocks == {"row", "tile", "row_end"}


def test_all_targets_of_a_switch_are_successors() -> None:
    text = """
define internal i32 @"a b"(i32 %0) {
  switch i32 %0, label %"on e" [
    i32 1, label %two
    i32 2, label %"on e"
  ]

"on e":                                           ; preds = %1, %1
  br label %two, !llvm.loop !3

two:                                              ; preds = %"on e", %1
  ret i32 0
}
"""
    function = parse(text)["a b"]
    assert function.blocks[function.entry].successors == ["on e", "two", "on e"]
    assert function.blocks["on e"].successors == ["two"]
    assert function.dominators()["two"] == {"", "two"}
    assert function.loops() == []


def test_a_jump_into_the_middle_makes_no_natural_loop() -> None:
    text = """
define void @k() {
  br i1 %a, label %one, label %two
one:
  br label %two
two:
  br i1 %b, label %one, label %end
end:
  ret void
}
"""
    assert parse(text)["k"].loops() == []


def test_blocks_that_nothing_reaches_are_left_out() -> None:
    text = "define void @k() {\n  ret void\ndead:\n  br label %dead\n}\n"
    assert parse(text)["k"].loops() == []
