# SPDX-License-Identifier: MIT
"""Triton's own interpreter on the same cases, in a process of its own, for it is chosen when `triton.jit` runs.

    python -m flagtree.tools.interpreter TUTORIAL SECONDS FRACTION

prints one JSON object a case. A case that would take much longer than SECONDS runs on less than FRACTION of its size.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from flagtree.tools import tutorials

#: A first try that tells how long the whole would take.
_TRY = 1 / 64
#: Imports, and a machine that is busy with other things.
_PATIENCE = 60.0


@dataclass(frozen=True)
class Interpreted:
    """seconds: of the fraction that was run; fraction: of the size asked for; failure: why there is no time, or ""."""

    seconds: float = 0.0
    fraction: float = 1.0
    failure: str = ""

    @property
    def whole(self) -> float:
        """Seconds that the whole size takes: measured, or scaled from a fraction."""
        return self.seconds / self.fraction


def interpret(path: Path, count: int, seconds: float, size: float = 1.0) -> list[Interpreted]:
    """Times of the `count` cases of one tutorial on `size` of their size. A failure is a result, not an exception."""
    command = [sys.executable, "-m", "flagtree.tools.interpreter", str(path), str(seconds), str(size)]
    environment = {**os.environ, "TRITON_INTERPRET": "1"}
    limit = count * (3 * seconds) + _PATIENCE
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=limit, check=False
        )
    except subprocess.TimeoutExpired:
        return [Interpreted(failure=f"took longer than {limit:.0f} s")] * count
    found = [Interpreted(**json.loads(line)) for line in done.stdout.splitlines() if line.startswith("{")]
    failed = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
    return (found + [Interpreted(failure=failed)] * count)[:count]


def _main(path: Path, seconds: float, size: float) -> None:
    for index in range(len(tutorials.cases(path, size * _TRY))):
        print(json.dumps(_run(path, index, seconds, size)), flush=True)


def _run(path: Path, index: int, seconds: float, size: float) -> dict[str, float]:
    tried = _time(path, index, size * _TRY)
    fraction = seconds * _TRY / max(tried, 1e-9)
    if fraction > 0.5:  # nearly all of it: then all of it
        fraction = 1.0
    if fraction <= _TRY:
        return {"seconds": tried, "fraction": _TRY}
    return {"seconds": _time(path, index, size * fraction), "fraction": fraction}


def _time(path: Path, index: int, fraction: float) -> float:
    case = tutorials.cases(path, fraction)[index]
    start = time.perf_counter()
    case.run()
    return time.perf_counter() - start


if __name__ == "__main__":
    _main(Path(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]))
