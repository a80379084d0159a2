# SPDX-License-Identifier: MIT
"""Cases of the fuzzer: a kernel with random comments, and what must hold for it. A seed makes a case again."""

from __future__ import annotations

import functools
import linecache
import os
import random
import re
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from fuzz_comments import comment
from fuzz_kernels import TEMPLATES, Template
from source_kernels import CPU, HOPPER, MI300, front_end_of, kernel_of

from flagtree.hints import parse_source
from flagtree.hints.ledger import Ledger, collect
from flagtree.upstream.probe import jit_function

TARGETS = (CPU, HOPPER, MI300)
PLAIN = "# an ordinary comment"
#: How the file is written. Most are plain: the others need a file on the disk.
_FORMS = ("plain",) * 6 + ("crlf", "tabs", "form feeds")
#: What hints put into the IR, ours and upstream's.
_ATTRIBUTES = re.compile(
    r'(?:flagtree_hints = "(?:[^"\\]|\\.)*"|tt\.(?:num_stages|loop_unroll_factor|latency) = \d+ : i32'
    r"|tt\.(?:flatten|warp_specialize|disallow_acc_multi_buffer)\b)(?:, )?"
)


@dataclass(frozen=True)
class Case:
    """A kernel with a comment at each of its places; in every other kernel most of them are ordinary ones."""

    seed: int
    template: Template
    comments: tuple[str, ...]
    target: Any
    form: str = "plain"
    warn: bool = False

    @classmethod
    def of(cls, seed: int) -> Case:
        """The case that `seed` stands for."""
        pick = random.Random(seed)
        template = pick.choice(TEMPLATES)
        density = pick.choice((1.0, 0.3))
        comments = tuple(comment(pick) if pick.random() < density else PLAIN for _ in range(template.places))
        return cls(seed, template, comments, pick.choice(TARGETS), pick.choice(_FORMS), pick.random() < 0.1)

    def __len__(self) -> int:
        """How many of its comments are random."""
        return sum(text != PLAIN for text in self.comments)

    @property
    def source(self) -> str:
        """The text of its file."""
        text = self.template.source(self.comments)
        if self.form == "tabs":
            return text.replace("    ", "\t")
        if self.form == "form feeds":
            return text.replace("\n\n", "\n\x0c\n").replace("\n    i = ", "\n\x0c    i = ")
        return text

    def kernel(self) -> Any:
        """The kernel, with heuristics around it if it has some."""
        if self.form == "plain":
            return kernel_of(self.source, file="/kernels/fuzz.py")
        return _from_file(self.source, "\r\n" if self.form == "crlf" else "\n")

    def read(self) -> None:
        """Turn it into IR. Raises AssertionError, or whatever it is that breaks the compile."""
        kernel = self.kernel()
        with (
            _mode(self.warn),
            warnings.catch_warnings(record=True) as given,
            collect(quiet=not self.warn) as book,
        ):
            warnings.simplefilter("always")
            module = _module(jit_function(kernel), self.template, self.target)
        assert module.verify(), "the module does not verify"
        assert without_hints(module) == _plain(self.template, self.target), "the hints changed the operations"
        self._accounted(book)
        if self.warn:
            problems = [s for s in book.sightings if s.problem] + book.malformed
            assert len(given) == len(problems), f"{len(given)} warnings for {len(problems)} problems"

    def _accounted(self, book: Ledger) -> None:
        """Each comment is parsed as it is when it stands alone; each hint reached an operation or says why not."""
        alone = [parse_source(f"x = 1  {text}\n") for text in self.comments]
        assert len(book.sightings) == sum(len(parsed.hints) for parsed in alone), (
            "a hint is lost, or was added"
        )
        assert len(book.malformed) == sum(len(parsed.malformed) for parsed in alone), (
            "a piece is lost, or was added"
        )
        for sighting in book.sightings:
            assert sighting.hint.name != "decoy", "a string was read as a comment"
            assert not (sighting.attached and sighting.problem), f"{sighting.hint.text} holds and does not"
            if sighting.visited and not sighting.attached:
                assert sighting.problem, f"of {sighting.hint.text} nothing is told"

    def run(self) -> None:
        """Compile it for the host and launch it. Raises AssertionError when the result is not right."""
        arguments, constants = self.template.arguments()
        self.kernel()[(1,)](*arguments, **constants)
        assert self.template.right(arguments), (
            f"the result is {[a for a in arguments if isinstance(a, np.ndarray)]}"
        )


def without_hints(module: Any) -> str:
    """The module's text less what hints put into it."""
    text = module.str_nodebug() if hasattr(module, "str_nodebug") else str(module)
    return re.sub(r" \{\}", "", _ATTRIBUTES.sub("", text).replace(", }", "}"))


@functools.cache
def _plain(template: Template, target: Any) -> str:
    kernel = kernel_of(template.source([PLAIN] * template.places), file="/kernels/plain.py")
    return without_hints(_module(jit_function(kernel), template, target))


def _module(kernel: Any, template: Template, target: Any) -> Any:
    return front_end_of(kernel, template.types, template.constants(), target)


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="flagtree-fuzz-")


def _from_file(text: str, end: str) -> Any:
    import triton
    import triton.language as tl

    file = Path(_folder().name) / "fuzz.py"
    file.write_bytes(text.replace("\n", end).encode())
    linecache.checkcache(str(file))
    scope: dict[str, Any] = {"triton": triton, "tl": tl, "__name__": "from_text"}
    exec(compile(file.read_bytes(), str(file), "exec"), scope)
    return scope["kernel"]


@contextmanager
def _mode(warn: bool) -> Iterator[None]:
    before = os.environ.get("FLAGTREE_HINTS")
    if warn:
        os.environ["FLAGTREE_HINTS"] = "warn"
    try:
        yield
    finally:
        if warn:
            os.environ.pop("FLAGTREE_HINTS")
            if before is not None:
                os.environ["FLAGTREE_HINTS"] = before


def seeds_of(comments: int, first: int = 0) -> Iterator[int]:
    """Seeds from `first` on of cases that have so many comments in all."""
    seed = first
    while comments > 0:
        comments -= len(Case.of(seed))
        yield seed
        seed += 1
