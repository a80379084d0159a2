# SPDX-License-Identifier: MIT
"""A child of a process that has compiled compiles, loads and launches as well."""

from __future__ import annotations

import multiprocessing

import torch
import triton
import triton.language as tl


@triton.jit
def scale(x, FACTOR: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x + i, FACTOR * tl.load(x + i))


def scaled(factor: int) -> list[float]:
    x = torch.ones(16)
    scale[(1,)](x, FACTOR=factor, BLOCK=16)
    return x.tolist()


def _send(pipe: object, factor: int) -> None:
    pipe.send(scaled(factor))


def test_a_forked_child_compiles_what_the_parent_has_not() -> None:
    assert scaled(2) == [2.0] * 16
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_send, args=(sender, 3))
    child.start()
    try:
        assert receiver.poll(60), "the child hangs"
        assert receiver.recv() == [3.0] * 16
    finally:
        child.kill()
        child.join()
    assert scaled(5) == [5.0] * 16
