# SPDX-License-Identifier: MIT
"""What must hold for the LLVM IR that a kernel ends as. Each rule gives the places that break it, as text.

A kernel's function is a loop over the programs of its range. Inside of it, a *steady loop* is an innermost loop that
loads or stores and has no masks. Masks belong into *tails*: what comes behind a steady loop that does the same
accesses, in the same loop around both, and is jumped over when nothing is left. LLVM may ask once, before the loop
around both, whether anything is left or whether there is a whole tile at all, and make a version of it for each answer:
one without the tail, one without the steady loop.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from llvm_ir import Instruction, Loop, parse

_MASKED = re.compile(
    r"@llvm\.(masked\.|vp\.(load|store|gather|scatter)|vp\.strided|x86\.avx\S*\.(maskload|maskstore|mask\.|gather))"
)
_NO_MASK = re.compile(r"<\d+ x i1> (splat \(i1 true\)|<(i1 true(, )?)+>)")
_STORES = re.compile(r"store|scatter")
#: Intrinsics on which LLVM calls libm, since no processor of ours has an instruction for them.
_LIBM = re.compile(
    r"@llvm\.(a?(sin|cos|tan)h?|atan2|sincos(pi)?|exp|exp2|exp10|log|log2|log10|pow|powi|ldexp|frexp|modf)\."
)
_COPY = re.compile(r"@llvm\.(memcpy|memmove|memset)\.")
#: Up to here LLVM copies with registers on any target that we have.
_COPY_BYTES = 128
_HEAP = re.compile(
    r"@(_?_?(malloc|calloc|realloc|free|aligned_alloc|posix_memalign|memalign|valloc)|_Zn[wa]\w*|_Zd[la]\w*"
    r"|_mlir_\w*(alloc|free)\w*)$"
)


@dataclass(frozen=True)
class _Masked:
    """Masked accesses of one innermost loop, or of one block outside of such loops."""

    blocks: frozenset[str]
    around: Loop
    loads: int
    stores: int
    example: str


class Program:
    """The function that runs a kernel's programs, with the loops that are the kernel's own."""

    def __init__(self, text: str, kernel: str) -> None:
        self.functions = parse(text)
        if kernel not in self.functions:
            raise ValueError(f"no function {kernel} in the IR; it has {', '.join(self.functions) or 'none'}")
        self.function = self.functions[kernel]
        found = self.function.loops()
        #: The loop over the programs; what lies in it but in no other loop runs once a program.
        self.over_programs = [loop for loop in found if loop.parent is None]
        self.loops = [loop for loop in found if loop.parent is not None]
        self.innermost = [loop for loop in self.loops if not loop.children]

    @property
    def steady(self) -> list[Loop]:
        """Innermost loops that access memory, all of it without masks."""
        return [
            loop
            for loop in self.innermost
            if sum(_accesses(self._inside(loop))) and not any(map(_is_masked, self._inside(loop)))
        ]

    def steady_instructions(self) -> int:
        """Instructions in all steady loops together."""
        return sum(len(self._inside(loop)) for loop in self.steady)

    def masks_outside_of_tails(self) -> list[str]:
        """Masked accesses in loops that no tail explains; and that there is no steady loop, if so."""
        if not self.steady:
            return ["no innermost loop loads or stores without masks"]
        masked = list(self._masked())
        tails = [at for at in masked if self._is_tail(at)]
        return [
            f"masked access in the loop at %{at.around.header}: {at.example}"
            for at in masked
            if at not in tails and not any(self._is_copy(at, tail) for tail in tails)
        ]

    def scalar_inner_loops(self) -> list[str]:
        """Innermost loops that access memory, none of it as a vector."""
        return [
            f"elements one at a time in the innermost loop at %{loop.header}: {accesses[0].text}"
            for loop in self.innermost
            if (accesses := [i for i in self._inside(loop) if any(_accesses([i]))])
            and not any(i.is_vector for i in accesses)
        ]

    def calls_in_inner_loops(self) -> list[str]:
        """What becomes a call in an innermost loop."""
        return [
            f"call in the innermost loop at %{loop.header}: {instruction.text}"
            for loop in self.innermost
            for instruction in self._inside(loop)
            if _becomes_call(instruction)
        ]

    def allocations(self) -> list[str]:
        """Memory from the heap or from the host, in any function."""
        return [
            f"{function.name} takes memory: {instruction.text}"
            for function in self.functions.values()
            for instruction in function.instructions()
            if _takes_memory(instruction)
        ]

    def missing_fma(self) -> list[str]:
        """That no steady loop multiplies and adds in one vector instruction, if so."""
        if any(_has_fma(self._inside(loop)) for loop in self.steady):
            return []
        return ["no steady loop has a vector fma, nor a product and a sum that may become one"]

    def _inside(self, loop: Loop) -> list[Instruction]:
        return list(self.function.instructions(loop.blocks))

    def _masked(self) -> Iterator[_Masked]:
        for loop in self.innermost:
            yield from self._unit(loop.blocks, loop)
        for loop in self.loops:
            if loop.children:
                own = loop.blocks.difference(*(child.blocks for child in loop.children))
                for name in sorted(own):
                    yield from self._unit({name}, loop)

    def _unit(self, blocks: set[str], around: Loop) -> Iterator[_Masked]:
        masked = [i for i in self.function.instructions(blocks) if _is_masked(i)]
        if masked:
            stores = sum(bool(_STORES.search(i.callee)) for i in masked)
            yield _Masked(frozenset(blocks), around, len(masked) - stores, stores, masked[0].text)

    def _is_tail(self, at: _Masked) -> bool:
        """Whether `at`, or a loop around it, comes behind a steady loop that does as much, and can be left out."""
        equals = [loop for loop in self.steady if self._does_as_much(loop, at)]
        has_version_without = any(self._exclude(at.blocks, loop.blocks) for loop in equals)
        unit = set(at.blocks)
        parent = at.around.parent if at.around.blocks == unit else at.around
        while parent is not None:
            for loop in equals:
                if self._comes_behind(unit, loop, parent) and (
                    has_version_without or self._may_be_skipped(unit, loop, parent)
                ):
                    return True
            unit, parent = parent.blocks, parent.parent
        return False

    def _does_as_much(self, loop: Loop, at: _Masked) -> bool:
        loads, stores = _accesses(self._inside(loop))
        return loads >= at.loads and stores >= at.stores

    def _is_copy(self, at: _Masked, tail: _Masked) -> bool:
        """Whether `at` does what `tail` does in another version of the code."""
        return (at.loads, at.stores) == (tail.loads, tail.stores) and self._exclude(at.blocks, tail.blocks)

    def _exclude(self, one: Iterable[str], other: Iterable[str]) -> bool:
        """Whether no program comes to both."""
        turn = {loop.header for loop in self.over_programs}
        everywhere = set(self.function.blocks)
        return not any(
            there.intersection(self.function.reach(name, everywhere, turn))
            for here, there in ((set(one), set(other)), (set(other), set(one)))
            for name in here
        )

    def _comes_behind(self, unit: set[str], steady: Loop, parent: Loop) -> bool:
        """Whether within one turn of `parent` control goes from `steady` to `unit` and not back."""
        if not steady.blocks < parent.blocks or steady.blocks & unit:
            return False
        turn = {parent.header}
        reach = self.function.reach
        return bool(unit & reach(steady.header, parent.blocks, turn)) and not any(
            steady.blocks & reach(name, parent.blocks, turn) for name in unit
        )

    def _may_be_skipped(self, unit: set[str], steady: Loop, parent: Loop) -> bool:
        """Whether a turn of `parent` may end behind `steady` without having come to `unit`."""
        around = self.function.reach(steady.header, parent.blocks, {parent.header} | unit) | {steady.header}
        return any(
            successor == parent.header or successor not in parent.blocks
            for name in around
            for successor in self.function.blocks[name].successors
        )


def _is_masked(instruction: Instruction) -> bool:
    return bool(_MASKED.match(instruction.callee)) and not _NO_MASK.search(instruction.text)


def _accesses(instructions: list[Instruction]) -> tuple[int, int]:
    """(loads, stores), masked or not."""
    loads = stores = 0
    for instruction in instructions:
        if instruction.opcode in ("load", "store"):
            is_store = instruction.opcode == "store"
        elif _MASKED.match(instruction.callee):
            is_store = bool(_STORES.search(instruction.callee))
        else:
            continue
        loads, stores = loads + (not is_store), stores + is_store
    return loads, stores


def _becomes_call(instruction: Instruction) -> bool:
    if instruction.opcode == "frem":
        return True
    if instruction.opcode not in ("call", "invoke"):
        return False
    callee = instruction.callee
    if _COPY.match(callee):
        size = re.search(r", i(?:32|64) (\d+), i1 ", instruction.text)
        return size is None or int(size[1]) > _COPY_BYTES
    return not callee.startswith("@llvm.") or bool(_LIBM.match(callee))


def _takes_memory(instruction: Instruction) -> bool:
    if instruction.opcode not in ("call", "invoke"):
        return False
    if _HEAP.match(instruction.callee):
        return True
    # The host's functions are called through its table; the one that gives memory is the one that returns a pointer.
    returns_pointer = re.search(r"\bcall\b[^@%(]*\bptr %", instruction.text)
    return instruction.callee.startswith("%") and bool(returns_pointer)


def _has_fma(instructions: list[Instruction]) -> bool:
    if any(re.match(r"@llvm\.(fma|fmuladd)\.v", i.callee) for i in instructions):
        return True
    free = [i for i in instructions if i.is_vector and re.search(r"\b(contract|fast)\b", i.text)]
    products = {i.result for i in free if i.opcode == "fmul"}
    return any(i.opcode in ("fadd", "fsub") and products.intersection(i.operands) for i in free)
