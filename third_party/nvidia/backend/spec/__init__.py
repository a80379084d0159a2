# SPDX-License-Identifier: MIT
"""Functions that differ on NVIDIA devices, found by name; what is not here behaves as in the trunk."""
