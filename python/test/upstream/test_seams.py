# SPDX-License-Identifier: MIT
"""Private names that the adapters lean on. When upstream moves one, the test named for its seam fails."""

from __future__ import annotations

import ast
import importlib
import inspect
from typing import Any

from flagtree.upstream import attach


def module(name: str) -> Any:
    return importlib.import_module(name)


def parameters(function: Any) -> list[str]:
    return list(inspect.signature(inspect.unwrap(function)).parameters)


def test_every_seam_is_attached_in_this_triton() -> None:
    module("triton.compiler.code_generator")
    assert attach.installed()
    assert attach.failures() == {}


def test_activation_seam() -> None:
    driver = module("triton.runtime.driver")
    assert driver._create_driver.__module__ == "flagtree.upstream.activation"
    assert {"_default", "_active"} <= set(vars(driver.DriverConfig()))
    source = inspect.getsource(driver.DriverConfig)
    assert "_create_driver()" in source, "the global is no longer looked up when the default driver is made"


def test_cache_key_seam() -> None:
    cache = module("triton.runtime.cache")
    assert "-flagtree-" in cache.triton_key()
    assert "triton_key()" in inspect.getsource(cache.get_cache_key)


def test_cache_files_seam() -> None:
    manager = module("triton.runtime.cache").FileCacheManager
    assert parameters(manager.__init__) == ["self", "key", "override", "dump"]
    assert parameters(manager.put) == ["self", "data", "filename", "binary"]
    assert parameters(manager.get_group) == ["self", "filename"]
    assert hasattr(manager.put, "__wrapped__") and hasattr(manager.get_group, "__wrapped__")
    compile_source = inspect.getsource(module("triton.compiler.compiler").compile)
    assert "get_group(metadata_filename)" in compile_source, "a hit is no longer found through get_group"


def test_front_end_seam() -> None:
    generator = module("triton.compiler.code_generator")
    base = generator.CodeGenerator.__mro__[1]
    assert generator.CodeGenerator._flagtree and base.__name__ == "CodeGenerator"
    assert {"visit", "visit_FunctionDef", "visit_compound_statement"} <= set(vars(base))
    blocks = inspect.getsource(base).count("self.visit_compound_statement(")
    assert blocks >= 8, "blocks are no longer visited through visit_compound_statement"
    assert "CodeGenerator(" in inspect.getsource(base.call_JitFunction), "callees no longer use the global"
    assert "CodeGenerator(" in inspect.getsource(inspect.unwrap(generator.ast_to_ttir))
    assert {"jit_fn", "is_gluon"} <= set(parameters(base.__init__))


def test_every_creator_that_the_front_end_calls_is_known() -> None:
    from flagtree.upstream.creators import CREATORS

    wanted = ("load", "store", "dot", "atomic", "descriptor", "for_op", "while_op")
    called: set[str] = set()
    for name in ("triton.language.semantic", "triton.compiler.code_generator"):
        for node in ast.walk(ast.parse(inspect.getsource(module(name)))):
            if isinstance(node, ast.Attribute) and node.attr.startswith("create_"):
                called.add(node.attr)
    memory = {name for name in called if any(word in name for word in wanted)}
    # Not operations on memory: types, and a wait for a value to appear.
    ignored = {"create_make_tensor_descriptor", "create_tensor_descriptor_type", "create_atomic_poll"}
    assert memory - ignored - set(CREATORS) == set()


def test_store_hint_seam() -> None:
    ir = module("triton._C.libtriton").ir
    assert {
        "get_loc",
        "set_loc",
        "create_name_loc",
        "get_string_attr",
        "get_int32_attr",
        "get_unit_attr",
    } <= set(dir(ir.builder))
    assert hasattr(ir, "parse_mlir_module")


def test_launch_seam() -> None:
    jit = module("triton.runtime.jit").JITFunction
    assert parameters(jit.run) == ["self", "args", "grid", "warmup", "kwargs"]
    assert jit.run.__wrapped__ is not None

    def kernel(x: Any) -> None: ...

    made = jit(kernel)
    assert "device_caches" in vars(made) and made.arg_names == ["x"]
    assert {"create_binder", "warmup"} <= set(dir(jit))


def test_stage_seam() -> None:
    from flagtree.upstream.stages import _SharedHook

    knobs = module("triton").knobs
    assert isinstance(vars(type(knobs.runtime))["add_stages_inspection_hook"], _SharedHook)
    for backend in ("nvidia", "amd"):
        compiler = module(f"triton.backends.{backend}.compiler")
        assert "add_stages_inspection_hook(self, stages, options, language" in inspect.getsource(compiler)


def test_probe_seam() -> None:
    knobs = module("triton").knobs
    assert hasattr(knobs.compilation, "always_compile") and hasattr(knobs.compilation, "scope")
    assert parameters(module("triton.compiler").ASTSource.__init__)[:4] == [
        "self",
        "fn",
        "signature",
        "constexprs",
    ]


def test_upstream_still_calls_what_a_driver_of_ours_offers() -> None:
    compiled = inspect.getsource(module("triton.compiler.compiler").CompiledKernel)
    for call in ("launcher_cls(self.src, self.metadata)", "utils.load_binary(", "pack_metadata("):
        assert call in compiled
