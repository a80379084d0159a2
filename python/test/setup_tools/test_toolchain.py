# SPDX-License-Identifier: MIT
"""Which LLVM, compiler, linker and cache are chosen, and what is said when one does not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from setup_tools import toolchain
from setup_tools.errors import SetupError


def prefix(root: Path, name: str = "llvm") -> Path:
    folder = root / name
    (folder / "lib/cmake/mlir").mkdir(parents=True)
    (folder / "lib/cmake/mlir/MLIRConfig.cmake").touch()
    (folder / "bin").mkdir()
    return folder


def path(root: Path, *folders: str) -> dict[str, str]:
    """An environment whose PATH has these folders of `root` and the shell that the fakes need."""
    return {"PATH": ":".join(str(root / folder) for folder in folders)}


def test_llvm_config_of_the_right_version_gives_the_prefix(tmp_path, fake_program):
    llvm = prefix(tmp_path)
    fake_program("llvm-config-22", prefix=str(llvm), version="22.1.8")
    assert toolchain.find_llvm(path(tmp_path, "bin")) == llvm


def test_llvm_syspath_wins_over_llvm_config(tmp_path, fake_program):
    fake_program("llvm-config-22", prefix="/elsewhere", version="22.1.8")
    stated = prefix(tmp_path, "mine")
    assert toolchain.find_llvm({**path(tmp_path, "bin"), "LLVM_SYSPATH": str(stated)}) == stated


def test_llvm_syspath_without_mlir_is_an_error_naming_the_file(tmp_path):
    with pytest.raises(SetupError, match=r"LLVM_SYSPATH=.*MLIRConfig.cmake does not exist"):
        toolchain.find_llvm({"LLVM_SYSPATH": str(tmp_path)})


def test_llvm_syspath_of_another_version_is_refused(tmp_path, fake_program):
    llvm = prefix(tmp_path)
    fake_program("llvm-config", "llvm/bin", version="21.1.0")
    with pytest.raises(SetupError, match=r"is LLVM 21.1.0; FlagTree needs LLVM 22"):
        toolchain.find_llvm({"LLVM_SYSPATH": str(llvm)})


@pytest.mark.parametrize("version", ["14.0.6", "2.2.0", "221.0.0"])
def test_llvm_config_of_another_version_is_refused(tmp_path, fake_program, version):
    fake_program("llvm-config", prefix=str(tmp_path), version=version)
    with pytest.raises(SetupError, match=f"is of LLVM {version}; FlagTree needs LLVM 22"):
        toolchain.find_llvm(path(tmp_path, "bin"))


def test_llvm_without_mlir_is_an_error(tmp_path, fake_program):
    fake_program("llvm-config-22", prefix=str(tmp_path), version="22.1.8")
    with pytest.raises(SetupError, match="has no MLIR"):
        toolchain.find_llvm(path(tmp_path, "bin"))


def test_no_llvm_at_all_is_an_error_that_names_both_ways(tmp_path):
    with pytest.raises(SetupError, match=r"LLVM_SYSPATH is unset and there is no llvm-config-22"):
        toolchain.find_llvm(path(tmp_path, "empty"))


def test_the_numbered_clang_is_preferred_and_lld_and_ccache_are_found(tmp_path, fake_program):
    llvm = prefix(tmp_path)
    for name in ("clang++", "clang++-22", "ccache", "ld.lld-22"):
        fake_program(name)
    found = toolchain.find(environ={**path(tmp_path, "bin"), "LLVM_SYSPATH": str(llvm)})
    assert (found.cxx.name, found.lld.name, found.ccache.name) == ("clang++-22", "ld.lld-22", "ccache")


def test_the_clang_of_llvm_syspath_serves_when_path_has_none(tmp_path, fake_program):
    llvm = prefix(tmp_path)
    clang = fake_program("clang++", "llvm/bin")
    found = toolchain.find(environ={**path(tmp_path, "empty"), "LLVM_SYSPATH": str(llvm)})
    assert found == toolchain.Toolchain(cxx=clang, llvm=llvm)


def test_a_compiler_other_than_clang_is_refused_for_mlir(tmp_path, fake_program):
    llvm = prefix(tmp_path)
    fake_program("g++", version="g++ (Debian 12.2.0) 12.2.0")
    environ = {**path(tmp_path, "bin"), "LLVM_SYSPATH": str(llvm), "CXX": "g++"}
    with pytest.raises(SetupError, match=r"CXX=.*g\+\+ is not clang"):
        toolchain.find(environ=environ)
    assert toolchain.find(compiler=False, environ=environ).cxx.name == "g++"


def test_cxx_naming_no_program_is_an_error(tmp_path):
    with pytest.raises(SetupError, match="CXX=nowhere: no such program"):
        toolchain.find(compiler=False, environ={**path(tmp_path, "empty"), "CXX": "nowhere"})


def test_without_the_mlir_library_no_llvm_is_needed(tmp_path, fake_program):
    compiler = fake_program("c++")
    assert toolchain.find(compiler=False, environ=path(tmp_path, "bin")) == toolchain.Toolchain(cxx=compiler)


def test_without_clang_the_error_says_what_to_install(tmp_path, fake_program):
    llvm = prefix(tmp_path)
    fake_program("g++")
    with pytest.raises(SetupError, match=r"no clang\+\+-22 or clang\+\+ on PATH"):
        toolchain.find(environ={**path(tmp_path, "bin"), "LLVM_SYSPATH": str(llvm)})
