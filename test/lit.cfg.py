# SPDX-License-Identifier: MIT
# ruff: noqa: F821 - lit defines `config`
# One configuration for every lit suite; CMake's lit.site.cfg.py says where things are.
import os
import sys

import lit.formats

config.name = config.flagtree_name
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.excludes = ["Inputs"]

tools = os.pathsep.join([config.flagtree_tools, config.llvm_tools])
config.environment["PATH"] = os.pathsep.join([tools, config.environment["PATH"]])
# A sanitised build is run with the caller's options.
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

round_trip = os.path.join(config.flagtree_root, "utils", "ttir_round_trip.py")
config.substitutions.append(("%ttir_round_trip", f'"{sys.executable}" -S "{round_trip}"'))
