# SPDX-License-Identifier: MIT
"""What hints gain on a GPU: each kernel against the best of its grid without hints, equal results, one run.

    python bench/hints_gpu.py [--check] [--json FILE] [--only TEXT] [--tutorials-only]

Both sides are the same source; one is compiled with FLAGTREE_HINTS=off. Device time of CUDA graphs, in turn. The
tutorials' kernels follow, hinted against un-hinted: hints must not cost them anything.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hints_gpu_kernels as kernels
import torch
import triton
from side_by_side import Row, arguments, report

_TUTORIAL_BAR = 0.98
_TUTORIALS = Path(__file__).resolve().parents[1] / "python" / "tutorials"


@contextlib.contextmanager
def hints(value: str) -> Iterator[None]:
    """FLAGTREE_HINTS is `value` meanwhile."""
    before = os.environ.get("FLAGTREE_HINTS")
    os.environ["FLAGTREE_HINTS"] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ["FLAGTREE_HINTS"]
        else:
            os.environ["FLAGTREE_HINTS"] = before


class Side:
    """One kernel, always compiled under the same FLAGTREE_HINTS."""

    def __init__(self, function: Any, mode: str) -> None:
        self.kernel, self.mode = triton.jit(function), mode

    def run(self, case: kernels.Case, index: int, config: dict) -> None:
        """Launch once."""
        with hints(self.mode):
            case.launch(self.kernel, index, **config)


def graph_of(call: Callable[[int], Any], sets: int, least: int = 20) -> tuple[torch.cuda.CUDAGraph, int]:
    """A graph of at least `least` calls that go round the data sets, and their number."""
    count = max(1, -(-least // sets)) * sets
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for number in range(count):
            call(number % sets)
    return graph, count


def seconds(graph: torch.cuda.CUDAGraph, count: int, least: float = 0.005) -> float:
    """Device time of one call, over at least `least` seconds."""
    return _replayed(graph, count, max(2, int(least / max(_replayed(graph, count, 1) * count, 1e-6))))


def _replayed(graph: torch.cuda.CUDAGraph, count: int, replays: int) -> float:
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    for _ in range(replays):
        graph.replay()
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end) / 1e3 / count / replays


def right(case: kernels.Case, expected: torch.Tensor) -> bool:
    """True when the result is the expected one; the error is measured against its size."""
    result = case.result().double()
    return bool(((result - expected.double()).norm() <= case.tolerance * expected.double().norm()).item())


def best(side: Side, case: kernels.Case, expected: torch.Tensor) -> tuple[dict, torch.cuda.CUDAGraph, int]:
    """The fastest configuration whose result is right. Raises ValueError when there is none."""
    found: list[tuple[float, dict]] = []
    for config in case.grid:
        try:
            side.run(case, 0, config)
            torch.cuda.synchronize()
            if right(case, expected):
                graph, count = graph_of(lambda i, c=config: side.run(case, i, c), case.sets)
                found.append((seconds(graph, count, 0), config))
        except triton.runtime.errors.OutOfResources:
            continue
    if not found:
        raise ValueError(f"{case.name}: no configuration gives the right result")
    # Once more for the closest, so that one lucky measurement does not decide.
    finalists = sorted(found, key=lambda each: each[0])[:3]
    timed = []
    for _, config in finalists:
        graph, count = graph_of(lambda i, c=config: side.run(case, i, c), case.sets)
        timed.append((min(seconds(graph, count) for _ in range(3)), config, graph, count))
    _, config, graph, count = min(timed, key=lambda each: each[0])
    return config, graph, count


def in_turn(
    ours: Callable[[], float], peer: Callable[[], float], rounds: int
) -> tuple[list[float], float, float]:
    """Ratios peer/ours of pairs measured in turn, and the medians of both."""
    ratios, mine, theirs = [], [], []
    for number in range(max(rounds, 9)):
        pair = {side: side() for side in ((ours, peer) if number % 2 == 0 else (peer, ours))}
        ratios.append(pair[peer] / pair[ours])
        mine.append(pair[ours])
        theirs.append(pair[peer])
    return ratios, statistics.median(mine), statistics.median(theirs)


def measure(case: kernels.Case, rounds: int) -> Row:
    """One row: the best hinted configuration against the best un-hinted one."""
    expected = case.expected()
    plain, plain_graph, plain_count = best(Side(case.function, "off"), case, expected)
    hinted, hinted_graph, hinted_count = best(Side(case.function, "silent"), case, expected)
    ratios, mine, theirs = in_turn(
        lambda: seconds(hinted_graph, hinted_count), lambda: seconds(plain_graph, plain_count), rounds
    )
    note = (
        f"{case.hints}: {mine * 1e6:.1f} µs {_short(hinted)}, without {theirs * 1e6:.1f} µs {_short(plain)}"
    )
    return Row(case.name, statistics.median(ratios), min(ratios), max(ratios), case.bar, note=note)


def _short(config: dict) -> str:
    return " ".join(f"{'w' if name == 'num_warps' else name}={value}" for name, value in config.items())


def tutorial_rows(rounds: int) -> Iterator[Row]:
    """The tutorials' own cases, hinted against FLAGTREE_HINTS=off."""
    for path in sorted(_TUTORIALS.glob("[0-9]*.py")):
        sides = {}
        for mode in ("silent", "off"):
            with hints(mode):
                cases = _module(path, mode).benchmark_cases()
                for case in cases:
                    case["result"] = case["run"]()
            sides[mode] = cases
        for ours, peer in zip(sides["silent"], sides["off"], strict=True):
            yield _tutorial_row(ours, peer, rounds)


def _tutorial_row(ours: dict, peer: dict, rounds: int) -> Row:
    name = f"tutorial: {ours['name']}, {ours['size']}"
    exact = ours["expected"]()
    if (ours["result"].double() - exact).norm() > 3 * max(ours["tolerance"], 1e-3) * exact.norm():
        return Row(name, None, bar=_TUTORIAL_BAR, note="the result differs from float64")
    with hints("silent"):
        mine = graph_of(lambda _: ours["run"](), 1)
    with hints("off"):
        theirs = graph_of(lambda _: peer["run"](), 1)
    ratios, a, b = in_turn(lambda: seconds(*mine), lambda: seconds(*theirs), rounds)
    note = f"{a * 1e6:.1f} µs, without {b * 1e6:.1f} µs"
    return Row(name, statistics.median(ratios), min(ratios), max(ratios), _TUTORIAL_BAR, note=note)


def _module(path: Path, mode: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"tutorial_{path.stem.replace('-', '_')}_{mode}", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compile_all(only: str, processes: int) -> None:
    """Compile every configuration of both sides in several processes: the disk cache has them afterwards."""
    command = [sys.executable, __file__, "--only", only, "--compile"]
    running = [subprocess.Popen([*command, f"{k}/{processes}"]) for k in range(processes)]
    for process in running:
        process.wait()


def compile_share(cases: list[Callable[[], kernels.Case]], share: str) -> None:
    """Launch every n-th configuration once."""
    k, n = map(int, share.split("/"))
    for make in cases:
        case = make()
        sides = [Side(case.function, mode) for mode in ("off", "silent")]
        for number, config in enumerate(case.grid * 2):
            if number % n == k:
                with contextlib.suppress(Exception):
                    sides[number // len(case.grid)].run(case, 0, config)
        del case


def main() -> None:
    """Measure and report."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--only", default="", help="kernels whose name or hint has this text")
    parser.add_argument("--tutorials-only", action="store_true", help="leave the other kernels out")
    parser.add_argument("--compile", help="k/n: only compile every n-th configuration, from the k-th on")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    cases = [] if options.tutorials_only else list(kernels.CASES)
    if options.compile:
        compile_share(cases, options.compile)
        return
    if cases:
        compile_all(options.only, max(1, (os.cpu_count() or 2) - 1))
    rows = []
    for make in cases:
        case = make()
        if options.only in case.name or options.only in case.hints:
            rows.append(measure(case, options.rounds))
            print(f"{rows[-1].value:.3f}  {rows[-1].name}  {rows[-1].note}", flush=True)
        del case
        torch.cuda.empty_cache()
    if not options.only:
        rows += tutorial_rows(options.rounds)
    report(f"Hints on {torch.cuda.get_device_name()}", rows, options)


if __name__ == "__main__":
    main()
