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


def test_the_target_spec_is_what_the_file_says_and_nothing_that_is_not_known() -> None:
    spec = hardware.unified("nvidia", "sm90").target_spec(warps=4, none=None)
    assert spec.startswith('#dlti.target_system_spec<"nvidia" = #dlti.target_device_spec<"arch" = "sm90", ')
    assert '"cores" = 132 : i64, "dma_tag" = "tensor_memory_access", "shared_tag" = "shared"' in spec
    assert '"warps" = 4 : i64, "memory" = #dlti.map<' in spec and "none" not in spec.lower()
    assert '"shared" = #dlti.map<"bytes" = 232448 : i64, "bytes_per_unit" = 233472 : i64, ' in spec


def test_text_in_a_target_spec_is_quoted() -> None:
    odd = hardware.UnifiedHardware("a", 'größe "x"\n')
    assert odd.target_spec() == (
        '#dlti.target_system_spec<"a" = #dlti.target_device_spec<"arch" = "gr\\C3\\B6\\C3\\9Fe \\22x\\22\\0A">>'
    )


@pytest.mark.parametrize(("backend", "arch"), [("nvidia", "sm90"), ("amd", "gfx942"), ("cpu", "x86_64")])
def test_the_library_reads_every_target_spec(backend: str, arch: str) -> None:
    from flagtree.compiler import native
    from flagtree.compiler.pass_manager import PassManager
    from flagtree.passes import flir

    spec = hardware.unified(backend, arch).target_spec()
    module = native.compiler().Module.parse("module {}")
    manager = PassManager()
    flir.add_set_hardware(manager, spec=spec)
    manager.run(module)
    assert spec in str(module)


def test_the_spec_of_the_host_follows_the_processor_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    from flagtree.backends.cpu import host

    if platform.machine() != "x86_64":
        pytest.skip("the processors asked for are of x86")
    own = host.target_spec()
    assert f'"streaming_bytes" = {host.streaming_bytes()} : i64' in own and '"cores" = ' in own
    for cpu, width, registers in (("x86-64-v3", 32, 16), ("znver4", 64, 32)):
        monkeypatch.setenv("FLAGTREE_CPU", cpu)
        spec = host.target_spec()
        assert f'"vector_bytes" = {width} : i64, "vector_registers" = {registers} : i64' in spec
        assert "cores" not in spec and "memory" not in spec


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
