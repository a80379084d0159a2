# SPDX-License-Identifier: MIT
"""All that FlagTree knows of Triton's internals: one adapter a seam, each feature-detected.

Nothing outside this package names a private Triton object. `attach` installs the adapters; the modules
`entry.compiler` and `entry.driver` are what upstream imports at start-up.
"""

# Whole, before any module here: Triton imports our entry points while it imports itself, and would find a module
# half-made if that module's own import were what started it.
import triton  # noqa: F401
