# SPDX-License-Identifier: MIT
"""What a driver of ours is made of: the abstract base, the launcher of host kernels, argument adapters."""

# Before any module here; see `flagtree.upstream`.
import triton  # noqa: F401
