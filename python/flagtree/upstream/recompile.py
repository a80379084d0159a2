# SPDX-License-Identifier: MIT
"""Compiling a kernel once more, with other options, from what its launcher was made of."""

from __future__ import annotations

from typing import Any


def recompile(source: Any, metadata: Any, **changes: Any) -> Any:
    """Upstream's compiled kernel of `source`, with the options in `metadata` but for `changes`.

    Its `run` is the launcher, which takes its `function`; the code lives as long as the kernel does.
    source, metadata: as upstream gives them to `launcher_cls`
    """
    from triton.compiler import compile

    return compile(source, target=metadata.target, options={**metadata._asdict(), **changes})
