# SPDX-License-Identifier: MIT
"""What the documents say is so: examples run, links lead somewhere, the two READMEs are one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
READMES = [ROOT / "README.md", ROOT / "README_cn.md"]
PAGES = [*READMES, *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "rationale").glob("*.md"))]


def blocks(path: Path) -> list[str]:
    return re.findall(r"^```\w*\n(.*?)^```$", path.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def prose(path: Path) -> str:
    """The text without its code blocks."""
    return re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)


def shape(path: Path) -> list[str]:
    """Headings and table rows as their kind and number of cells; commands and links as they are."""
    lines = [line for line in prose(path).splitlines() if line.startswith(("#", "|"))]
    return [line.split(" ")[0] if line[0] == "#" else f"row {line.count('|')}" for line in lines]


def test_both_readmes_have_one_structure_and_the_same_code():
    assert shape(READMES[0]) == shape(READMES[1])
    assert blocks(READMES[0]) == blocks(READMES[1]) and len(blocks(READMES[0])) == 3


def test_both_readmes_name_the_same_commands():
    commands = [re.findall(r"\| (`[^|]*`) \|$", path.read_text("utf-8"), re.MULTILINE) for path in READMES]
    assert commands[0] == commands[1] and len(commands[0]) >= 8


@pytest.mark.parametrize("path", PAGES, ids=[str(p.relative_to(ROOT)) for p in PAGES])
def test_links_lead_somewhere(path):
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", prose(path))
    assert not [link for link in links if not (path.parent / link).exists()]


def test_the_example_of_the_readme_runs(run_kernel_file):
    pytest.importorskip("torch")
    (example,) = [block for block in blocks(READMES[0]) if "@triton.jit" in block]
    done = run_kernel_file(example, TRITON_DEFAULT_BACKEND="cpu", FLAGTREE_HINTS="error")
    assert done.stdout == "True\n"


def test_the_kinds_that_are_documented_are_those_that_there_are():
    from flagtree.tools.target import parse_target
    from flagtree.upstream.lower import Pipeline

    rows = re.findall(
        r"^\| `(\w+)` \| (`source`.*) \|$", (ROOT / "docs" / "cli.md").read_text(), re.MULTILINE
    )
    assert [name for name, _ in rows] == ["cpu", "nvidia", "amd"]
    for name, kinds in rows:
        assert kinds.replace("`", "").split() == Pipeline(parse_target(name)).kinds


def test_the_guide_to_the_hints_is_what_the_registry_says():
    from flagtree.tools.hint_guide import filled, specs

    text = (ROOT / "docs" / "hints.md").read_text("utf-8")
    assert filled(text) == text, "run `make docs` and commit the result"
    assert len(specs()) >= 18 and all(f"### `{spec.usage()}`" in text for spec in specs())


@pytest.mark.parametrize("example", [b for b in blocks(ROOT / "docs" / "hints.md") if "def kernel(" in b])
def test_the_example_of_each_hint_runs_and_its_hint_is_no_mistake(example, monkeypatch):
    import numpy as np
    from source_kernels import HOPPER, kernel_of, sightings

    import flagtree

    monkeypatch.setenv("FLAGTREE_HINTS", "error")
    kernel = kernel_of(example)
    dot = "tl.dot" in example
    n, block = (16 * 16, 16) if dot else (1000, 64)
    x = np.random.default_rng(0).standard_normal(n).astype(np.float32)
    o = np.zeros(n, np.float32)
    flagtree.use("cpu")
    try:
        kernel[(1 if dot else 16,)](x, o, n, BLOCK=block)
    finally:
        flagtree.use(None)
    wide = x.astype(np.float64)
    expected = (wide.reshape(16, 16) @ wide.reshape(16, 16)).ravel() if dot else 2 * wide
    np.testing.assert_allclose(o, expected, rtol=1e-5, atol=1e-5)
    assert [s.problem for s in sightings(kernel, HOPPER, BLOCK=block)] == [""] * example.count("# @hint")


@pytest.mark.parametrize("op", ["looping_combiner"])
def test_what_is_documented_as_refused_is_refused_with_line_and_operation(flagtree, op):
    import refused_kernels

    done = flagtree("compile", f"{refused_kernels.__file__}::{op}", "--backend", "cpu", "--emit", "linalg")
    assert done.exit_code == 1
    assert f"kernel `{op}`" in done.stderr and re.search(r"\.py:\d+:\d+: ", done.stderr)
