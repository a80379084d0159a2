# SPDX-License-Identifier: MIT
"""Compile a kernel afresh and look at its final IR, leaving what the process has compiled as it was."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from flagtree.upstream.fp_fusion import settled

_NOT_IR = frozenset({"source", "json"})


def jit_function(kernel: Any) -> Any:
    """The `JITFunction` under autotuners and heuristics. Raises TypeError for anything else."""
    from triton.runtime.jit import JITFunction

    inner = kernel
    while not isinstance(inner, JITFunction):
        if not hasattr(inner, "fn"):
            raise TypeError(f"{kernel!r} is no @triton.jit function")
        inner = inner.fn
    return inner


def compile_signature(
    kernel: Any,
    signature: Mapping[str, str],
    constexprs: Mapping[str, Any] | None = None,
    target: Any = None,
    options: Mapping[str, Any] | None = None,
) -> Any:
    """Compile for `signature` (parameter → Triton type, "constexpr" included); returns upstream's CompiledKernel."""
    from triton.compiler import ASTSource

    source = ASTSource(fn=jit_function(kernel), signature=dict(signature), constexprs=dict(constexprs or {}))
    return compile_source(source, target, options)


def compile_source(source: Any, target: Any = None, options: Mapping[str, Any] | None = None) -> Any:
    """Compile what another kernel was compiled from (its `src`); returns upstream's CompiledKernel."""
    import triton

    with _always_compile():
        return triton.compile(source, target=target, options=settled(options or {}))


def compile_launch(kernel: Any, args: tuple, kwargs: Mapping[str, Any]) -> Any:
    """Compile for the arguments of a launch, without launching; returns upstream's CompiledKernel."""
    function = jit_function(kernel)
    with _always_compile(), _own_memory(function):
        return function.warmup(*args, grid=(1,), **kwargs)


def compile_again(compiled: Any) -> Any:
    """Compile once more what `compiled` was made from, for the same target with the same options."""
    from triton.compiler.compiler import make_backend

    metadata = compiled.metadata._asdict()
    known = vars(make_backend(metadata["target"]).parse_options(settled({})))
    options = {name: _hashable(metadata[name]) for name in known if name in metadata}
    return compile_source(compiled.src, metadata["target"], options)


def _hashable(value: Any) -> Any:
    """What was a tuple before it went through JSON."""
    return tuple(_hashable(each) for each in value) if isinstance(value, list) else value


def final_ir(compiled: Any) -> str:
    """Text of the last stage that is text (PTX, AMDGCN, LLVM IR, …)."""
    texts = [text for name, text in compiled.asm.items() if isinstance(text, str) and name not in _NOT_IR]
    if not texts:
        raise ValueError(
            f"kernel `{compiled.name}` kept no IR; TRITON_STORE_BINARY_ONLY must be unset for this"
        )
    return texts[-1]


@contextmanager
def _always_compile() -> Iterator[None]:
    """A disk hit would skip the front end, which is what is being looked at."""
    from triton import knobs

    with knobs.compilation.scope():
        knobs.compilation.always_compile = True
        yield


@contextmanager
def _own_memory(function: Any) -> Iterator[None]:
    """Give `function` an empty memory of compiled kernels meanwhile."""
    kept = dict(function.__dict__)
    function.__dict__["device_caches"] = defaultdict(function.create_binder)
    try:
        yield
    finally:
        function.__dict__.update({"device_caches": kept["device_caches"]})
