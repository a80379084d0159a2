# SPDX-License-Identifier: MIT
"""The CPU as a Triton backend: TTIR → linalg → LLVM IR → object code, run in this process."""
