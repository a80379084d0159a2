# SPDX-License-Identifier: MIT
"""The setuptools side: a build step that runs CMake, and a distribution that knows it holds native code."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from setuptools import Command, Distribution
from setuptools.command.build import build

from . import cmake
from .layout import link
from .registry import Backend

_NATIVE = Path("flagtree") / "_native"


class NativeDistribution(Distribution):
    """A distribution whose wheel is specific to a platform and a Python.

    `backend_entry_points` join the scripts of pyproject.toml, which would replace those given to `setup()`.
    """

    backend_entry_points: ClassVar[Mapping[str, list[str]]] = {}

    def parse_config_files(self, *arguments: Any, **options: Any) -> None:
        super().parse_config_files(*arguments, **options)
        self.entry_points = {**(self.entry_points or {}), **self.backend_entry_points}

    def has_ext_modules(self) -> bool:
        return True


class BuildWithNative(build):
    """`build`, with the native code first so that what it leaves is packaged."""

    sub_commands: ClassVar = [("build_native", None), *build.sub_commands]


class BuildNative(Command):
    """Builds `flagtree._native` for the selected backends."""

    description = "build the native code with CMake"
    user_options: ClassVar = []
    root: ClassVar[Path]
    backends: ClassVar[Sequence[Backend]]

    def initialize_options(self) -> None:
        self.build_lib: str | None = None
        self.editable_mode = False

    def finalize_options(self) -> None:
        self.set_undefined_options("build", ("build_lib", "build_lib"))

    def run(self) -> None:
        if self.editable_mode:
            link(self.root, self.backends)
            cmake.plan(self.root, self.backends).build()
            return
        assert self.build_lib is not None
        package = Path(self.build_lib).absolute() / "flagtree"
        # What an earlier build with other backends left here would be packaged too.
        shutil.rmtree(package, ignore_errors=True)
        # As deep as the development build's: ccache then finds what that compiled.
        directory = Path(os.environ.get("FLAGTREE_BUILD_DIR") or self.root / "build-wheel").absolute()
        native = directory / "native"
        shutil.rmtree(native, ignore_errors=True)
        cmake.plan(self.root, self.backends, directory, native, tests=False).build()
        shutil.copytree(native, package / "_native", dirs_exist_ok=True)

    def get_source_files(self) -> list[str]:
        return []

    def get_outputs(self) -> list[str]:
        if self.editable_mode or self.build_lib is None:
            return []
        folder = Path(self.build_lib) / _NATIVE
        return [str(path) for path in sorted(folder.glob("*")) if path.is_file()]

    def get_output_mapping(self) -> dict[str, str]:
        return {}
