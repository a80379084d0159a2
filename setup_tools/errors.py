# SPDX-License-Identifier: MIT
"""The one exception of the build: its text is all a user sees."""

from __future__ import annotations


class SetupError(Exception):
    """Something about the checkout, the environment or the toolchain stops the build."""
