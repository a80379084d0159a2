# SPDX-License-Identifier: MIT
"""The entry point `flagtree` in the group `triton.backends`.

It supports no target and is never active; importing it is what attaches FlagTree, even when no backend of
our own is installed.
"""
