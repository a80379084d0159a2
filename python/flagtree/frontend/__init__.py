# SPDX-License-Identifier: MIT
"""Which statement a hint belongs to, and which hints hold while a statement is turned into IR."""
