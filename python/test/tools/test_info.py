# SPDX-License-Identifier: MIT
"""`flagtree info`: true, complete, and never a traceback."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from flagtree.tools import facts, variables

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def told():
    return facts.collect()


def test_it_is_json_on_request(flagtree):
    told = json.loads(flagtree("info", "--json").stdout)
    assert set(told) >= {
        "versions",
        "backends",
        "active",
        "devices",
        "toolchains",
        "caches",
        "seams",
        "switched_off",
    }


def test_every_section_has_a_heading(flagtree):
    done = flagtree("info")
    assert done.exit_code == 0
    for title in (
        "Versions",
        "Active device",
        "Backends",
        "Attached to Triton",
        "Toolchains",
        "Caches",
        "Switched off",
    ):
        assert f"{title}\n" in done.stdout


def test_versions_are_those_of_the_packages(told):
    import triton

    assert told["versions"]["triton"] == triton.__version__
    assert told["versions"]["LLVM in the library"].startswith("22.")


def test_backends_tell_their_stages_and_whether_the_native_part_loads(told):
    named = {b["name"]: b for b in told["backends"]}
    assert named["cpu"]["stages"] == ["ttir", "linalg", "llir", "obj"] and named["cpu"]["native"] == "loads"
    assert named["nvidia"]["stages"][-1] == "cubin" and named["nvidia"]["native"] == "not needed"


def test_all_seams_are_attached(told):
    assert len(told["seams"]) >= 6 and set(told["seams"].values()) == {"attached"}


def test_a_failed_seam_is_shown_with_its_reason(monkeypatch):
    from flagtree.upstream import attach

    monkeypatch.setattr(attach, "_failures", {"stages": "Traceback …\nAttributeError: no knob"})
    assert facts.seams()["stages"] == "AttributeError: no knob"


def test_a_question_that_fails_is_answered_with_its_error(monkeypatch, flagtree):
    def fail():
        raise OSError("no such thing")

    monkeypatch.setattr(facts, "toolchains", fail)
    done = flagtree("info")
    assert done.exit_code == 0 and "OSError: no such thing" in done.stdout


def test_a_broken_library_is_told(monkeypatch):
    from flagtree.compiler import native

    def broken():
        raise native.NativeLibraryError("the native module is broken")

    monkeypatch.setattr(native, "compiler", broken)
    assert facts.versions()["library"] == "the native module is broken"
    assert {b["native"] for b in facts.backends()} == {"not needed", "the native module is broken"}


def test_caches_are_measured(monkeypatch, tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "k.obj").write_bytes(b"x" * 1000)
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    (cache,) = facts.caches()
    assert (cache["path"], cache["bytes"], cache["files"], cache["writable"]) == (
        str(tmp_path),
        1000,
        1,
        True,
    )


@pytest.mark.parametrize(
    ("environment", "word"),
    [
        ({"FLAGTREE_DISABLE": "1"}, "FLAGTREE_DISABLE"),
        ({"TRITON_BACKENDS_IN_TREE": "1"}, "TRITON_BACKENDS_IN_TREE"),
        ({"FLAGTREE_HINTS": "off"}, "hints"),
        ({"TRITON_INTERPRET": "1"}, "TRITON_INTERPRET"),
        ({"FLAGTREE_HINT": "off"}, "did you mean FLAGTREE_HINTS?"),
    ],
)
def test_what_is_switched_off_is_told(monkeypatch, environment, word):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    (line,) = facts.switched_off()
    assert word in line


def test_nothing_is_switched_off_by_default():
    assert facts.switched_off() == []


def test_info_works_while_flagtree_is_off(run_python):
    code = "import json, sys; from flagtree.tools.cli import main; sys.argv = ['flagtree', 'info', '--json']; main()"
    told = json.loads(run_python(code, FLAGTREE_DISABLE="1").stdout)
    assert set(told["seams"].values()) == {"off"} and "FlagTree is off" in told["active"]["why"]


def test_the_active_backend_names_its_reason(monkeypatch):
    monkeypatch.setenv("TRITON_DEFAULT_BACKEND", "cpu")
    assert facts.active() == {"backend": "cpu", "why": "TRITON_DEFAULT_BACKEND"}


def read_variables() -> set[str]:
    """What the sources read from the environment."""
    pattern = re.compile(r"(?:environ(?:\.get\(|\[)|getenv\(|_VARIABLE = |ENVIRONMENT = |CODE_MODES = ).*")
    found: set[str] = set()
    for folder in ("python/flagtree", "setup_tools", "lib", "third_party", "python/src"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".cpp") and path.name != "variables.py":
                lines = "\n".join(pattern.findall(path.read_text()))
                found.update(re.findall(r"FLAGTREE_[A-Z_]+", lines))
    return found


def test_every_variable_that_is_read_is_in_the_table_of_variables():
    read = read_variables()
    assert len(read) >= 5
    assert read <= {v.name for v in variables.VARIABLES}


def test_the_documented_variables_are_those_of_the_table():
    text = (ROOT / "docs" / "environment.md").read_text()
    rows = set(re.findall(r"^\| `(FLAGTREE_[A-Z_]+)`", text, re.MULTILINE))
    assert rows == {v.name for v in variables.VARIABLES}


def test_the_version_is_shown(flagtree):
    done = flagtree("--version")
    assert done.exit_code == 0 and done.stdout.startswith("flagtree ")


def test_an_unknown_command_is_wrong_usage(flagtree):
    assert flagtree("inof").exit_code == 2
