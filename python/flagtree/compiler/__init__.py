# SPDX-License-Identifier: MIT
"""Python's side of libFlagTree: loaded at the first compile, never at import."""

# Before any module here; see `flagtree.upstream`.
import triton  # noqa: F401
