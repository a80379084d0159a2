# SPDX-License-Identifier: MIT
"""Everything `setup.py` and the Makefile need: backends, toolchain, CMake, packaging, test suites.

Standard library only (`commands` alone imports setuptools), so that it runs before anything is installed.
"""
