# SPDX-License-Identifier: MIT
"""Random hint comments: none breaks a compile, none changes a result.

    python python/test/support/fuzz_hints.py [--comments 100000] [--run 2000] [--first SEED] [--jobs 2]

Each comment goes through the front end to verified IR; `--run` of them are also compiled for the host and run. What
fails is named by its seed, which `--seed` tries again, and its source is printed. Ctrl-C ends with a summary.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

#: Cases that a worker takes at once.
_CHUNK = 20
_TOLD = 5


@dataclass
class Done:
    """What came of some cases: how many comments they had, and seed → what failed."""

    comments: int = 0
    failures: dict[int, str] = field(default_factory=dict)

    def add(self, other: Done) -> None:
        """Take over what another one says."""
        self.comments += other.comments
        self.failures.update(other.failures)


def begin(folder: str, busy: int = 1) -> None:
    """Make ready a process that tries cases: a cache of its own, no settings of the machine's, no Ctrl-C."""
    for name in [name for name in os.environ if name.startswith(("FLAGTREE_", "TRITON_"))]:
        del os.environ[name]
    cache = Path(folder) / f"triton-{os.getpid()}"
    os.environ["TRITON_CACHE_DIR"] = str(cache)
    # The kernels are tiny, and so many processes run them at once.
    os.environ["FLAGTREE_NUM_THREADS"] = str(max(1, (os.cpu_count() or 1) // busy))
    if multiprocessing.parent_process() is not None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    cache.mkdir()
    import flagtree

    flagtree.use("cpu")


def attempt(what: str, seeds: list[int]) -> Done:
    """Try the cases `seeds`: `what` is "read" or "run". Never raises."""
    from fuzz_cases import Case

    done = Done()
    for seed in seeds:
        case = Case.of(seed)
        try:
            getattr(case, what)()
        except BaseException:
            done.failures[seed] = traceback.format_exc(limit=-3)
        done.comments += len(case)
    return done


def chunks(comments: int, first: int) -> Iterator[tuple[int, list[int]]]:
    """(comments, seeds) of pieces of work that have so many comments in all."""
    from fuzz_cases import Case, seeds_of

    seeds = seeds_of(comments, first)
    while piece := list(itertools.islice(seeds, _CHUNK)):
        yield sum(len(Case.of(seed)) for seed in piece), piece


def work(
    what: str, comments: int, first: int, pool: ProcessPoolExecutor, jobs: int, console: Console
) -> Done:
    """Try cases with so many comments; raises KeyboardInterrupt with what is done as its argument."""
    done = Done()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task(
            "through the front end" if what == "read" else "compiled and run", total=comments
        )
        todo = chunks(comments, first)
        under_way: dict[Future[Done], list[int]] = {}
        try:
            while True:
                for _, seeds in itertools.islice(todo, 2 * jobs - len(under_way)):
                    under_way[pool.submit(attempt, what, seeds)] = seeds
                if not under_way:
                    return done
                for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                    seeds = under_way.pop(future)
                    done.add(_result(future, seeds))
                    progress.update(task, completed=min(done.comments, comments))
        except (KeyboardInterrupt, BrokenProcessPool) as error:
            raise _Ended(done, error) from None


def _result(future: Future[Done], seeds: list[int]) -> Done:
    try:
        return future.result()
    except BrokenProcessPool as error:
        words = f"a process died over one of the seeds {seeds[0]} to {seeds[-1]}"
        raise BrokenProcessPool(words) from error


class _Ended(Exception):
    """The work ended early: what was done, and why."""

    def __init__(self, done: Done, why: BaseException) -> None:
        super().__init__(str(why))
        self.done = done
        self.interrupted = isinstance(why, KeyboardInterrupt)


def summary(console: Console, told: list[tuple[str, Done, float]]) -> bool:
    """Print what was tried; returns True when nothing failed."""
    for what, done, seconds in told:
        words = "verified IR" if what == "read" else "right results"
        console.print(
            f"{done.comments:,} comments, {len(done.failures)} kernels failed, "
            f"all others with {words} ({seconds:.0f} s)"
        )
        for seed, text in itertools.islice(done.failures.items(), _TOLD):
            console.print(f"\n{what}, seed {seed}: try it again with --seed {seed}", style="bold")
            console.print(text, markup=False, highlight=False)
    return not any(done.failures for _, done, _ in told)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--comments", type=int, default=100_000, help="comments that go through the front end"
    )
    parser.add_argument("--run", type=int, default=2_000, help="comments that are compiled and run")
    parser.add_argument(
        "--first", type=int, default=0, help="the first seed; another one tries other comments"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--seed", type=int, help="try this one case only, and print its source")
    return parser.parse_args()


def one(seed: int, console: Console) -> bool:
    """Print and try one case."""
    from fuzz_cases import Case

    console.print(Case.of(seed).source, markup=False, highlight=False)
    results = [(what, attempt(what, [seed]), 0.0) for what in ("read", "run")]
    return summary(console, results)


def main() -> int:
    options, console = arguments(), Console()
    folder = tempfile.mkdtemp(prefix="flagtree-fuzz-")
    told: list[tuple[str, Done, float]] = []
    try:
        if options.seed is not None:
            begin(folder)
            return 0 if one(options.seed, console) else 1
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(options.jobs, context, begin, (folder, options.jobs)) as pool:
            for what, comments in (("run", options.run), ("read", options.comments)):
                start = time.monotonic()
                try:
                    done = work(what, comments, options.first, pool, options.jobs, console)
                except _Ended as ended:
                    pool.shutdown(wait=False, cancel_futures=True)
                    told.append((what, ended.done, time.monotonic() - start))
                    summary(console, told)
                    console.print("interrupted" if ended.interrupted else str(ended), style="bold red")
                    return 130 if ended.interrupted else 1
                told.append((what, done, time.monotonic() - start))
        return 0 if summary(console, told) else 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
