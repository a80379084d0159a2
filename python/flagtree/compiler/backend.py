# SPDX-License-Identifier: MIT
"""Abstract base of every backend of FlagTree's own. Imported by entry points: nothing else may be imported here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from triton.backends.compiler import BaseBackend

#: (what the stage before gave, metadata) → what the next stage gets.
Stage = Callable[[Any, dict], Any]


class FlagTreeBackend(BaseBackend):
    """What all our backends share: which target they serve and how their last stage's bytes are kept."""

    #: `GPUTarget.backend` of the targets that this backend serves, and its name in messages.
    name: ClassVar[str] = ""
    #: Name of the last stage, whose bytes are a sealed blob (`flagtree.compiler.blob`).
    binary_ext: str = ""

    @classmethod
    def supports_target(cls, target: Any) -> bool:
        from flagtree.switches import disabled

        return target.backend == cls.name and not disabled()

    def pack_metadata(self, metadata: Any) -> tuple:
        return ()

    def load_dialects(self, context: Any) -> None:
        """Nothing: upstream's context holds upstream's dialects, ours live in libFlagTree."""

    def get_module_map(self) -> dict:
        return {}

    def refuse_gluon(self, language: Any) -> None:
        """Raise KernelCompileError for a kernel of Gluon; the launch adds its name and line."""
        if getattr(language, "name", "") == "GLUON":
            from flagtree.compiler.errors import KernelCompileError

            raise KernelCompileError(
                f"Gluon names layouts and memories of a GPU and cannot be compiled for {self.name}; "
                "write the kernel with triton.language"
            )

    def extra_kinds(self) -> dict[str, tuple[str, Callable[[Any], str | bytes]]]:
        """Forms that are worth looking at and are no stage: name → (stage, what makes it of that stage's result)."""
        return {}

    def finish_stages(self, stages: dict[str, Stage], options: Any, language: Any) -> None:
        """Run the official stage hook; the last thing that `add_stages` does."""
        from flagtree.upstream.stages import run_hook

        run_hook(self, stages, options, language)
