# SPDX-License-Identifier: MIT
"""Which arguments may lie in one another, and what the native launcher does with pairs that are too near."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from flagtree._native import launch
from flagtree.runtime.arrays import HostArray
from flagtree.runtime.overlap import UNBOUNDED, Pair, bounded, may_overlap, share_storage, unbounded


def test_arrays_overlap_by_the_bytes_they_reach() -> None:
    memory = np.zeros((8, 16), np.float32)
    whole = HostArray(memory)
    assert may_overlap(whole, HostArray(memory[3:4]))
    assert not may_overlap(HostArray(memory[:4]), HostArray(memory[4:]))
    assert may_overlap(HostArray(memory[:, :8]), HostArray(memory[:, 8:]))  # interlaced: maybe
    assert may_overlap(HostArray(memory[::-1]), HostArray(memory[7:]))
    assert not may_overlap(HostArray(memory[:0]), whole)


def test_tensors_overlap_by_the_bytes_they_reach() -> None:
    torch = pytest.importorskip("torch")
    memory = torch.zeros(8, 16)
    assert share_storage(memory, memory[3]) and may_overlap(memory.t(), memory[7:])
    assert not share_storage(memory[:4], memory[4:])
    assert not share_storage(memory, torch.zeros(8, 16))
    assert not share_storage(memory[:0], memory)


def test_what_has_no_size_overlaps_at_its_own_address_only() -> None:
    memory = np.zeros(8, np.int64)
    start = memory.ctypes.data
    assert may_overlap(start, HostArray(memory)) and not may_overlap(start + 64, HostArray(memory))
    assert may_overlap(start, start) and not may_overlap(start, start + 1)


def test_pairs_are_sorted_by_who_can_decide_them() -> None:
    near, far = Pair(0, 1, 1, 64), Pair(0, 2, 0, UNBOUNDED)
    assert bounded([near, far]) == [near]
    assert unbounded([near, far], [0, 3, 4]) == [(0, 4)]


@pytest.mark.parametrize(
    ("distance", "runs"), [(0, True), (8, False), (63, False), (64, True), (-8, False), (-64, True)]
)
def test_arguments_that_are_too_near_run_nothing(library, distance, runs) -> None:
    address = ctypes.cast(library.store_slot, ctypes.c_void_p).value
    types = [("out", "*u64"), ("value", "*u64")]
    kernel = launch.Launcher("store_slot", types, address, library, apart=[Pair(1, 0, 1, 64)])
    out = ctypes.c_uint64(0xDEAD)
    value = ctypes.addressof(out) + distance
    assert kernel(1, 1, 1, ctypes.addressof(out), value) is (None if runs else False)
    assert out.value == (value if runs else 0xDEAD)


@pytest.mark.parametrize("pair", [(0, 2, 0, 8), (-1, 0, 0, 8), (0, 1, 0), "text", None])
def test_a_pair_that_is_none_names_the_kernel(pair) -> None:
    with pytest.raises((ValueError, TypeError)):
        launch.Launcher("k", [("a", "*u64"), ("b", "*u64")], 4096, None, apart=[pair])
