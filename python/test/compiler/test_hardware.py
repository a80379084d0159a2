# SPDX-License-Identifier: MIT
"""UnifiedHardware: what hardware.toml says, as queries."""

from __future__ import annotations

import dataclasses
import os
import platform

import pytest

from flagtree import backends
from flagtree.compiler import hardware


def test_an_architecture_has_its_memories_and_their_sizes() -> None:
    hopper = hardware.unified("nvidia", "sm90")
    assert hopper.shared is hopper.memory("shared") and hopper.shared is not None
    assert (hopper.shared.bytes, hopper.shared.bytes_per_unit, hopper.shared.address_space) == (
        232448,
        233472,
        3,
    )
    assert hopper.cores == 132 and hopper.dma_tag == "tensor_memory_access" and hopper.kind == "gpu"
    assert hopper.memory("tensor") is None and hopper.has("async_copy") and not hopper.has("warp_size")


@pytest.mark.parametrize("spelling", ["sm90", "90", "sm_90", "sm90a", "sm_90a"])
def test_the_spellings_of_one_architecture(spelling: str) -> None:
    assert hardware.unified("nvidia", spelling).arch == "sm90"


@pytest.mark.parametrize(
    ("target", "arch", "backend"),
    [("cuda", 80, "nvidia"), ("hip", "gfx942", "amd"), ("cpu", "x86_64", "cpu")],
)
def test_a_target_of_tritons_is_found(target: str, arch: object, backend: str) -> None:
    found = hardware.of_target(target, arch)
    assert found is not None and found.backend == backend and found.memories


def test_what_is_not_known_is_none_and_not_an_error() -> None:
    unknown = hardware.unified("nvidia", "sm1")
    assert unknown.shared is None and unknown.cores is None and unknown.vectors == ()
    assert hardware.of_target("npu9000", "x") is None and hardware.backend_of("npu9000") == ""


def test_vector_registers() -> None:
    host = hardware.unified("cpu", "x86_64")
    assert host.vector_widths == (128, 256, 512) and host.reduce_strategy == "linalg_reduce"
    assert [host.registers(bits) for bits in (128, 256, 512, 64)] == [16, 16, 32, None]


def test_the_processor_itself_tells_cores_and_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    host = hardware.unified("cpu", platform.machine())
    assert host.cores == len(os.sched_getaffinity(0))
    monkeypatch.setenv("FLAGTREE_CPU", "skylake-avx512")
    hardware.unified.cache_clear()
    assert hardware.unified("cpu", platform.machine()).cores is None
    hardware.unified.cache_clear()


@pytest.mark.parametrize("backend", backends.available())
def test_the_file_of_every_backend_names_what_the_queries_need(backend: str) -> None:
    default = hardware.unified(backend, str(hardware.device(backend)["default_arch"]))
    assert default.kind in ("gpu", "npu", "host")
    assert default.kind == "host" or (default.shared is not None and default.shared.bytes and default.cores)


def test_it_cannot_be_changed() -> None:
    hopper = hardware.unified("nvidia", "sm90")
    with pytest.raises(dataclasses.FrozenInstanceError):
        hopper.cores = 1  # type: ignore[misc]
    with pytest.raises(TypeError):
        hopper.memories["shared"] = None  # type: ignore[index]
    assert hash(hopper) == hash(hardware.unified("nvidia", "sm90"))
