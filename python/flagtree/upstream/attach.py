# SPDX-License-Identifier: MIT
"""The one place that attaches FlagTree to Triton. Idempotent; nothing happens when FlagTree is switched off."""

from __future__ import annotations

import importlib
import threading
import traceback
from collections.abc import Callable
from types import ModuleType

from flagtree.switches import disabled
from flagtree.upstream.imports import after_import

#: Imported by upstream right after `triton.runtime`, so all of the runtime's seams exist by then.
_RUNTIME_READY = "triton.compiler.compiler"
#: Imported by upstream at the first compile.
_FRONT_END = "triton.compiler.code_generator"
#: Adapters of this package, each with an idempotent `install`.
_RUNTIME_SEAMS = ("activation", "cache_key", "cache_files", "stages", "account", "hint_passes.stages", "jit_run")
