# SPDX-License-Identifier: MIT
"""Vector add and fused softmax on the CPU: against torch and against Triton's interpreter.

    python bench/bench_first_kernels.py [--seed N] [--json PATH] [--check]

Shapes are odd and move with the seed; results are compared with torch in float64 before anything is timed.
Thread counts run in fresh processes.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import side_by_side
import torch
import triton
import triton.language as tl
from side_by_side import Row


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    tl.store(
        out + offsets, tl.load(x + offsets, mask=inside) + tl.load(y + offsets, mask=inside), mask=inside
    )


@triton.jit
def softmax(x, out, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    values = tl.load(x + row * stride + offsets, mask=inside, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, 0))
    tl.store(out + row * stride + offsets, powers / tl.sum(powers, 0), mask=inside)


class Case:
    """One kernel with its data: `ours()` and `peer()` do the same work."""

    def __init__(self, name: str, seed: int, small: bool = False) -> None:
        dice = random.Random(seed)
        torch.manual_seed(seed)
        self.name = name
        if name == "add":
            n = 5_001 if small else (1 << 24) + dice.randrange(1, 99_999, 2)
            x, y, self.out, other = torch.randn(n), torch.randn(n), torch.empty(n), torch.empty(n)
            self.expected = lambda: x.double() + y.double()
            self.ours: Callable[[], object] = lambda: add[(triton.cdiv(n, 1024),)](
                x, y, self.out, n, BLOCK=1024
            )
            self.peer: Callable[[], object] = lambda: torch.add(x, y, out=other)
        else:
            rows, columns = (
                (16, 999) if small else (4096 - dice.randrange(99), 1000 - dice.randrange(0, 99, 2))
            )
            x, self.out = torch.randn(rows, columns), torch.empty(rows, columns)
            self.expected = lambda: torch.softmax(x.double(), -1)
            block = triton.next_power_of_2(columns)
            self.ours = lambda: softmax[(rows,)](x, self.out, columns, columns, BLOCK=block)
            self.peer = lambda: torch.softmax(x, -1)

    def check(self) -> None:
        self.out.fill_(float("nan"))
        self.ours()
        torch.testing.assert_close(self.out.double(), self.expected(), rtol=1e-5, atol=1e-6)


def against_torch(name: str, options: argparse.Namespace, bar: float) -> Row:
    case = Case(name, options.seed)
    case.check()
    ratio, low, high = side_by_side.compare(case.ours, case.peer, options.rounds)
    threads = torch.get_num_threads()
    return Row(f"{name}, {threads} thread(s), torch time / ours", ratio, low, high, bar)


def against_interpreter(name: str, options: argparse.Namespace) -> Row:
    """The interpreter is far too slow for the large shapes, so both sides run a small one."""
    code = f"import bench_first_kernels as b; c = b.Case({name!r}, {options.seed}, small=True); c.check()\n"
    code += "import time; s = time.perf_counter(); c.ours(); print(time.perf_counter() - s)"
    environment = dict(os.environ, TRITON_INTERPRET="1")
    run = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode:
        return Row(
            f"{name}, interpreter time / ours", None, bar=100, note=run.stderr.strip().splitlines()[-1][:60]
        )
    case = Case(name, options.seed, small=True)
    case.check()
    return Row(
        f"{name}, interpreter time / ours", float(run.stdout) / side_by_side.best_of(case.ours), bar=100
    )


def rows_of_thread_count(threads: int, options: argparse.Namespace) -> list[Row]:
    """Measured in a fresh process."""
    path = Path(tempfile.mkdtemp()) / "rows.json"
    environment = dict(os.environ)
    for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "FLAGTREE_NUM_THREADS"):
        environment[variable] = str(threads)
    command = [sys.executable, __file__, "--rows", str(path), "--seed", str(options.seed)]
    command += ["--rounds", str(options.rounds)]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if run.returncode or not path.exists():
        sys.exit(f"the measurement with {threads} thread(s) failed:\n{run.stderr}")
    return [Row(**row) for row in json.loads(path.read_text(encoding="utf-8"))]


def main() -> None:
    parser = side_by_side.arguments(__doc__.splitlines()[0])
    parser.add_argument("--rows", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    bars = {"add": 0.95, "softmax": 1.3}
    if options.rows:
        torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
        rows = [against_torch(name, options, bar) for name, bar in bars.items()]
        options.rows.write_text(json.dumps([vars(row) for row in rows]), encoding="utf-8")
        return
    rows = [row for threads in (1, 2) for row in rows_of_thread_count(threads, options)]
    rows += [against_interpreter(name, options) for name in bars]
    side_by_side.report("First kernels on the CPU", rows, options)


if __name__ == "__main__":
    main()
