# SPDX-License-Identifier: MIT
"""What hints gain on the CPU: each kernel against itself without them, equal results, measured in turn.

python bench/hints_cpu.py [--json PATH] [--check] [--rounds N]
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

os.environ.setdefault("TRITON_DEFAULT_BACKEND", "cpu")

import text_kernels
import torch
import triton
from side_by_side import Row, arguments, compare, report

#: Each program adds the rows of a table that its list names, as an embedding does.
ROWS = """
@triton.jit
def kernel(numbers, x, o, n, D: tl.constexpr):
    p = tl.program_id(0)
    i = tl.arange(0, D)
    a = tl.zeros((D,), tl.float32)
    for k in tl.range(0, n):  # {loop}
        row = tl.load(numbers + p * n + k).to(tl.int64)
        a += tl.load(x + row * D + i)  # {load}
    tl.store(o + p * D + i, a)
"""
#: Each program adds all rows of its columns.
COLUMNS = """
@triton.jit
def kernel(x, o, n, width, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    a = tl.zeros((B,), tl.float32)
    for k in tl.range(0, n):  # {loop}
        a += tl.load(x + k * width + i)
    tl.store(o + i, a)
"""
SUM = """
@triton.jit
def kernel(x, y, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    a = tl.load(x + i, mask=i < n)
    b = tl.load(y + i, mask=i < n)
    tl.store(o + i, a + b, mask=i < n)  # {store}
"""
_count = itertools.count()
#: More than any cache keeps.
_TABLE_BYTES = 1 << 28
_BAR = 1.1


@dataclass
class Case:
    """A kernel with hints at its places, and what runs it: kernel → (a call, the tensor that it writes).

    gains: the hint must make it faster
    """

    name: str
    source: str
    hints: dict[str, str]
    prepare: Callable[[Any], tuple[Callable[[], Any], torch.Tensor]]
    gains: bool = True


def kernel_of(case: Case, hinted: bool) -> Any:
    """The case's kernel; without hints the same comments are ordinary ones."""
    places = dict.fromkeys(("loop", "load", "store"), "")
    text = case.source.format(
        **{**places, **{k: ("@hint: " if hinted else "") + v for k, v in case.hints.items()}}
    )
    return text_kernels.kernel_of(text, f"hints_cpu_{next(_count)}")


def rows(length: int, sets: int = 8, programs: int = 64, n: int = 512) -> Any:
    """64 lists of 512 rows of that length, other lists at each call."""
    table = torch.randn(_TABLE_BYTES // 4 // length, length)
    numbers = torch.randint(0, len(table), (sets, programs, n), dtype=torch.int32)

    def prepare(kernel: Any) -> tuple[Callable[[], Any], torch.Tensor]:
        out, turn = torch.empty(programs, length), itertools.count()

        def call() -> None:
            kernel[(programs,)](numbers[next(turn) % sets], table, out, n, D=length)

        return call, out

    return prepare


def columns(n: int, width: int, block: int = 1024) -> Any:
    """n rows of that width."""
    x = torch.randn(n, width)

    def prepare(kernel: Any) -> tuple[Callable[[], Any], torch.Tensor]:
        out = torch.empty(width)
        return lambda: kernel[(width // block,)](x, out, n, width, B=block), out

    return prepare


def sums(dtype: torch.dtype, n: int, block: int = 1 << 14) -> Any:
    """n elements of that type."""
    x, y = (torch.randint(0, 50, (n,)).to(dtype) for _ in range(2))

    def prepare(kernel: Any) -> tuple[Callable[[], Any], torch.Tensor]:
        out = torch.empty_like(x)
        return lambda: kernel[(triton.cdiv(n, block),)](x, y, out, n, B=block), out

    return prepare


def cases() -> list[Case]:
    found = []
    for length in (64, 256, 1024):
        run = rows(length)
        for hints in ({"load": "prefetch(4)"}, {"loop": "unroll(4)"}):
            gains = "loop" in hints or length < 1024  # long rows are fetched ahead by the processor
            found.append(Case(f"rows of {length:,} fp32 chosen at random", ROWS, hints, run, gains))
    found.append(Case("column sums, 2,048 × 4,096 fp32", COLUMNS, {"loop": "unroll(4)"}, columns(2048, 4096)))
    found.append(
        Case("column sums, 128 × 1,024 fp32", COLUMNS, {"loop": "unroll(4)"}, columns(128, 1024), False)
    )
    run = sums(torch.int8, 1 << 18)
    found.append(Case("sum of 262,144 int8", SUM, {"store": "vectorize(64)"}, run, gains=False))
    return found


def measure(case: Case, rounds: int) -> Row:
    (hinted, out), (plain, expected) = (case.prepare(kernel_of(case, h)) for h in (True, False))
    hinted(), plain()
    if not torch.equal(out, expected):
        raise AssertionError(f"{case.name}: the hint changed the result")
    value, low, high = compare(hinted, plain, rounds)
    return Row(
        f"{case.name}: {', '.join(case.hints.values())}", value, low, high, _BAR if case.gains else None
    )


def main() -> None:
    options = arguments(__doc__.splitlines()[0]).parse_args()
    torch.manual_seed(options.seed)
    report("Hints on the CPU", [measure(case, options.rounds) for case in cases()], options)


if __name__ == "__main__":
    main()
