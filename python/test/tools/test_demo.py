# SPDX-License-Identifier: MIT
"""The demo tells the truth: what is right, what is wrong, and what each hint did."""

from __future__ import annotations

import json
import shutil

import pytest
from rich.console import Console

torch = pytest.importorskip("torch")

from flagtree.tools import tutorials  # noqa: E402
from flagtree.tools.demo_fates import hint_rows  # noqa: E402
from flagtree.tools.demo_tables import Line, hints, results  # noqa: E402
from flagtree.tools.interpreter import Interpreted, interpret  # noqa: E402
from flagtree.tools.measure import Measured, launch_arguments, measure  # noqa: E402

QUICK = ["--fraction", "0.002", "--no-elsewhere"]


@pytest.fixture(autouse=True)
def on_the_cpu(monkeypatch):
    monkeypatch.setenv("TRITON_DEFAULT_BACKEND", "cpu")


@pytest.fixture
def add():
    return tutorials.cases(tutorials.files()[0], 0.001)[0]


def changed(case, **fields):
    return tutorials.Case(**{**vars(case), **fields})


def shown(table) -> str:
    console = Console(width=160, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    console.print(table)
    return console.export_text()


@pytest.fixture
def demo(run_python):
    def run(*args: str, check: bool = True, **environment: str):
        code = f"import sys; sys.argv[1:] = {list(args)!r}; from flagtree.tools.demo import main; main()"
        return run_python(code, check=check, TRITON_DEFAULT_BACKEND="cpu", **environment)

    return run


def test_it_ends_with_both_tables_and_all_right(demo):
    done = demo(*QUICK)
    assert done.stdout.count("right") >= 2 and "WRONG" not in done.stdout and "FAILED" not in done.stdout
    for part in ("vector add", "fused softmax", "evict(first)", "unused here", "Triton 3."):
        assert part in done.stdout
    assert "Triton's interpreter" in done.stderr and "it failed" not in done.stdout


def test_a_wrong_result_ends_with_1(demo, tmp_path):
    text = tutorials.files()[0].read_text()
    assert "a + b" in text
    (tmp_path / "01-wrong.py").write_text(text.replace("a + b", "a - b"))
    done = demo(*QUICK, "--no-interpreter", "--folder", str(tmp_path), check=False)
    assert done.returncode == 1 and "WRONG" in done.stdout and "not right: vector add" in done.stderr


def test_a_kernel_that_cannot_be_compiled_ends_with_1_and_the_others_are_still_shown(demo, tmp_path):
    first, second = tutorials.files()[:2]
    (tmp_path / "01-broken.py").write_text(first.read_text().replace("a + b", "a + undefined_name"))
    shutil.copy(second, tmp_path)
    done = demo(*QUICK, "--no-interpreter", "--folder", str(tmp_path), check=False)
    assert done.returncode == 1 and "FAILED" in done.stdout and "fused softmax" in done.stdout


def test_a_folder_without_tutorials_is_wrong_usage(demo, tmp_path):
    done = demo("--folder", str(tmp_path), check=False)
    assert done.returncode == 2 and "no tutorials" in done.stderr


def test_measure_finds_a_right_result(add):
    measured = measure(add, seconds=0)
    assert measured.right and min(measured.first, measured.ours, measured.torch) > 0


@pytest.mark.parametrize("path", tutorials.files(), ids=lambda path: path.stem)
def test_a_first_call_is_one(path, cache_dir):
    tutorials.cases(path, 0.001)
    assert not list(cache_dir.iterdir()), "kernels were compiled before they were measured"


def test_a_kernel_that_writes_nothing_is_not_right(add):
    out = add.run()
    assert not measure(changed(add, run=lambda: out), seconds=0).right


def test_nan_is_not_right():
    assert not Measured(float("nan"), 1.0, 1, 1, 1).right


def test_the_arguments_of_the_launch_are_seen_and_the_hook_is_gone(add):
    args, kwargs = launch_arguments(add)
    assert len(args) == 4 and kwargs["BLOCK"] == 1024
    assert add.kernel.pre_run_hooks == []


def test_fates_name_line_source_and_hint(add):
    rows = hint_rows(add, "cpu", {})
    lines = tutorials.files()[0].read_text().splitlines()
    assert rows[0].source == "tl.store(out + index, a + b, mask=exists)"
    assert [row.hint for row in rows] == ["evict(first)"]
    assert all(row.source in lines[row.line - 1] and row.fates["cpu"] is not None for row in rows)


def test_a_hint_on_its_own_line_shows_the_statement_that_it_is_for():
    case = tutorials.cases(tutorials.files()[3], 0.001)[1]
    loop = hint_rows(case, "cpu", {})[0]
    assert loop.hint == "num_stages=3"
    assert loop.source == "for row in tl.range(tl.program_id(0), rows, tl.num_programs(0)):"


def test_a_gpu_pipeline_applies_the_loop_hint():
    from flagtree.tools.target import parse_target

    case = tutorials.cases(tutorials.files()[3], 0.001)[1]
    loop = hint_rows(case, "cpu", {"cuda:90": parse_target("cuda:90")})[0]
    assert loop.fates["cuda:90"].status.value == "applied"


def test_other_targets_get_the_types_of_the_launch():
    from flagtree.tools.target import parse_target

    case = tutorials.cases(tutorials.files()[5], 0.001)[0]
    (loop,) = hint_rows(case, "cpu", {"cuda:90": parse_target("cuda:90")})
    # Its second pointer is to integers, which the source does not tell.
    assert loop.kernel == "loss_kernel" and loop.fates["cuda:90"].status.value == "applied"


def test_a_rejected_hint_shows_why(tmp_path):
    path = tmp_path / "01-misplaced.py"
    path.write_text(tutorials.files()[0].read_text().replace("evict(first)", "num_stages=2"))
    text = shown(hints(hint_rows(tutorials.cases(path, 0.001)[0], "cpu", {})))
    assert "rejected:" in text


def test_the_interpreter_scales_and_says_so(add):
    (found,) = interpret(tutorials.files()[0], 1, 1e-9, 0.01)
    assert found.failure == "" and found.fraction < 1 and found.whole > found.seconds
    text = shown(results([Line(add, Measured(0, 1, 1, 1, 1), found)], "cpu"))
    assert "its time is scaled" in " ".join(text.split())


def test_a_failing_interpreter_is_told_and_hurts_nothing(add, tmp_path):
    (tmp_path / "x.py").write_text("raise SystemExit('no such luck')")
    found = interpret(tmp_path / "x.py", 2, 1.0)
    assert [f.failure for f in found] == ["no such luck"] * 2
    text = shown(results([Line(add, Measured(0, 1, 1, 1, 1), found[0])], "cpu"))
    assert "it failed" in text and "no such luck" in " ".join(text.split())


def test_ratios_say_how_many_times_faster(add):
    text = shown(results([Line(add, Measured(0, 1, 1, 2.0, 1.0), Interpreted(300.0))], "cpu"))
    assert "0.50×" in text and "150×" in text


def test_interpreter_results_are_one_json_object_a_case(run_python):
    path = str(tutorials.files()[0])
    run = "runpy.run_module('flagtree.tools.interpreter', run_name='__main__')"
    code = f"import runpy, sys; sys.argv[1:] = [{path!r}, '1', '0.001']; {run}"
    (line,) = run_python(code, TRITON_INTERPRET="1").stdout.splitlines()
    assert set(json.loads(line)) == {"seconds", "fraction"}
