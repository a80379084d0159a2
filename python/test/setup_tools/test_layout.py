# SPDX-License-Identifier: MIT
"""Packages, entry points and links that follow from the selected backends."""

from __future__ import annotations

from pathlib import Path

import pytest

from setup_tools import layout, registry
from setup_tools.errors import SetupError


def select(root: Path, requested: str) -> tuple[registry.Backend, ...]:
    return registry.select(requested, registry.discover(root / "third_party"))


def links(root: Path) -> set[str]:
    return {path.name for path in (root / "python/flagtree/backends").iterdir() if path.is_symlink()}


def test_a_wheel_holds_the_trunk_and_the_selected_backends_only(checkout):
    chosen = layout.wheel_layout(checkout, select(checkout, "cpu,amd"))
    assert "flagtree.upstream.entry" in chosen.packages
    backends = {name for name in chosen.packages if name.startswith("flagtree.backends.")}
    assert backends == {
        "flagtree.backends.cpu",
        "flagtree.backends.cpu.spec",
        "flagtree.backends.amd",
        "flagtree.backends.amd.spec",
    }
    assert chosen.package_dir["flagtree.backends.cpu"] == "third_party/cpu/backend"


def test_links_of_a_development_build_are_not_packaged(checkout):
    layout.link(checkout, select(checkout, "npu"))
    packages = layout.wheel_layout(checkout, select(checkout, "cpu")).packages
    assert not [name for name in packages if "npu" in name]
    assert len(packages) == len(set(packages))


def test_caches_are_no_packages(checkout):
    cache = checkout / "third_party/cpu/backend/__pycache__"
    cache.mkdir()
    (cache / "x.py").touch()
    assert not [
        name for name in layout.wheel_layout(checkout, select(checkout, "cpu")).packages if "cache" in name
    ]


def test_entry_points_name_plugins_and_always_the_attachment(checkout):
    both = layout.entry_points(select(checkout, "cpu,nvidia,npu"))
    assert both == {
        "triton.backends": [
            "cpu = flagtree.backends.cpu",
            "npu = flagtree.backends.npu",
            "flagtree = flagtree.upstream.entry",
        ]
    }
    assert layout.entry_points(select(checkout, "nvidia")) == {
        "triton.backends": ["flagtree = flagtree.upstream.entry"]
    }


def test_linking_makes_each_selected_backend_importable_in_place(checkout):
    layout.link(checkout, select(checkout, "cpu,nvidia"))
    assert links(checkout) == {"cpu", "nvidia"}
    assert (checkout / "python/flagtree/backends/cpu/compiler.py").is_file()


def test_links_are_relative_so_that_a_moved_checkout_still_works(checkout):
    layout.link(checkout, select(checkout, "cpu"))
    moved = checkout.rename(checkout.with_name("moved"))
    assert (moved / "python/flagtree/backends/cpu/driver.py").is_file()


def test_another_selection_removes_the_links_of_the_last(checkout):
    layout.link(checkout, select(checkout, "cpu,nvidia"))
    layout.link(checkout, select(checkout, "npu"))
    assert links(checkout) == {"npu"}


def test_a_link_to_elsewhere_is_replaced(checkout):
    path = checkout / "python/flagtree/backends/cpu"
    path.symlink_to(checkout / "gone")
    layout.link(checkout, select(checkout, "cpu"))
    assert path.resolve() == (checkout / "third_party/cpu/backend").resolve()


def test_a_real_directory_in_the_way_is_kept_and_reported(checkout):
    path = checkout / "python/flagtree/backends/cpu"
    path.mkdir()
    with pytest.raises(SetupError, match="in the way"):
        layout.link(checkout, select(checkout, "cpu"))
    assert path.is_dir()


def test_requirements_are_those_of_pyproject(checkout):
    (checkout / "pyproject.toml").write_text(
        '[project]\ndependencies = ["a>=1"]\n[project.optional-dependencies]\nx = ["b"]\ny = ["c"]\n',
        encoding="utf-8",
    )
    assert layout.requirements(checkout, []) == ["a>=1"]
    assert layout.requirements(checkout, ["y"]) == ["a>=1", "c"]
    with pytest.raises(SetupError, match="no optional dependencies z; it has x, y"):
        layout.requirements(checkout, ["z"])


def test_no_version_of_triton_is_pinned():
    stated = layout.requirements(Path(__file__).parents[3], [])
    assert [line for line in stated if line.startswith("triton")] == ["triton>=3.6,<3.10"]
