# SPDX-License-Identifier: MIT
"""Entry points that cannot hurt, and switches that leave upstream untouched."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

REGISTERED = """
import triton
from triton.backends import backends
assert "flagtree" in backends and "cpu" in backends, list(backends)
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package that a test may break: python/ and third_party/ as in a checkout."""
    ignore = shutil.ignore_patterns("__pycache__", "*.so", "test", "lib", "include")
    shutil.copytree(ROOT / "python" / "flagtree", tmp_path / "python" / "flagtree", ignore=ignore)
    shutil.copytree(ROOT / "third_party", tmp_path / "third_party", ignore=ignore)
    return tmp_path


def test_importing_triton_is_enough(run_python: Callable) -> None:
    run_python(
        REGISTERED
        + """
from flagtree.upstream import attach
assert attach.installed() and not attach.failures()
"""
    )


@pytest.mark.parametrize(
    "first",
    [
        "flagtree",
        "flagtree.runtime.driver",
        "flagtree.compiler.backend",
        "flagtree.backends.cpu.compiler",
        "flagtree.backends.cpu.driver",
        "flagtree.upstream.entry.driver",
        "flagtree.upstream.activation",
        "flagtree.passes",
        "triton.runtime.cache",
    ],
)
def test_any_module_may_be_imported_first(first: str, run_python: Callable) -> None:
    run_python(
        f"import {first}"
        + REGISTERED
        + """
from flagtree.upstream import attach
assert attach.installed() and not attach.failures(), attach.failures()
"""
    )


def test_importing_flagtree_imports_neither_triton_nor_torch(run_python: Callable) -> None:
    run_python("import flagtree, sys; assert not {'triton', 'torch', 'numpy'} & set(sys.modules)")


def test_importing_triton_imports_no_native_code_of_ours(run_python: Callable) -> None:
    run_python(
        """
        import sys, triton
        assert not [name for name in sys.modules if name.startswith("flagtree._native")]
        assert "libFlagTree" not in open("/proc/self/maps").read()
        """
    )


def test_installing_twice_attaches_once(run_python: Callable) -> None:
    run_python(
        """
        import triton
        from triton.runtime.jit import JITFunction
        from flagtree.upstream import attach, jit_run, cache_key, activation, stages, cache_files
        before = JITFunction.run
        attach.install()
        for seam in (jit_run, cache_key, activation, stages, cache_files):
            seam.install()
        assert JITFunction.run is before and not hasattr(before.__wrapped__, "__wrapped__")
        """
    )


@pytest.mark.parametrize("variable", ["FLAGTREE_DISABLE", "TRITON_BACKENDS_IN_TREE"])
def test_switched_off_upstream_is_untouched(variable: str, run_kernel_file: Callable) -> None:
    run_kernel_file(
        """
        import sys
        import triton, triton.language as tl
        import triton.compiler.code_generator as generator
        from triton.backends.compiler import GPUTarget
        from triton.runtime.cache import FileCacheManager, triton_key
        from triton.runtime.jit import JITFunction
        module = sys.modules["triton.runtime.driver"]
        ours = [generator.CodeGenerator, generator.ast_to_ttir, FileCacheManager.put, JITFunction.run,
                FileCacheManager.get_group, module._create_driver, triton_key]
        assert not [o for o in ours if getattr(o, "__module__", "").startswith("flagtree") or hasattr(o, "_flagtree")]
        assert not hasattr(JITFunction.run, "__wrapped__") and "flagtree" not in triton_key()
        from triton import knobs
        assert vars(type(knobs.runtime))["add_stages_inspection_hook"] is None

        @triton.jit
        def kernel(x, B: tl.constexpr):
            i = tl.arange(0, B)
            tl.store(x + i, tl.load(x + i))  #@hint: dma

        source = triton.compiler.ASTSource(kernel, {"x": "*fp32", "B": "constexpr"}, {"B": 64})
        assert "flagtree" not in triton.compile(source, target=GPUTarget("cuda", 80, 32)).asm["ttir"]
        try:
            active = triton.runtime.driver.active
        except RuntimeError as error:
            assert "0 active drivers" in str(error)
        else:
            assert type(active).__module__.startswith("triton."), "a driver of ours is active"
        """,
        **{variable: "1"},
    )


def test_switched_off_use_says_why(run_python: Callable) -> None:
    done = run_python("import flagtree; flagtree.use('cpu')", check=False, FLAGTREE_DISABLE="1")
    assert "FLAGTREE_DISABLE is set" in done.stderr and done.returncode != 0


def test_a_broken_native_library_is_reported_at_the_first_compile_only(
    copy: Path, run_kernel_file: Callable
) -> None:
    native = copy / "python" / "flagtree" / "_native"
    native.mkdir(exist_ok=True)
    (native / "__init__.py").write_text("")
    (native / "compiler.so").write_bytes(b"\x7fELF this is no library")
    (native / "libFlagTree.so").write_bytes(b"neither is this")
    run_kernel_file(LAUNCH + expect("native module `compiler`", "is broken"), PYTHONPATH=str(copy / "python"))


def test_a_missing_native_library_is_reported_at_the_first_compile_only(
    copy: Path, run_kernel_file: Callable
) -> None:
    shutil.rmtree(copy / "python" / "flagtree" / "_native", ignore_errors=True)
    run_kernel_file(
        LAUNCH + expect("native module `compiler`", "is missing"), PYTHONPATH=str(copy / "python")
    )


def test_a_plugin_that_does_not_exist_is_reported_at_the_first_compile_only(
    copy: Path, run_kernel_file: Callable, tmp_path: Path
) -> None:
    native = copy / "python" / "flagtree" / "_native"
    native.mkdir(exist_ok=True)
    (native / "__init__.py").write_text("")
    (native / "compiler.py").write_text(
        "def load_plugin(path): raise OSError(f'{path}: invalid ELF header')\n"
    )
    (tmp_path / "plugin.so").write_text("def broken(:\n")
    run_kernel_file(
        LAUNCH + expect("FLAGTREE_PLUGIN", "plugin.so", "invalid ELF header"),
        PYTHONPATH=str(copy / "python"),
        FLAGTREE_PLUGIN=str(tmp_path / "plugin.so"),
    )


@pytest.mark.parametrize("content", [b"this is [no toml", b"\xff\xfe\x00", None])
def test_an_unreadable_hardware_toml_does_not_hurt_the_import(
    content: bytes | None, copy: Path, run_python: Callable
) -> None:
    for toml in (copy / "third_party").glob("*/backend/hardware.toml"):
        toml.unlink()
        if content is None:
            os.symlink("/nonexistent", toml)
        else:
            toml.write_bytes(content)
    run_python(REGISTERED, PYTHONPATH=str(copy / "python"))


@pytest.mark.parametrize(
    "broken",
    [
        "python/flagtree/upstream/attach.py",
        "python/flagtree/upstream/activation.py",
        "python/flagtree/upstream/jit_run.py",
        "python/flagtree/upstream/frontend.py",
        "python/flagtree/upstream/cache_key.py",
        "python/flagtree/hints/parse.py",
        "python/flagtree/passes/__init__.py",
        "third_party/cpu/backend/pipeline.py",
        "third_party/cpu/backend/stages.py",
        "third_party/nvidia/backend/__init__.py",
    ],
)
def test_a_broken_module_of_ours_does_not_hurt_the_import(
    broken: str, copy: Path, run_python: Callable
) -> None:
    (copy / broken).write_text("def broken(:\n")
    run_python(REGISTERED + "import triton.compiler.code_generator\n", PYTHONPATH=str(copy / "python"))


LAUNCH = """
import triton, triton.language as tl, numpy as np
import flagtree
flagtree.use('cpu')


@triton.jit
def kernel(x, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, tl.load(x + i))

try:
    kernel[(1,)](np.zeros(64, np.float32), B=64)
except Exception as error:
    text = str(error)
else:
    raise AssertionError("it compiled")
"""


def expect(*parts: str) -> str:
    return f"missing = [part for part in {parts!r} if part not in text]\nassert not missing, text\n"
