# SPDX-License-Identifier: MIT
"""Functions that differ on the host, found by name; what is not here behaves as in the trunk."""
