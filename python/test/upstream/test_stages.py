# SPDX-License-Identifier: MIT
"""The official stage hook, shared with the user's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import hinted_kernels
import pytest
import triton
from triton import knobs
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from flagtree.upstream import stages

CALLS: list[str] = []


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    CALLS.clear()
    monkeypatch.setattr(stages, "_extensions", {})  # FlagTree's own are not what is tested
    yield
    stages.retract("ours")
    knobs.runtime.add_stages_inspection_hook = None


def compile_plain() -> Any:
    source = ASTSource(hinted_kernels.plain, {"x": "*fp32", "o": "*fp32", "B": "constexpr"}, {"B": 64})
    return triton.compile(source, target=GPUTarget("cuda", 80, 32))


def users(*args: Any) -> tuple[str, str] | None:
    if not args:
        return "users key", "users hash"
    CALLS.append(f"user {list(args[1])[-1]}")
    return None


def ours(backend: Any, made: dict, options: Any, language: Any, capability: Any) -> None:
    CALLS.append(f"ours {list(made)[-1]}")
    real = made["ttgir"]

    def wrapped(source: Any, metadata: dict) -> Any:
        CALLS.append("ttgir")
        return real(source, metadata)

    made["ttgir"] = wrapped


def test_without_extensions_upstream_sees_the_users_hook_itself() -> None:
    assert knobs.runtime.add_stages_inspection_hook is None
    knobs.runtime.add_stages_inspection_hook = users
    assert knobs.runtime.add_stages_inspection_hook is users


def test_an_extension_wraps_a_stage_of_upstreams_pipeline() -> None:
    stages.extend("ours", ours)
    compile_plain()
    assert CALLS == ["ours cubin", "ttgir"]


def test_an_extension_and_the_users_hook_both_run_whichever_came_first() -> None:
    stages.extend("ours", ours)
    knobs.runtime.add_stages_inspection_hook = users
    compile_plain()
    assert CALLS == ["ours cubin", "user cubin", "ttgir"]


def test_the_key_holds_both() -> None:
    knobs.runtime.add_stages_inspection_hook = users
    alone = knobs.runtime.add_stages_inspection_hook()
    stages.extend("ours", ours)
    key, digest = knobs.runtime.add_stages_inspection_hook()
    assert "users key" in key and "ours" in key and digest != alone[1]


def test_saving_and_restoring_does_not_nest() -> None:
    knobs.runtime.add_stages_inspection_hook = users
    stages.extend("ours", ours)
    knobs.runtime.add_stages_inspection_hook = knobs.runtime.add_stages_inspection_hook
    stages.retract("ours")
    assert knobs.runtime.add_stages_inspection_hook is users


def test_the_knobs_scope_restores_the_users_hook() -> None:
    with knobs.runtime.scope():
        knobs.runtime.add_stages_inspection_hook = users
    assert knobs.runtime.add_stages_inspection_hook is None
