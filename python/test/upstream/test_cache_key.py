# SPDX-License-Identifier: MIT
"""Every ingredient of the cache key flips it, within one process too."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from flagtree.compiler import build_id as build_ids
from flagtree.hints import registry
from flagtree.hints.registry import HintSpec
from flagtree.hints.suppress import suppress
from flagtree.switches import CODE_MODES
from flagtree.upstream import cache_key, stages


def key() -> str:
    from triton.runtime.cache import triton_key

    return triton_key()


def test_the_key_is_stable_while_nothing_changes() -> None:
    assert key() == key()


@pytest.mark.parametrize("mode", CODE_MODES)
def test_a_mode_flips_the_key_and_back(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = key()
    monkeypatch.setenv(mode, "off")
    assert key() != before
    monkeypatch.delenv(mode)
    assert key() == before


@pytest.mark.parametrize(
    "name", ["frontend/bind.py", "hints/parse.py", "upstream/frontend.py", "compiler/errors.py"]
)
def test_our_own_python_is_part_of_it(name: str) -> None:
    assert any(str(path).endswith(f"flagtree/{name}") for path in cache_key.source_files())


def test_the_backends_python_and_hardware_facts_are_part_of_it() -> None:
    names = [path.name for path in cache_key.source_files()]
    assert "pipeline.py" in names and names.count("hardware.toml") >= 1


def test_a_changed_source_file_flips_the_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "shaping.py"
    file.write_text("A = 1")
    monkeypatch.setattr(cache_key, "source_files", lambda: [file])
    before = key()
    file.write_text("A = 22")
    assert key() != before


def test_a_source_file_of_the_same_size_flips_the_key(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "shaping.py"
    file.write_text("A = 1")
    monkeypatch.setattr(cache_key, "source_files", lambda: [file])
    before = key()
    file.write_text("A = 2")
    os.utime(file, ns=(1, 1))
    assert key() != before


def test_a_plugins_content_flips_the_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plugin = tmp_path / "plugin.so"
    plugin.write_bytes(b"one")
    monkeypatch.setenv("FLAGTREE_PLUGIN", str(plugin))
    before = key()
    plugin.write_bytes(b"other")
    assert key() != before


def test_a_plugin_that_cannot_be_read_gives_a_key_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAGTREE_PLUGIN", "/nonexistent/plugin.so")
    assert "-flagtree-" in key()


def test_the_library_flips_the_key_without_being_loaded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(build_ids, "_NATIVE", tmp_path)
    absent = key()
    (tmp_path / "libFlagTree.so").write_bytes(elf(b"\x01" * 20))
    first = key()
    (tmp_path / "libFlagTree.so").write_bytes(elf(b"\x02" * 20))
    os.utime(tmp_path / "libFlagTree.so", ns=(7, 7))
    assert len({absent, first, key()}) == 3


def elf(identity: bytes) -> bytes:
    """A 64-bit ELF header with one program header: the note with the build id."""
    note = struct.pack("<III", 4, len(identity), 3) + b"GNU\0" + identity
    header = (
        b"\x7fELF\x02\x01\x01"
        + bytes(9)
        + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    )
    return header + struct.pack("<IIQQQQQQ", 4, 4, 120, 120, 120, len(note), len(note), 4) + note


def test_the_build_id_is_read_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "lib.so"
    path.write_bytes(elf(bytes(range(20))))
    assert build_ids.build_id(path) == bytes(range(20)).hex()


@pytest.mark.parametrize(
    "content", [b"", b"\x7fELF", b"\x7fELF\x02\x01" + b"\xff" * 100, elf(b"\x01" * 20)[:100]]
)
def test_a_library_without_a_readable_build_id_is_told_by_its_stamp(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "lib.so"
    path.write_bytes(content)
    assert build_ids.build_id(path).startswith("mtime-")


def test_no_library_is_absent(tmp_path: Path) -> None:
    assert build_ids.build_id(tmp_path / "lib.so") == "absent"


def test_a_suppressed_hint_flips_the_key_and_back() -> None:
    before = key()
    with suppress([("source", 0)]):
        assert key() != before
    assert key() == before


def test_a_registered_hint_flips_the_key_and_back() -> None:
    before = key()
    keys = set()
    for subjects in ({"load"}, {"load", "store"}):
        registry.register(HintSpec("for_the_key", frozenset(subjects), doc="words shape no code"))
        keys.add(key())
        registry.unregister("for_the_key")
        assert key() == before
    assert len(keys) == 2 and before not in keys


def test_a_hint_that_is_no_longer_known_flips_the_key() -> None:
    before = key()
    spec = registry.get("dma")
    registry.unregister("dma")
    try:
        assert key() != before
    finally:
        registry.register(spec)
    assert key() == before


HINT_OF_A_PROCESS = """
import sys
import numpy as np
import flagtree
import triton
import triton.language as tl
from flagtree.hints import registry

@triton.jit
def kernel(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i))  #@hint: of_this_process

def fate():
    x = np.arange(16, dtype=np.float32)
    return kernel[(1,)](x, x.copy(), B=16).metadata.flagtree_hints[0]["attached"]

flagtree.use("cpu")
found = [fate()]
for subjects in sys.argv[1:]:
    registry.register(registry.HintSpec("of_this_process", frozenset({subjects})))
    found.append(fate())
    registry.unregister("of_this_process")
print(found)
"""


def test_no_process_gets_a_kernel_that_was_compiled_with_another_hint_registered(
    run_kernel_file: Callable,
) -> None:
    for subjects in ("load", "store", "dot"):
        got = [subjects] if subjects != "dot" else []
        done = run_kernel_file(HINT_OF_A_PROCESS.replace("sys.argv[1:]", f"[{subjects!r}]"))
        assert done.stdout.split("\n")[-2] == str([[], got]), done.stderr


def test_a_stage_extension_flips_the_key_and_back() -> None:
    before = key()
    stages.extend("test", lambda *args: None)
    try:
        assert key() != before
    finally:
        stages.retract("test")
    assert key() == before


def test_the_processor_asked_for_is_in_the_cpu_backends_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    from triton.backends.compiler import GPUTarget

    from flagtree.backends.cpu import host
    from flagtree.backends.cpu.compiler import CPUBackend

    backend = CPUBackend(GPUTarget("cpu", host.machine(), 1))
    before = backend.hash()
    monkeypatch.setenv("FLAGTREE_CPU", "znver3")
    other_cpu = backend.hash()
    monkeypatch.setenv("FLAGTREE_CPU_FEATURES", "+avx2")
    other_features = backend.hash()
    monkeypatch.setattr(host, "_processor_digest", lambda: "another machine")
    assert len({before, other_cpu, other_features, backend.hash()}) == 4


def test_the_key_needs_no_native_code(run_python: Callable) -> None:
    run_python(
        """
        import triton
        from triton.runtime.cache import triton_key
        triton_key()
        assert "libFlagTree" not in open("/proc/self/maps").read()
        """
    )
