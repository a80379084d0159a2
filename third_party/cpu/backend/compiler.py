# SPDX-License-Identifier: MIT
"""Compiler half of the CPU backend. Upstream imports this while it imports itself: all else is imported late."""

from __future__ import annotations

from typing import Any

from flagtree.compiler.backend import FlagTreeBackend


class CPUBackend(FlagTreeBackend):
    """Stages ttir → linalg → llir → obj for `GPUTarget("cpu", <architecture>, 1)`."""

    name = "cpu"
    binary_ext = "obj"

    def hash(self) -> str:
        from flagtree.backends.cpu.host import target_key

        return f"cpu-{target_key()}"

    def parse_options(self, options: dict) -> Any:
        from flagtree.backends.cpu.options import parse

        return parse(options, str(self.target.arch))

    def add_stages(self, stages: dict, options: Any, language: Any = None) -> None:
        from flagtree.backends.cpu.stages import Stages

        self.refuse_gluon(language)
        made = Stages(options)
        stages["ttir"] = made.ttir
        stages["linalg"] = made.linalg
        stages["llir"] = made.llir
        stages["obj"] = made.obj
        self.finish_stages(stages, options, language)

    def extra_kinds(self) -> dict[str, Any]:
        from flagtree.backends.cpu.stages import assembly

        return {"asm": ("llir", assembly)}

    def get_codegen_implementation(self, options: Any) -> dict:
        from flagtree.backends.cpu.codegen import convert_custom_types, min_dot_size

        return {"min_dot_size": min_dot_size, "convert_custom_types": convert_custom_types}

    def get_module_map(self) -> dict:
        from flagtree.backends.cpu import libdevice

        return {"triton.language.extra.libdevice": libdevice}
