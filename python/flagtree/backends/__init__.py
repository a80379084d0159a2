# SPDX-License-Identifier: MIT
"""The backends, one sub-package each.

An installed FlagTree holds them as ordinary sub-packages `flagtree.backends.<name>`. In a source checkout that is
not installed they live in `third_party/<name>/backend`; a finder placed after Python's own serves those, so
an installed package always wins.
"""

from __future__ import annotations

import pkgutil
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path

_CHECKOUT = Path(__file__).resolve().parents[3] / "third_party"


class _CheckoutFinder:
    """Maps `flagtree.backends.<name>` to `third_party/<name>/backend`."""

    @staticmethod
    def find_spec(
        fullname: str, path: Sequence[str] | None = None, target: object = None
    ) -> ModuleSpec | None:
        parent, _, name = fullname.rpartition(".")
        init = _CHECKOUT / name / "backend" / "__init__.py"
        if parent != __name__ or not init.is_file():
            return None
        return spec_from_file_location(fullname, init, submodule_search_locations=[str(init.parent)])


def available() -> list[str]:
    """Names of the backends that can be imported, sorted."""
    names = {module.name for module in pkgutil.iter_modules(__path__) if module.ispkg}
    names.update(init.parents[1].name for init in _CHECKOUT.glob("*/backend/__init__.py"))
    return sorted(names)


if _CHECKOUT.is_dir():
    sys.meta_path.append(_CheckoutFinder)  # type: ignore[arg-type]

# Last, so that Triton finds the backends if this import is what starts Triton's; see `flagtree.upstream`.
import triton  # noqa: E402,F401
