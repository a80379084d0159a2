# SPDX-License-Identifier: MIT
"""Kernels compiled and run by the real library."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cpu_kernels
import numpy as np
import pytest
import triton

from flagtree.compiler.errors import KernelCompileError


def run_add(n: int, dtype: str = "float32", block: int = 256) -> Any:
    rng = np.random.default_rng(n)
    x, y = ((rng.standard_normal(n) * 9).astype(dtype) for _ in range(2))
    o = np.zeros(n + 8, dtype)
    compiled = cpu_kernels.add[(triton.cdiv(n, block),)](x, y, o, n, B=block)
    np.testing.assert_array_equal(o[:n], x + y)
    assert not o[n:].any(), "masked lanes were written"
    return compiled


@pytest.mark.parametrize("n", [1, 7, 255, 256, 257, 1000, 98_432])
def test_add_of_any_length(n: int) -> None:
    run_add(n)


@pytest.mark.parametrize("dtype", ["float64", "int8", "int16", "int32", "int64"])
def test_add_of_other_types(dtype: str) -> None:
    run_add(1000, dtype)


def test_add_of_torch_tensors() -> None:
    torch = pytest.importorskip("torch")
    x, y, o = torch.randn(1000), torch.randn(1000), torch.empty(1000)
    cpu_kernels.add[(4,)](x, y, o, 1000, B=256)
    assert torch.equal(o, x + y)


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (3, 781), (7, 1024), (5, 1000)])
def test_softmax(rows: int, columns: int) -> None:
    x = np.random.default_rng(0).standard_normal((rows, columns)).astype(np.float32)
    o = np.zeros_like(x)
    cpu_kernels.softmax[(rows,)](x, o, columns, columns, B=triton.next_power_of_2(columns))
    wide = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    np.testing.assert_allclose(o, wide / wide.sum(1, keepdims=True), rtol=1e-5, atol=1e-7)


def test_every_stage_is_kept_as_text_that_can_be_read() -> None:
    compiled = run_add(100)
    assert "tt.load" in compiled.asm["ttir"] and "define" in compiled.asm["llir"]
    assert "tt." not in compiled.asm["linalg"].replace("tt.ptr", "")
    assert compiled.asm["obj"].startswith(b"\x7fELF")


def test_a_ttir_file_runs(tmp_path: Path) -> None:
    path = tmp_path / "add.ttir"
    path.write_text(run_add(100, block=64).asm["ttir"])
    x, o = np.ones(100, np.float32), np.zeros(100, np.float32)
    triton.compile(str(path))[(2, 1, 1)](x, x, o, 100)
    assert (o == 2).all()


def test_malformed_ttir_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "add.ttir"
    path.write_text(run_add(100).asm["ttir"])
    from flagtree.compiler import native

    text = path.read_text().replace("tt.load", "tt.no_such_op", 1)
    line = next(i for i, row in enumerate(text.splitlines(), 1) if "tt.no_such_op" in row)
    with pytest.raises(native.compiler().CompileError) as raised:
        native.compiler().Module.parse(text, "broken.ttir")
    assert f"broken.ttir:{line}" in str(raised.value) and "tt.no_such_op" in str(raised.value)


def test_an_operation_without_a_lowering_is_named_with_kernel_and_line() -> None:
    with pytest.raises(KernelCompileError) as raised:
        x = np.zeros(64, np.int32)
        cpu_kernels.assembly[(1,)](x, x, B=64)
    text = str(raised.value)
    assert "kernel `assembly`" in text and "inline_asm" in text and "triton.language" in text
    assert "cpu_kernels.py:" in text


def test_a_tensor_of_another_device_is_refused_by_name() -> None:
    torch = pytest.importorskip("torch")
    x = torch.zeros(64)
    with pytest.raises((TypeError, ValueError), match=r"(?s)\by\b.*meta"):
        cpu_kernels.add[(1,)](x, torch.zeros(64, device="meta"), x, 64, B=64)


@pytest.mark.parametrize("bad", ["text", 3.5, [1, 2]])
def test_what_is_no_pointer_is_refused(bad: Any) -> None:
    x = np.zeros(64, np.float32)
    with pytest.raises(Exception, match=r".") as raised:
        cpu_kernels.add[(1,)](x, bad, x, 64, B=64)
    assert not isinstance(raised.value, SystemError)


def test_an_array_of_complex_numbers_is_refused() -> None:
    x = np.zeros(64, np.complex64)
    with pytest.raises(TypeError, match="complex64"):
        cpu_kernels.add[(1,)](x, x, x, 64, B=64)


def test_an_argument_that_is_missing_is_named() -> None:
    x = np.zeros(64, np.float32)
    with pytest.raises(TypeError, match="'o'"):
        cpu_kernels.add[(1,)](x, x, n=64, B=64)


@pytest.mark.parametrize("keep", [0, 10, -1])
def test_a_truncated_object_on_disk_is_built_again(keep: int, cache_dir: Path) -> None:
    run_add(100)
    (path,) = cache_dir.rglob("add.obj")
    whole = path.read_bytes()
    path.write_bytes(whole[:keep])
    cpu_kernels.add.device_caches.clear()
    run_add(100)
    assert path.read_bytes() == whole


def test_fates_of_a_launch() -> None:
    from flagtree.hints.account import Status, launch_fates

    x = np.zeros(64, np.float32)
    before = dict(cpu_kernels.add.device_caches)
    (fate,) = launch_fates(cpu_kernels.add, x, x, x, 64, B=64)
    assert fate.text == "dma" and fate.status in (Status.APPLIED, Status.UNUSED)
    assert dict(cpu_kernels.add.device_caches) == before


def test_every_pass_of_the_library_is_a_function() -> None:
    from flagtree import passes
    from flagtree.compiler import native

    passes.refresh()
    table = native.compiler().passes()
    functions = {name for group in passes.groups().values() for name in dir(group)}
    assert len(table) > 20 and len(functions) > 20
    pm = passes.PassManager()
    passes.common.add_cse(pm)
    passes.common.add_canonicalize(pm, max_iterations=2)
    module = native.compiler().Module.parse("func.func @f() { return }")
    pm.run(module)
    assert "@f" in str(module)


PROGRAM = """
import sys
sys.path.insert(0, {support!r})
import numpy as np, cpu_kernels, flagtree, triton
flagtree.use("cpu")
for block in (64, 128, 256):
    x, o = np.arange(1000, dtype=np.float32), np.zeros(1000, np.float32)
    cpu_kernels.add[(triton.cdiv(1000, block),)](x, x, o, 1000, B=block)
    assert (o == 2 * x).all()
print("done")
""".format(support=str(Path(__file__).resolve().parents[1] / "support"))


def environment(cache_dir: Path) -> dict[str, str]:
    paths = [p for p in sys.path if (Path(p) / "flagtree").is_dir() or "flagtree-test-" in p]
    return {**os.environ, "TRITON_CACHE_DIR": str(cache_dir), "PYTHONPATH": os.pathsep.join(paths)}


def start(code: str, cache_dir: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", textwrap.dedent(code)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment(cache_dir), stdout=pipe, stderr=pipe, text=True)


def test_four_processes_compile_the_same_kernels_at_once(cache_dir: Path) -> None:
    running = [start(PROGRAM, cache_dir) for _ in range(4)]
    for process in running:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0 and out == "done\n", err
    assert len(list(cache_dir.rglob("add.obj"))) == 3
    assert not [p for p in cache_dir.rglob("tmp.pid_*") if any(p.iterdir())]


def test_threads_compile_the_same_kernel_at_once(cache_dir: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(run_add, [1000] * 16))


COMPILE_FOREVER = (
    PROGRAM.rpartition("print")[0]
    + """
print("ready", flush=True)
block = 2
while True:
    cpu_kernels.add.device_caches.clear()
    triton.knobs.compilation.always_compile = True
    cpu_kernels.add[(1,)](x, x, o, 1, B=block)
    block = 2 if block > 4096 else block * 2
"""
)


def test_ctrl_c_during_a_compile_ends_it_and_the_cache_stays_good(
    cache_dir: Path, run_python: Callable[..., Any]
) -> None:
    process = start(COMPILE_FOREVER, cache_dir)
    assert process.stdout is not None and process.stdout.readline() == "ready\n", process.stderr.read()
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert "KeyboardInterrupt" in err and process.returncode in (1, -signal.SIGINT, 130), err
    assert run_python(PROGRAM).stdout == "done\n"
