# SPDX-License-Identifier: MIT
"""The tutorials' kernels and products of several sizes on the CPU: against torch and against Triton's interpreter.

    python bench/bench_cpu_kernels.py [--seed N] [--only NAME,NAME] [--json PATH] [--check]

Sizes of the products move with the seed; results are compared with float64 before anything is timed. Thread counts run
in fresh processes.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import side_by_side
import torch
from side_by_side import Row

import flagtree
from flagtree.tools import tutorials
from flagtree.tools.tutorials import Case

#: Name of a case → the least torch time / ours. Products: fp32 of 512³ have another bar than larger ones.
BARS = {
    "vector add": 0.95,
    "fused softmax": 1.3,
    "matrix product": 0.9,
    "layer norm": 1.0,
    "flash attention, causal": 0.8,
    "cross entropy": 1.0,
}
SMALL_PRODUCT_BAR = 0.8
#: Cases that the interpreter runs within seconds, and the least interpreter time / ours.
INTERPRETED = {"vector add": 100.0, "fused softmax": 100.0}
SMALL = 1 / 4096


def all_cases(fraction: float = 1.0) -> Iterator[Case]:
    for path in tutorials.files():
        yield from tutorials.cases(path, fraction)


def products(seed: int) -> Iterator[Case]:
    """fp32 products of three sizes, the larger ones moved by the seed."""
    import flagtree_tutorial_03_matmul as tutorial

    dice = random.Random(seed)
    for size in (512, 1024 + dice.randrange(-99, 99), 2048 + dice.randrange(-99, 99)):
        a, b, out = torch.randn(size, size), torch.randn(size, size), torch.empty(size, size)
        yield Case(
            f"matrix product {size}",
            f"{size}³",
            tutorial.matmul_kernel,
            lambda a=a, b=b, out=out: tutorial.matmul(a, b, out),
            lambda a=a, b=b, out=out: torch.mm(a, b, out=out),
            lambda a=a, b=b: a.double() @ b.double(),
            5e-3,
        )


def bar_of(case: Case) -> float | None:
    if case.name == "matrix product 512":
        return SMALL_PRODUCT_BAR
    return BARS.get("matrix product" if case.name.startswith("matrix product") else case.name)


def check(case: Case) -> None:
    error = (case.run().double() - case.expected()).abs().max().item()
    if not error <= case.tolerance:
        raise AssertionError(f"{case.name}: the largest error is {error:.2e}, right is {case.tolerance:.0e}")


def against_torch(case: Case, options: argparse.Namespace) -> Row:
    name = f"{case.name} ({case.size}), {torch.get_num_threads()} thread(s), torch time / ours"
    check(case)
    ratio, low, high = side_by_side.compare(case.run, case.torch, options.rounds)
    return Row(name, ratio, low, high, bar_of(case))


def against_interpreter(name: str) -> Row:
    """The interpreter is far too slow for the large shapes, so both sides run a small one."""
    label = f"{name}, interpreter time / ours"
    environment = dict(os.environ, TRITON_INTERPRET="1")
    command = [sys.executable, __file__, "--interpret", name]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if run.returncode:
        return Row(label, None, bar=INTERPRETED[name], note=run.stderr.strip().splitlines()[-1][:60])
    case = next(case for case in all_cases(SMALL) if case.name == name)
    check(case)
    return Row(label, float(run.stdout) / side_by_side.best_of(case.run), bar=INTERPRETED[name])


def interpret(name: str) -> None:
    """Print the seconds of one run in this process, which interprets."""
    case = next(case for case in all_cases(SMALL) if case.name == name)
    check(case)
    start = time.perf_counter()
    case.run()
    print(time.perf_counter() - start)


def rows_of_thread_count(threads: int, options: argparse.Namespace) -> list[Row]:
    """Measured in a fresh process."""
    path = Path(tempfile.mkdtemp()) / "rows.json"
    environment = dict(os.environ)
    for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "FLAGTREE_NUM_THREADS"):
        environment[variable] = str(threads)
    command = [sys.executable, __file__, "--rows", str(path), "--seed", str(options.seed)]
    command += ["--rounds", str(options.rounds), "--only", options.only]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if run.returncode or not path.exists():
        sys.exit(f"the measurement with {threads} thread(s) failed:\n{run.stderr}")
    return [Row(**row) for row in json.loads(path.read_text(encoding="utf-8"))]


def measure(options: argparse.Namespace) -> None:
    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    wanted = set(filter(None, options.only.split(",")))
    cases = [*all_cases(), *products(options.seed)]
    rows = [against_torch(case, options) for case in cases if not wanted or case.name in wanted]
    options.rows.write_text(json.dumps([vars(row) for row in rows]), encoding="utf-8")


def main() -> None:
    parser = side_by_side.arguments(__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="names of cases, with commas between them")
    parser.add_argument("--rows", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--interpret", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.interpret:
        return interpret(options.interpret)
    flagtree.use("cpu")
    if options.rows:
        return measure(options)
    rows = [row for threads in (1, 2) for row in rows_of_thread_count(threads, options)]
    wanted = set(filter(None, options.only.split(",")))
    rows += [against_interpreter(name) for name in INTERPRETED if not wanted or name in wanted]
    side_by_side.report("Kernels on the CPU", rows, options)
    return None


if __name__ == "__main__":
    main()
