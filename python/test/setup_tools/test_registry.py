# SPDX-License-Identifier: MIT
"""Discovery of backends, and the selection that FLAGTREE_BACKEND makes."""

from __future__ import annotations

from pathlib import Path

import pytest

from setup_tools import registry
from setup_tools.errors import SetupError


def names(root: Path, requested: str | None) -> list[str]:
    return [one.name for one in registry.select(requested, registry.discover(root / "third_party"))]


def test_every_folder_with_a_backend_directory_is_found(checkout):
    assert list(registry.discover(checkout / "third_party")) == ["amd", "cpu", "npu", "nvidia"]


def test_adding_a_folder_adds_a_backend(checkout):
    source = checkout / "third_party" / "sunrise" / "backend"
    source.mkdir(parents=True)
    for file in ("__init__.py", "hardware.toml"):
        (source / file).touch()
    assert names(checkout, "sunrise") == ["sunrise"]


def test_only_a_backend_with_compiler_and_driver_is_a_plugin(checkout):
    known = registry.discover(checkout / "third_party")
    assert {name for name, one in known.items() if one.plugin} == {"cpu", "npu"}


@pytest.mark.parametrize("requested", [None, "", "  ", ",", " , ;"])
def test_no_name_means_the_default(checkout, requested):
    assert names(checkout, requested) == ["cpu", "nvidia", "amd"]


@pytest.mark.parametrize(
    ("requested", "expected"),
    [
        ("cpu", ["cpu"]),
        ("npu,cpu", ["npu", "cpu"]),
        (" cpu , npu ", ["cpu", "npu"]),
        ("cpu;npu amd", ["cpu", "npu", "amd"]),
        ("cpu,,npu,", ["cpu", "npu"]),
        ("npu,cpu,npu,npu", ["npu", "cpu"]),
        ("CPU,Nvidia", ["cpu", "nvidia"]),
    ],
)
def test_names_keep_their_order_and_appear_once(checkout, requested, expected):
    assert names(checkout, requested) == expected


def test_an_unknown_name_is_an_error_with_the_nearest_known_and_the_list(checkout):
    with pytest.raises(SetupError) as caught:
        names(checkout, "cpu,nvida")
    text = str(caught.value)
    assert "no backend 'nvida'" in text
    assert "did you mean 'nvidia'?" in text
    assert "Known: amd, cpu, npu, nvidia" in text


def test_a_name_unlike_any_other_gets_no_suggestion(checkout):
    with pytest.raises(SetupError) as caught:
        names(checkout, "quantum")
    assert "did you mean" not in str(caught.value)


def test_a_missing_default_backend_is_an_error(tmp_path):
    (tmp_path / "third_party").mkdir()
    with pytest.raises(SetupError, match=r"no backend 'cpu'.*Known: none"):
        names(tmp_path, None)


def test_without_third_party_the_error_names_the_folder(tmp_path):
    with pytest.raises(SetupError, match=r"third_party is no directory"):
        registry.discover(tmp_path / "third_party")


@pytest.mark.parametrize("file", ["__init__.py", "hardware.toml"])
def test_a_backend_without_a_required_file_is_an_error_naming_it(checkout, file):
    (checkout / "third_party/npu/backend" / file).unlink()
    with pytest.raises(SetupError, match=rf"backend 'npu': .*{file} is missing"):
        registry.discover(checkout / "third_party")


@pytest.mark.parametrize(("removed", "left"), [("compiler.py", "driver.py"), ("driver.py", "compiler.py")])
def test_half_a_plugin_is_an_error(checkout, removed, left):
    (checkout / "third_party/npu/backend" / removed).unlink()
    with pytest.raises(SetupError, match=f"backend 'npu': .* has {left} alone"):
        registry.discover(checkout / "third_party")


@pytest.mark.parametrize("name", ["My-Chip", "2fast", "UPPER"])
def test_a_folder_name_that_cannot_be_a_package_is_an_error(checkout, name):
    (checkout / "third_party" / name / "backend").mkdir(parents=True)
    with pytest.raises(SetupError, match=f"the name '{name}' becomes a Python package"):
        registry.discover(checkout / "third_party")


def test_broken_hardware_toml_is_reported_with_its_path(checkout):
    (checkout / "third_party/npu/backend/hardware.toml").write_text("[device\n", encoding="utf-8")
    with pytest.raises(SetupError, match=r"npu/backend/hardware.toml is not valid TOML"):
        registry.discover(checkout / "third_party")


def test_hardware_toml_of_another_backend_is_an_error(checkout):
    (checkout / "third_party/npu/backend/hardware.toml").write_text(
        '[device]\nname = "cpu"\n', encoding="utf-8"
    )
    with pytest.raises(
        SetupError, match=r"says \[device\] name = 'cpu'; it must be the folder's name, 'npu'"
    ):
        registry.discover(checkout / "third_party")


@pytest.mark.parametrize(
    ("requested", "needed"), [("nvidia,amd", False), ("nvidia", False), ("nvidia,npu", True)]
)
def test_the_mlir_library_is_needed_only_by_plugins(checkout, requested, needed):
    chosen = registry.select(requested, registry.discover(checkout / "third_party"))
    assert registry.needs_compiler(chosen) is needed


def test_this_checkout_has_the_default_backends_and_cpu_alone_compiles():
    known = registry.discover(Path(__file__).parents[3] / "third_party")
    chosen = registry.select(None, known)
    assert [one.name for one in chosen] == ["cpu", "nvidia", "amd"]
    assert [one.name for one in chosen if one.plugin] == ["cpu"]
