# SPDX-License-Identifier: MIT
"""Builds FlagTree for the backends named by FLAGTREE_BACKEND; everything else is in setup_tools/."""

import os
import sys
from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))  # isolated builds do not put the checkout on the path

from setup_tools import commands, layout, registry  # noqa: E402
from setup_tools.errors import SetupError  # noqa: E402


def main() -> None:
    """Selects the backends and hands their layout to setuptools."""
    backends = registry.select(os.environ.get(registry.ENVIRONMENT), registry.discover(ROOT / "third_party"))
    editable = "editable_wheel" in sys.argv
    chosen = layout.development_layout(backends) if editable else layout.wheel_layout(ROOT, backends)
    commands.BuildNative.root, commands.BuildNative.backends = ROOT, backends
    commands.NativeDistribution.backend_entry_points = chosen.entry_points
    setup(
        distclass=commands.NativeDistribution,
        cmdclass={"build": commands.BuildWithNative, "build_native": commands.BuildNative},
        packages=list(chosen.packages),
        package_dir=chosen.package_dir,
        include_package_data=False,  # what git or MANIFEST.in lists would bring backends that were not selected
        package_data={"": list(layout.DATA)},
    )


try:
    main()
except SetupError as error:
    sys.exit(f"error: {error}")
