# SPDX-License-Identifier: MIT
"""Random hint comments in kernels: none breaks a compile, none changes a result.

`make fuzz-hints` sets FLAGTREE_FUZZ to the number of comments; a fiftieth of them is compiled and run.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from source_kernels import CPU, HOPPER, MI300, kernel_of, module_of

import flagtree
from flagtree.hints import registry
from flagtree.hints.ledger import collect

#: Comments through the front end, and of those that are compiled and run.
READ = int(os.environ.get("FLAGTREE_FUZZ", "2000"))
RUN = max(500, READ // 50)
#: Comments in one kernel: as many as it has places.
PLACES = 10
KERNEL = """
@triton.jit  {0}
def scaled(p, i, n):
    return 2 * tl.load(p + i, mask=i < n)  {1}

@triton.jit
def kernel(x, o, n, B: tl.constexpr):
    {2}
    for start in tl.range(0, n, B):  {3}
        i = start + tl.arange(0, B)
        {4}
        if B > 0:
            value = scaled(
                x,  {5}
                i, n)  {6}
        for k in tl.static_range(2):  {7}
            value += k  {8}
        tl.store(o + i, value, mask=i < n)  {9}
"""
N, B = 100, 64

_names = st.sampled_from(
    [*registry.names(), "loop_unroll_factor", "warp specialize", "shared_memori", "größe", "x"]
)
_values = st.one_of(
    st.integers(-3, 70).map(str),
    st.sampled_from(
        ["", "row", "col", "first", "cg", "n=2", "2, 3", "'a,b'", "((", "1e9", "9" * 30, "None", "٣"]
    ),
    st.text(st.characters(codec="utf-8", exclude_characters="\n\r\f\x00"), max_size=12),
)
_items = st.one_of(
    _names,
    st.tuples(_names, _values).map("=".join),
    st.tuples(_names, _values).map(lambda p: f"{p[0]}({p[1]})"),
    st.text(st.characters(codec="utf-8", exclude_characters="\n\r\f\x00"), max_size=20),
)
_heads = st.sampled_from(
    ["#@hint:", "#@hints:", "# @ hint :", "#@hint", "#@Hint:", "#\t@hints\t:", "#@hint::", "#@hint:#@hint:"]
)
_comments = st.tuples(_heads, st.lists(_items, max_size=4).map(",".join)).map(" ".join)
_lists = st.lists(_comments, min_size=PLACES, max_size=PLACES)


def profile(comments: int) -> settings:
    return settings(
        max_examples=-(-comments // PLACES),
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],  # a failure names its comments; making them shorter takes minutes
        suppress_health_check=list(HealthCheck),
    )


@profile(READ)
@given(comments=_lists, target=st.sampled_from([CPU, HOPPER, MI300]))
def test_every_comment_gives_verified_ir_and_is_accounted_for(comments: list[str], target: object) -> None:
    kernel = kernel_of(KERNEL.format(*comments), file="/kernels/fuzz.py")
    with collect(quiet=True) as book:
        module = module_of(kernel, target, B=B)
    assert module.verify() and "tt.store" in str(module)
    for sighting in book.sightings:
        # Exactly one of: it reached an operation, or it is told why not. No statement here is dead.
        assert bool(sighting.attached) != bool(sighting.problem)
    assert book


@pytest.fixture(scope="module")
def on_the_host() -> Iterator[None]:
    flagtree.use("cpu")
    yield
    flagtree.use(None)


@profile(RUN)
@given(comments=_lists)
def test_no_comment_changes_a_result(on_the_host: None, comments: list[str]) -> None:
    kernel = kernel_of(KERNEL.format(*comments), file="/kernels/fuzz.py")
    x, o = np.arange(N, dtype=np.float32), np.zeros(N + 9, np.float32)
    kernel[(1,)](x, o, N, B=B)
    assert (o[:N] == 2 * x + 1).all() and not o[N:].any()
