#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check that flagtree-opt reads a file of the TTIR corpus and prints it as upstream did.

    ttir_round_trip.py FILE

Three things must hold: the printed text is the file's own, older spellings replaced by the newer ones; printing is a
fixpoint; and the generic form means the same. The exit status is 1 and a difference is shown when one does not.
"""

from __future__ import annotations

import difflib
import re
import subprocess
import sys
from pathlib import Path

_CACHE = re.compile(
    r"(?: cacheModifier = (?P<modifier>\w+))?(?: evictionPolicy = (?P<eviction>\w+))?(?: \{(?P<rest>.*?)\})? : "
)
_BLOCK_DESCRIPTOR = re.compile(r"tensordesc<tensor<([^<>]+)>>")
_NEW_DESCRIPTOR = re.compile(r"(tt\.make_tensor_descriptor .*), <tensor<([^<>]+)>>")


def with_cache_attribute(line: str) -> str:
    """`line` with `cacheModifier = …` and `evictionPolicy = …` as the attribute `cachePolicy`."""
    found = next((m for m in _CACHE.finditer(line) if m["modifier"] or m["eviction"]), None)
    if not found:
        return line
    modifier, eviction = found["modifier"] or "none", found["eviction"] or "evict_normal"
    policy = f"cachePolicy = #tt.cache_policy<cache_modifier = {modifier}, eviction_policy = {eviction}>"
    # Commas inside <…> separate no attributes.
    others = re.split(r", (?![^<]*>)", found["rest"]) if found["rest"] else []
    attributes = ", ".join(sorted([policy, *others]))
    return f"{line[: found.start()]} {{{attributes}}} : {line[found.end() :]}"


def modern(text: str) -> list[str]:
    """The lines of corpus file `text` without its header, in the spelling that flagtree-opt prints."""
    lines = [line for line in text.splitlines() if not line.startswith("//")]
    lines = [_BLOCK_DESCRIPTOR.sub(r"tensordesc<\1>", line) for line in lines]
    lines = [_NEW_DESCRIPTOR.sub(r"\1, <\2>", line) for line in lines]
    return [with_cache_attribute(line) for line in lines]


def opt(text: str, *options: str) -> str:
    """What flagtree-opt prints for `text`; ends the check when it refuses the text."""
    run = subprocess.run(
        ["flagtree-opt", *options, "-"], input=text, capture_output=True, text=True, check=False
    )
    if run.returncode:
        sys.exit(f"flagtree-opt {' '.join(options)} failed with status {run.returncode}:\n{run.stderr}")
    return run.stdout.rstrip("\n") + "\n"


def same(what: str, expected: list[str], actual: list[str]) -> bool:
    """Whether both are equal; prints the first differences if not."""
    difference = list(difflib.unified_diff(expected, actual, "expected", "actual", lineterm="", n=1))
    if difference:
        print(f"{what}:", *difference[:40], sep="\n")
    return not difference


def main(path: Path) -> int:
    """Run the three checks on one file."""
    text = path.read_text(encoding="utf-8")
    located = "\n#loc" in text
    options = ["--mlir-print-debuginfo", "--mlir-use-nameloc-as-prefix"] if located else []
    printed = opt(text, *options)
    # Text printed as it was read needs no second reading.
    again = printed if printed.rstrip() == text.split("\n", 2)[-1].rstrip() else opt(printed, *options)
    generic = opt(opt(text, "--mlir-print-op-generic", *options), *options)
    # Versions of MLIR number location aliases differently, so text with locations is compared without the aliases.
    plain = [re.sub(r"#loc\d*", "#loc", line) for line in printed.splitlines() if not line.startswith("#loc")]
    source = [re.sub(r"#loc\d*", "#loc", line) for line in modern(text) if not line.startswith("#loc")]
    results = [
        same("the printed text is not the text read", source, plain),
        same("printing is no fixpoint", printed.splitlines(), again.splitlines()),
        same("the generic form means something else", printed.splitlines(), generic.splitlines()),
    ]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
