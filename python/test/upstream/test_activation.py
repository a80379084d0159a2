# SPDX-License-Identifier: MIT
"""Which backend is active: flagtree.use > TRITON_DEFAULT_BACKEND > a vendor's device > upstream's GPU > the host."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from triton.backends import backends
from triton.backends.driver import DriverBase

import flagtree
from flagtree.runtime.driver import FlagTreeDriver
from flagtree.upstream import activation
from flagtree.upstream.entry.driver import AttachDriver


def ours(present: bool, host: bool = False) -> type:
    body = {"is_host": host, "is_present": classmethod(lambda cls: present)}
    return type("Ours", (FlagTreeDriver,), body)


def upstreams(active: bool) -> type:
    return type("Upstreams", (DriverBase,), {"is_active": classmethod(lambda cls: active)})


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Replace the registry of backends: `register(name=driver_class, …)`."""

    def replace(**drivers: type) -> None:
        registry = {name: SimpleNamespace(driver=driver, compiler=None) for name, driver in drivers.items()}
        registry["flagtree"] = SimpleNamespace(driver=AttachDriver, compiler=None)
        monkeypatch.setattr(activation, "_backends", lambda: registry)

    monkeypatch.setattr(activation, "_chosen", None)
    return replace


def test_the_host_when_there_is_nothing_else(register: Callable) -> None:
    register(host=ours(True, host=True), nvidia=upstreams(False), npu=ours(False))
    assert activation.select() == "host"


def test_upstreams_gpu_before_the_host(register: Callable) -> None:
    register(host=ours(True, host=True), nvidia=upstreams(True), npu=ours(False))
    assert activation.select() == "nvidia"


def test_a_vendors_device_before_upstreams_gpu(register: Callable) -> None:
    register(host=ours(True, host=True), nvidia=upstreams(True), npu=ours(True))
    assert activation.select() == "npu"


def test_the_environment_before_any_device(register: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    register(host=ours(True, host=True), nvidia=upstreams(True), npu=ours(True))
    monkeypatch.setenv("TRITON_DEFAULT_BACKEND", "host")
    assert activation.select() == "host"


def test_use_before_the_environment(register: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    register(host=ours(True, host=True), nvidia=upstreams(True))
    monkeypatch.setenv("TRITON_DEFAULT_BACKEND", "host")
    monkeypatch.setattr(activation, "_chosen", "nvidia")
    assert activation.select() == "nvidia"


def test_two_vendors_devices_are_a_choice_for_a_person(register: Callable) -> None:
    register(host=ours(True, host=True), one=ours(True), two=ours(True))
    with pytest.raises(RuntimeError, match=r"several backends are present: one, two.*flagtree.use\('one'\)"):
        activation.select()


def test_no_backend_at_all_says_what_to_do(register: Callable) -> None:
    register(nvidia=upstreams(False))
    with pytest.raises(RuntimeError, match="no backend is usable here; registered are nvidia"):
        activation.select()


def test_an_unknown_name_in_the_environment_names_the_nearest(
    register: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(host=ours(True, host=True))
    monkeypatch.setenv("TRITON_DEFAULT_BACKEND", "hots")
    with pytest.raises(
        ValueError, match=r"TRITON_DEFAULT_BACKEND='hots' is not registered.*did you mean 'host'"
    ):
        activation.select()


def test_a_backend_without_its_device_is_refused(register: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    register(host=ours(True, host=True), npu=ours(False))
    monkeypatch.setenv("TRITON_DEFAULT_BACKEND", "npu")
    with pytest.raises(RuntimeError, match="'npu' has no device on this machine; usable are host"):
        activation.select()


def test_exactly_one_driver_says_that_it_is_active(register: Callable) -> None:
    host, npu = ours(True, host=True), ours(True)
    register(host=host, npu=npu)
    assert npu.is_active() and not host.is_active()


def test_is_active_never_raises(register: Callable) -> None:
    one, two = ours(True), ours(True)
    register(one=one, two=two)
    assert not one.is_active() and not two.is_active()


@pytest.fixture
def second(monkeypatch: pytest.MonkeyPatch, automatic_backend: None) -> Any:
    """One more backend in the real registry, with a driver that can be made."""

    class Second(FlagTreeDriver):
        @classmethod
        def is_present(cls) -> bool:
            return True

        def map_python_to_cpp_type(self, ty: str) -> str:
            return ty

        def get_current_target(self) -> None: ...

        def get_active_torch_device(self) -> None: ...

        def get_benchmarker(self) -> None: ...

    monkeypatch.setitem(backends, "second", SimpleNamespace(driver=Second, compiler=None))
    return Second


def active() -> type:
    return type(sys.modules["triton.runtime.driver"].driver.active)


def test_use_switches_at_once_and_none_returns_to_the_automatic_choice(second: Any) -> None:
    flagtree.use("cpu")
    assert active().__name__ == "CPUDriver"
    flagtree.use("second")
    assert active() is second
    flagtree.use("cpu")
    assert active().__name__ == "CPUDriver"
    flagtree.use(None)
    assert active() is second, "a vendor's device comes before the host"


def test_use_of_an_unknown_backend_changes_nothing(automatic_backend: None) -> None:
    flagtree.use("cpu")
    with pytest.raises(ValueError, match=r"'cpv' is not registered.*did you mean 'cpu'"):
        flagtree.use("cpv")
    assert activation.chosen() == "cpu" and active().__name__ == "CPUDriver"


def test_the_environment_is_honoured_by_every_triton(run_python: Callable) -> None:
    run_python(
        "import triton; assert type(triton.runtime.driver.active).__name__ == 'CPUDriver'",
        TRITON_DEFAULT_BACKEND="cpu",
    )
    absent = next(name for name in ("amd", "nvidia") if not backends[name].driver.is_active())
    done = run_python(
        "import triton; triton.runtime.driver.active", check=False, TRITON_DEFAULT_BACKEND=absent
    )
    assert f"'{absent}' has no device" in done.stderr
