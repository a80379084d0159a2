# SPDX-License-Identifier: MIT
"""`cache(…)` and `evict(…)`: the cache modifier and the eviction policy of loads and stores, in TTIR."""

from __future__ import annotations

import re

from flagtree.hints.passes import HintPass, Outcome, PassRecord, Situation
from flagtree.upstream.hint_passes import records
from flagtree.upstream.hint_passes.ir_text import ModuleText, Op

_OPS = {"tt.load": "load", "tt.store": "store"}
_ALLOWED = {"load": ("ca", "cg", "cv"), "store": ("wb", "cg", "cs", "wt")}
#: How Triton 3.6 to 3.8 write the two, and how 3.9 does.
_MODIFIER = re.compile(r" cacheModifier = (\w+)")
_EVICTION = re.compile(r" evictionPolicy = (\w+)")
_POLICY = re.compile(
    r"cachePolicy = #tt\.cache_policy<cache_modifier = (\w+), eviction_policy = (\w+)>(?:, )?"
)


def rewrite(text: str, situation: Situation) -> Outcome:
    """Put the policies of the hints on their operations; what the kernel states itself wins."""
    module = ModuleText(text)
    outcome = Outcome(text)
    as_attribute = _has_policy_attribute()
    for op in module.walk():
        hints = module.hints(op) if op.name in _OPS else {}
        hints = {name: args for name, args in hints.items() if name in situation.hints}
        if hints.keys() & {"cache", "evict"}:
            outcome.records += _one(module, op, hints, as_attribute)
    outcome.text = "\n".join(module.lines)
    return outcome


def _one(
    module: ModuleText, op: Op, hints: dict[str, tuple[str, ...]], as_attribute: bool
) -> list[PassRecord]:
    line = module.lines[op.last]
    modifier, eviction = _stated(line)
    found: list[PassRecord] = []
    wanted = {"cache": "", "evict": ""}
    kind = _OPS[op.name]
    for name, own in (("cache", modifier != "none"), ("evict", eviction != "evict_normal")):
        value = hints.get(name, ("",))[0].partition("=")[2].strip() or hints.get(name, ("",))[0]
        if name not in hints:
            continue
        if name == "cache" and value not in _ALLOWED[kind]:
            allowed = ", ".join(_ALLOWED[kind])
            found.append(records.failed(module, op, name, f"a {kind} takes one of {allowed}, not {value!r}"))
        elif own:
            found.append(records.failed(module, op, name, f"the {kind} states its own, which wins"))
        else:
            wanted[name] = value
    problem = _contradiction(wanted["cache"] or modifier, wanted["evict"] or eviction)
    if problem and (wanted["cache"] or wanted["evict"]):
        loser = "evict" if wanted["evict"] and eviction == "evict_normal" else "cache"
        found.append(records.failed(module, op, loser, problem))
        wanted[loser] = ""
    modifier = wanted["cache"] or modifier
    eviction = f"evict_{wanted['evict']}" if wanted["evict"] else eviction
    module.lines[op.last] = _put(line, modifier, eviction, as_attribute)
    changed = module.lines[op.last] != line
    for name in filter(wanted.get, wanted):
        if changed:
            found.append(records.applied(module, op, name, f"{modifier}, {eviction} on the {kind}"))
        else:
            found.append(records.unchanged(module, op, name, "it is what holds without it"))
    return found


def _contradiction(modifier: str, eviction: str) -> str:
    """Which combinations no instruction has."""
    eviction = eviction.removeprefix("evict_")
    if modifier not in ("none", "ca", "wb") and eviction not in ("normal", ""):
        return f"cache({modifier}) and evict({eviction}) cannot hold together: no instruction has both"
    return ""


def _stated(line: str) -> tuple[str, str]:
    """(cache modifier, eviction policy) of an operation's line."""
    if policy := _POLICY.search(line):
        return policy[1], policy[2]
    modifier, eviction = _MODIFIER.search(line), _EVICTION.search(line)
    return modifier[1] if modifier else "none", eviction[1] if eviction else "evict_normal"


def _put(line: str, modifier: str, eviction: str, as_attribute: bool) -> str:
    if (modifier, eviction) == _stated(line):
        return line
    if as_attribute:
        line = _POLICY.sub("", line)
        value = f"cachePolicy = #tt.cache_policy<cache_modifier = {modifier}, eviction_policy = {eviction}>"
        # The operation carries a hint, so it has a dictionary.
        return line.replace(" {", f" {{{value}, ", 1).replace(", }", "}")
    line = _EVICTION.sub("", _MODIFIER.sub("", line))
    words = f" cacheModifier = {modifier}" if modifier != "none" else ""
    words += f" evictionPolicy = {eviction}" if eviction != "evict_normal" else ""
    at = line.find(" {")
    return f"{line[:at]}{words}{line[at:]}"


def _has_policy_attribute() -> bool:
    """True where the two are one attribute (since Triton 3.9)."""
    from triton._C.libtriton import ir

    return hasattr(ir.builder, "get_cache_policy")


CACHE_POLICY = HintPass("cache-policy", "ttir", frozenset({"cache", "evict"}), rewrite)
