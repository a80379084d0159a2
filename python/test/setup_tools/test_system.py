# SPDX-License-Identifier: MIT
"""Installing the system's packages, against a stand-in for apt."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from setup_tools import system
from setup_tools.errors import SetupError

OPTIONAL = set(system.OPTIONAL_PACKAGES)
ALL = set(system.BASE_PACKAGES) | set(system.LLVM_PACKAGES) | OPTIONAL


class Apt:
    """Answers dpkg-query, apt-cache and apt-get from two sets and records what was installed."""

    def __init__(self, installed: set[str], offered: set[str], status: int = 0) -> None:
        self.installed, self.offered, self.status = installed, offered, status
        self.commands: list[list[str]] = []

    def __call__(self, command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        self.commands.append([str(word) for word in command])
        output = ""
        if command[0] == "dpkg-query":
            output = "".join(f"{name} installed\n" for name in command[3:] if name in self.installed)
            output += "".join(f"{name} config-files\n" for name in command[3:] if name not in self.installed)
        elif command[0] == "apt-cache":
            output = f"  Candidate: {'1.0' if command[2] in self.offered else '(none)'}\n"
        return subprocess.CompletedProcess(command, self.status if "install" in command else 0, output, "")

    def ran(self, *words: str) -> list[list[str]]:
        return [command for command in self.commands if all(word in command for word in words)]


@pytest.fixture
def environ(tmp_path, fake_program) -> dict[str, str]:
    """A PATH with apt-get and with a whole LLVM 22."""
    llvm = tmp_path / "llvm"
    (llvm / "lib/cmake/mlir").mkdir(parents=True)
    (llvm / "lib/cmake/mlir/MLIRConfig.cmake").touch()
    fake_program("llvm-config-22", prefix=str(llvm), version="22.1.8")
    for name in ("apt-get", "clang++-22"):
        fake_program(name)
    return {"PATH": str(tmp_path / "bin")}


@pytest.fixture
def as_root(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)


def test_nothing_runs_when_all_packages_are_there(environ):
    apt = Apt(ALL, set())
    assert system.ensure(environ, run=apt) == []
    assert not apt.ran("apt-get", "update")


def test_what_is_optional_is_installed_where_it_is_offered(environ, as_root):
    assert set(system.ensure(environ, run=Apt(ALL - OPTIONAL, ALL))) == OPTIONAL
    apt = Apt(ALL - OPTIONAL, ALL - OPTIONAL)
    assert system.ensure(environ, run=apt) == [] and not apt.ran("apt-get", "install")


def test_what_is_optional_is_not_asked_for_without_the_right_to_install(environ, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    apt = Apt(ALL - OPTIONAL, ALL)
    assert system.ensure(environ, run=apt) == [] and not apt.ran("apt-get", "update")


def test_only_what_is_missing_is_installed_after_an_update(environ, as_root):
    apt = Apt(ALL - {"ccache", "libmlir-22-dev"}, ALL)
    assert set(system.ensure(environ, run=apt)) == {"ccache", "libmlir-22-dev"}
    update, install = apt.ran("apt-get", "update")[0], apt.ran("apt-get", "install")[0]
    assert apt.commands.index(update) < apt.commands.index(install)
    assert set(install[install.index("--no-install-recommends") + 1 :]) == {"ccache", "libmlir-22-dev"}
    assert "DEBIAN_FRONTEND=noninteractive" in install


def test_a_removed_package_whose_configuration_is_left_counts_as_missing(environ, as_root):
    assert system.ensure(environ, run=Apt(ALL - {"ninja-build"}, ALL)) == ["ninja-build"]


def test_a_user_installs_through_sudo(environ, monkeypatch, fake_program):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    sudo = fake_program("sudo")
    apt = Apt(ALL - {"ccache"}, ALL)
    system.ensure(environ, run=apt)
    assert apt.ran("apt-get", "install")[0][0] == str(sudo)


def test_a_user_without_sudo_is_told_the_line_for_root(environ, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(SetupError, match="apt-get update && apt-get install -y ccache"):
        system.ensure(environ, run=Apt(ALL - {"ccache"}, ALL))


def test_with_llvm_syspath_no_llvm_package_is_installed(environ, as_root, tmp_path):
    apt = Apt(set(), ALL)
    installed = system.ensure({**environ, "LLVM_SYSPATH": str(tmp_path / "llvm")}, run=apt)
    assert set(installed) == set(system.BASE_PACKAGES) | OPTIONAL


def test_an_apt_without_llvm_22_stops_with_the_lines_that_bring_it(environ, as_root):
    apt = Apt(set(), set(system.BASE_PACKAGES))
    with pytest.raises(SetupError) as caught:
        system.ensure(environ, run=apt)
    text = str(caught.value)
    assert "apt offers no clang-22" in text
    assert "apt.llvm.org" in text
    assert "export LLVM_SYSPATH=" in text
    assert not apt.ran("apt-get", "install")


def test_a_failed_install_is_an_error(environ, as_root):
    with pytest.raises(SetupError, match=r"install -y .* failed"):
        system.ensure(environ, run=Apt(set(), ALL, status=100))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ID=ubuntu\nID_LIKE=debian\n", "apt.llvm.org"),
        ("ID=debian\n", "apt.llvm.org"),
        ('ID="rocky"\nID_LIKE="rhel centos fedora"\n', "dnf install"),
        ("ID=fedora\n", "dnf install"),
        ("ID=arch\n", "conda create"),
    ],
)
def test_instructions_fit_the_system_and_always_name_llvm_syspath(tmp_path, text, expected):
    release = tmp_path / "os-release"
    release.write_text(text, encoding="utf-8")
    told = system.instructions(release)
    assert expected in told
    assert "export LLVM_SYSPATH=" in told


def test_a_system_without_apt_and_llvm_gets_instructions(tmp_path):
    with pytest.raises(SetupError, match=r"LLVM 22 not found[\s\S]*conda create"):
        system.ensure({"PATH": str(tmp_path)}, release=Path("/nowhere"))


def test_a_system_without_apt_but_with_llvm_is_content(environ, tmp_path):
    (tmp_path / "bin/apt-get").unlink()
    assert system.ensure(environ) == []
