# SPDX-License-Identifier: MIT
"""Compiler half of the always-registered entry point: a backend that supports no target."""

from __future__ import annotations

from triton.backends.compiler import BaseBackend


class AttachBackend(BaseBackend):
    """Exists because upstream wants one concrete class a module; it is never instantiated."""

    @staticmethod
    def supports_target(target: object) -> bool:
        return False

    def hash(self) -> str:
        return "flagtree"

    def parse_options(self, options: dict) -> object:
        return options

    def add_stages(self, stages: dict, options: object, language: object = None) -> None:
        return None

    def load_dialects(self, context: object) -> None:
        return None

    def get_module_map(self) -> dict:
        return {}
