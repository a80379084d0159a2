# SPDX-License-Identifier: MIT
"""What all Python tests share: FlagTree importable and registered, a cache directory of their own, subprocesses."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from pathlib import Path

import pytest

_PYTHON = Path(__file__).resolve().parents[1]
_ENTRY_POINTS = "[triton.backends]\ncpu = flagtree.backends.cpu\nflagtree = flagtree.upstream.entry\n"


def _register_checkout() -> list[str]:
    """Make an uninstalled checkout look installed; returns what subprocesses need on PYTHONPATH."""
    if any(point.value == "flagtree.upstream.entry" for point in entry_points(group="triton.backends")):
        return []
    folder = Path(tempfile.mkdtemp(prefix="flagtree-test-"))
    info = folder / "flagtree_checkout-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: flagtree-checkout\nVersion: 0\n")
    (info / "entry_points.txt").write_text(_ENTRY_POINTS)
    paths = [str(_PYTHON), str(folder)]
    sys.path[:0] = paths
    return paths


_PATHS = _register_checkout()
# What tests import; test folders themselves are no packages.
sys.path.insert(0, str(Path(__file__).resolve().parent / "support"))
_KEPT = ("FLAGTREE_TEST_DEVICE", "FLAGTREE_TEST_BROWSER", "FLAGTREE_NUM_THREADS")
# Before Triton is imported anywhere: nothing of the machine's own settings may leak into the tests.
for _name in [n for n in os.environ if n.startswith(("FLAGTREE_", "TRITON_"))]:
    if _name not in _KEPT:
        del os.environ[_name]


@pytest.fixture(scope="session", autouse=True)
def heed_interrupts() -> None:
    """A shell that runs a suite in the background makes it ignore SIGINT, and Python then has no handler for it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def cache_dir(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty Triton cache directory for each test."""
    path = tmp_path_factory.mktemp("triton-cache")
    monkeypatch.setenv("TRITON_CACHE_DIR", str(path))
    return path


@pytest.fixture
def run_python(cache_dir: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run code in a fresh interpreter: `run_python(code, check=True, **environment)`."""

    def run(
        code: str, check: bool = True, timeout: float = 120, **environment: str
    ) -> subprocess.CompletedProcess:
        env = {**os.environ, "TRITON_CACHE_DIR": str(cache_dir), **environment}
        env["PYTHONPATH"] = os.pathsep.join(
            [environment.get("PYTHONPATH", os.environ.get("PYTHONPATH", "")), *_PATHS]
        ).strip(":")
        command = [sys.executable, "-c", textwrap.dedent(code)]
        done = subprocess.run(command, check=False, env=env, capture_output=True, text=True, timeout=timeout)
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    return run


@pytest.fixture
def run_kernel_file(run_python: Callable, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """As `run_python`, from a file: kernels need a source that can be read."""

    def run(code: str, **options: object) -> subprocess.CompletedProcess[str]:
        path = tmp_path / "program.py"
        path.write_text(textwrap.dedent(code))
        return run_python(f"import runpy; runpy.run_path({str(path)!r}, run_name='__main__')", **options)

    return run


@pytest.fixture
def automatic_backend() -> Iterator[None]:
    """Return to the automatic choice of a backend afterwards."""
    import flagtree

    yield
    flagtree.use(None)
