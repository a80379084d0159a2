# SPDX-License-Identifier: MIT
"""Whether a product and its sum may be rounded once: upstream's default, asked for without its warning.

Triton 3.9 warns when the option is left open, since its default will change. That is for whoever launches a kernel;
who compiles to look at the code, or for a device whose default was never another, settles the option first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_OPTION = "enable_fp_fusion"


def settled(options: Mapping[str, Any]) -> dict[str, Any]:
    """`options` with `enable_fp_fusion` at what upstream would decide: `TRITON_FORCE_DISABLE_FP_FUSION`, what was
    given, `TRITON_DEFAULT_FP_FUSION`, upstream's default, in this order."""
    from triton.knobs import language

    # Triton 3.6 to 3.8 have only the default.
    if getattr(language, "force_disable_fp_fusion", False):
        return {**options, _OPTION: False}
    given = options.get(_OPTION)
    return {**options, _OPTION: language.default_fp_fusion if given is None else given}
