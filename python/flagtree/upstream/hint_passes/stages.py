# SPDX-License-Identifier: MIT
"""Hint passes between upstream's stages, and the way back when a later stage cannot do with what they made.

A hinted kernel has several forms: with all hints, with fewer copies in shared memory, without asynchronous copies,
without one hint after the other, and without any. When a stage fails on one form, or its shared memory does not fit,
the next form goes through the stages from the start, and the records tell which hint was taken back and why.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from flagtree.compiler import hardware
from flagtree.hints import passes
from flagtree.hints.mode import HintMode, mode
from flagtree.hints.passes import HintPass, PassRecord, Situation, Toolbox
from flagtree.upstream import stages as hook
from flagtree.upstream.hint_passes import records
from flagtree.upstream.hint_passes.ir_text import HINTS, ModuleText
from flagtree.upstream.hint_passes.reattach import Places, places, reattach
from flagtree.upstream.hint_passes.strip import without_hints
from flagtree.upstream.module_text import parse

NAME = "hint passes"
_FIRST, _SECOND = "ttir", "ttgir"
#: Hints of upstream's own, those that break first come first.
_NATIVE = ("warp_specialize", "num_stages", "latency", "flatten", "unroll", "disallow_acc_multi_buffer")

Stage = Callable[[Any, dict], Any]


@dataclass(frozen=True)
class Form:
    """How much of the hints a compile uses: all but `without` ("*": every one), and `spare` bytes of shared memory less
    than there are."""

    without: str = ""
    asynchronous: bool = True
    spare: int = 0


class OutOfSharedMemory(ValueError):
    """A hinted kernel wants more shared memory than a program can have: `excess` bytes too many."""

    def __init__(self, message: str, excess: int) -> None:
        super().__init__(message)
        self.excess = excess


def install() -> None:
    """Put the hint passes between the stages of every backend that has some."""
    hook.build_in(NAME, extend)


def extend(backend: Any, stages: dict, options: Any, language: Any, capability: Any = None) -> None:
    """The stage hook's extension: wraps the stages. Whatever goes wrong in here, they stay as they are."""
    if mode() is HintMode.OFF or _FIRST not in stages or _SECOND not in stages:
        return
    try:
        target = backend.target
        module = importlib.import_module(f"flagtree.backends.{hardware.backend_of(target.backend)}.hints")
        wanted = tuple(getattr(module, "PASSES", ()))
        if not wanted:
            return
        situation = Situation(
            hardware.of_target(target.backend, target.arch),
            getattr(options, "num_warps", 4),
            getattr(options, "warp_size", None) or target.warp_size,
            getattr(options, "num_stages", 3),
            hints=frozenset(module.SUPPORT),
        )
    except Exception:
        return
    chain = Chain(dict(stages), wanted, situation)
    for stage in stages:
        stages[stage] = chain.wrapped(stage)


class Chain:
    """The stages of one compile."""

    def __init__(self, stages: dict[str, Stage], wanted: tuple[HintPass, ...], situation: Situation) -> None:
        self.stages = stages
        self.wanted = wanted
        self.situation = situation
        #: Text of the first stage's source while the kernel has hints; all forms start from it.
        self.source = ""
        self.context: Any = None
        self.forms: list[Form] = []
        self.form = Form()
        #: Of this form, and of hints that were taken back on the way to it.
        self.records: list[PassRecord] = []
        self.taken_back: list[PassRecord] = []

    def wrapped(self, stage: str) -> Stage:
        """The stage `stage` with passes behind it and a way back."""

        def run(source: Any, metadata: dict) -> Any:
            if stage == _FIRST:
                self._begin(source)
            if not self.source:
                return self.stages[stage](source, metadata)
            result = self._guarded(stage, source, metadata)
            if stage == list(self.stages)[-1]:
                passes.add([*self.records, *self.taken_back])
            return result

        return run

    def _begin(self, source: Any) -> None:
        try:
            text = str(source)
            if HINTS not in text:
                return
            self.context = source.context
            self.forms = _forms(text, self.wanted)
            self.source = text
        except Exception:
            self.source = ""

    def _guarded(self, stage: str, source: Any, metadata: dict) -> Any:
        try:
            return self._run(stage, source, metadata)
        except Exception as error:
            failure = error
        first = failure
        while following := self._following(failure):
            if not self._differs(following):
                continue
            self._take_back(following, f"{stage} failed with it: {passes.describe(failure)}")
            try:
                return self._from_start(stage, metadata)
            except Exception as error:
                failure = error
        raise first

    def _following(self, failure: Exception) -> Form | None:
        """The next form to try after `failure`. Where memory is short, that is this one with fewer copies there."""
        if isinstance(failure, OutOfSharedMemory):
            sparing = {each.name for each in self.wanted if each.spares}
            if any(r.outcome == passes.APPLIED and r.name in sparing for r in self.records):
                return replace(self.form, spare=self.form.spare + failure.excess)
        return self.forms.pop(0) if self.forms else None

    def _differs(self, following: Form) -> bool:
        """False when the next form would be this one again."""
        if following.asynchronous or not self.form.asynchronous or following.spare:
            return True
        return any(r.outcome == passes.APPLIED and "asynchronous" in r.reason for r in self.records)

    def _take_back(self, following: Form, reason: str) -> None:
        self.form = following
        self.records = []
        self.taken_back = []
        if following.without:
            self.taken_back = _records_of(self.source, following.without, reason)

    def _from_start(self, last: str, metadata: dict) -> Any:
        """The result of stage `last` in this form, all stages before it done anew."""
        self.records = []
        text = without_hints(self.source, self.form.without) if self.form.without else self.source
        result = parse(text, self.context)
        for stage in list(self.stages)[: list(self.stages).index(last) + 1]:
            result = self._run(stage, result, metadata)
        return result

    def _run(self, stage: str, source: Any, metadata: dict) -> Any:
        if stage not in (_FIRST, _SECOND):
            result = self.stages[stage](source, metadata)
            if self.form.without != "*":
                _check_space(metadata, self.situation)
            return result
        lost = _places(str(source))
        result = self.stages[stage](source, metadata)
        text = str(result)
        # After the second stage upstream has done with its own attributes.
        with_hints = reattach(text, lost, only_hints=stage == _SECOND)
        if with_hints != text:
            result = parse(with_hints, self.context)
        return self._passed(stage, result)

    def _passed(self, stage: str, module: Any) -> Any:
        situation = replace(self.situation, asynchronous=self.form.asynchronous, spare=self.form.spare)
        for each in self.wanted:
            if each.stage == stage and _asked_for(each, module):
                done = passes.attempt(each, module, situation, self._toolbox())
                module = done.module
                self.records += done.records
        return module

    def _toolbox(self) -> Toolbox:
        return Toolbox(str, lambda text: parse(text, self.context), _verify, self._tidy)

    def _tidy(self, module: Any, add: Callable[[Any], None]) -> None:
        from triton._C.libtriton import ir

        manager = ir.pass_manager(self.context)
        manager.enable_debug()
        add(manager)
        manager.run(module, NAME)


def _forms(text: str, wanted: tuple[HintPass, ...]) -> list[Form]:
    """The forms that may be tried after the one with all hints, in order: from the last pass's hints to upstream's."""
    module = ModuleText(text)
    present = {hint for op in module.walk() for hint in module.hints(op)}
    ours = [hint for each in reversed(wanted) for hint in sorted(each.hints)]
    single = [Form(hint, False) for hint in dict.fromkeys((*ours, *_NATIVE)) if hint in present]
    return [Form("", False), *(replace(form, asynchronous=True) for form in single), Form("*")]


def _places(text: str) -> Places:
    try:
        return places(text) if HINTS in text else {}
    except Exception:
        return {}


def _asked_for(each: HintPass, module: Any) -> bool:
    text = str(module)
    return HINTS in text and any(name in text for name in each.hints)


def _verify(module: Any) -> None:
    if not module.verify():
        raise ValueError("the module does not verify")


def _check_space(metadata: dict, situation: Situation) -> None:
    space = situation.hardware.shared if situation.hardware is not None else None
    used = metadata.get("shared") or 0
    if space is not None and space.bytes and used > space.bytes:
        raise OutOfSharedMemory(
            f"{used:,} bytes of {space.name} memory are wanted, a program has {space.bytes:,} "
            f"on {situation.hardware.arch}",
            used - space.bytes,
        )


def _records_of(text: str, hint: str, reason: str) -> list[PassRecord]:
    """Records of the hint called `hint`, or of all ("*"), now that it is left out."""
    module = ModuleText(text)
    return [
        replace(records.failed(module, op, name, reason), name=passes.WAY_BACK)
        for op in module.walk()
        for name in module.hints(op)
        if hint in ("*", name)
    ]
