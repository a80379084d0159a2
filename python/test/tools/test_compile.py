# SPDX-License-Identifier: MIT
"""`flagtree compile`: every kind of output, and every way to be told what is wrong."""

from __future__ import annotations

import inspect
import os

import cli_kernels
import pytest

from flagtree.tools.mlir_lexer import MLIRLexer


@pytest.mark.parametrize(
    ("kind", "token"),
    [
        ("source", "tt.func public @scale"),
        ("ttir", "tt.load"),
        ("linalg", "func.func"),
        ("llir", "define"),
        ("asm", "\tret"),
    ],
)
def test_each_level_is_shown(compile_cpu, kind, token):
    done = compile_cpu("scale", "--emit", kind)
    assert done.exit_code == 0 and token in done.stdout, done.stderr
    assert "\x1b[" not in done.stdout


def test_assumed_types_are_told_beside_the_result(compile_cpu):
    done = compile_cpu("scale")
    assert "x=*fp32,o=*fp32,n=i32,factor=i32,B=64" in done.stderr.replace("\n", "")
    assert "assumed" not in done.stdout


def test_nothing_is_told_when_every_type_was_given(compile_cpu):
    assert compile_cpu("scale", "--signature", "*fp32,*fp32,i32,fp32,64").stderr == ""


def test_the_object_is_an_elf_file_without_our_seal(compile_cpu, tmp_path):
    path = tmp_path / "scale.o"
    done = compile_cpu("scale", "--emit", "obj", "-o", path)
    content = path.read_bytes()
    assert done.exit_code == 0 and content[:4] == b"\x7fELF" and b"FTSEAL" not in content


def test_a_failed_write_leaves_the_old_file_whole_and_nothing_beside_it(compile_cpu, tmp_path, monkeypatch):
    path = tmp_path / "scale.ttir"
    path.write_text("old")
    monkeypatch.setattr(
        "os.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device"))
    )
    done = compile_cpu("scale", "-o", path)
    assert done.exit_code == 2 and "No space left" in done.stderr
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_missing_is_told(compile_cpu, tmp_path):
    done = compile_cpu("scale", "-o", tmp_path / "no" / "x.ttir")
    assert done.exit_code == 2 and "cannot be written" in done.stderr


def test_ir_can_be_compiled_further(compile_cpu, flagtree, tmp_path):
    path = tmp_path / "scale.mlir"
    compile_cpu("scale", "-o", path)
    done = flagtree("compile", path, "--backend", "cpu", "--emit", "asm")
    assert done.exit_code == 0 and "scale" in done.stdout


def test_malformed_ir_ends_with_1_and_names_the_line(flagtree, tmp_path):
    path = tmp_path / "bad.ttir"
    path.write_text("module {\n  tt.func public @f() {\n    tt.retrun\n  }\n}\n")
    done = flagtree("compile", path, "--backend", "cpu", "--emit", "llir")
    assert done.exit_code == 1 and ":3:" in done.stderr


def test_a_signature_for_ir_is_wrong_usage(flagtree, tmp_path):
    path = tmp_path / "f.ttir"
    path.write_text("module {}")
    assert flagtree("compile", path, "--signature", "i32").exit_code == 2


def test_the_only_kernel_of_a_file_need_not_be_named_and_its_prints_stay_out(flagtree, one_kernel):
    done = flagtree("compile", one_kernel, "--backend", "cpu")
    assert done.exit_code == 0 and "@only" in done.stdout and "speaks" not in done.stdout


def test_an_operation_that_is_not_supported_names_kernel_line_op_and_remedy(compile_cpu):
    done = compile_cpu("assembly", "--emit", "linalg", "--signature", "*i32,*i32")
    assert done.exit_code == 1
    for part in ("kernel `assembly`", "cli_kernels.py:", "tl.constexpr"):
        assert part in done.stderr


def test_the_levels_before_a_failing_one_can_be_shown(compile_cpu):
    assert compile_cpu("assembly", "--emit", "ttir", "--signature", "*i32,*i32").exit_code == 0


def test_an_error_in_a_callee_is_placed_in_the_callee(compile_cpu):
    lines, first = inspect.getsourcelines(cli_kernels.read_badly.fn)
    line = first + next(i for i, text in enumerate(lines) if "no_such_function" in text)
    done = compile_cpu("calls_badly")
    assert (
        done.exit_code == 1 and f"cli_kernels.py:{line}:" in done.stderr and "no_such_function" in done.stderr
    )


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["nowhere.py::f"], "no file 'nowhere.py'"),
        (["{kernels}"], "several kernels: scale, walk"),
        (["{kernels}::"], "names no kernel"),
        (["{kernels}::scal"], "did you mean scale"),
        (["{kernels}::scale", "--emit", "ptx"], "cpu can emit source, ttir, linalg, llir, obj, asm"),
        (["{kernels}::scale", "--option", "num_warp=2"], "did you mean num_warps"),
        (["{kernels}::scale", "--option", "num_warps"], "write NAME=VALUE"),
        (["{kernels}::walk"], "--constexpr B=VALUE"),
        (["{kernels}::scale", "--constexpr", "B=many"], "'many' is no value"),
    ],
)
def test_wrong_usage_ends_with_2_and_says_what_is_allowed(flagtree, args, message):
    done = flagtree("compile", *[a.format(kernels=cli_kernels.__file__) for a in args], "--backend", "cpu")
    assert done.exit_code == 2 and message in done.stderr and done.stdout == ""


@pytest.mark.parametrize(
    ("backend", "message"),
    [
        ("cud", "did you mean cuda"),
        ("cpu:zen4", "FLAGTREE_CPU"),
        ("cuda:90:x", "the warp size is a number"),
        ("cuda:ninety", "refused"),
    ],
)
def test_a_wrong_target_is_told(flagtree, one_kernel, backend, message):
    done = flagtree("compile", one_kernel, "--backend", backend)
    assert done.exit_code == 2 and message in done.stderr


def test_a_file_that_fails_is_told_with_its_line(flagtree, tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("import triton\n1 / 0\n")
    done = flagtree("compile", path)
    assert done.exit_code == 1 and "ZeroDivisionError" in done.stderr and "line 2: 1 / 0" in done.stderr


@pytest.mark.parametrize(
    ("backend", "kind", "token"),
    [
        ("cuda:90", "ptx", ".target sm_90"),
        ("nvidia", "ttgir", "ttg.num-warps"),
        ("hip:gfx942", "amdgcn", "gfx942"),
    ],
)
def test_gpu_targets_are_compiled_for_without_a_device(flagtree, one_kernel, backend, kind, token):
    done = flagtree("compile", one_kernel, "--backend", backend, "--emit", kind)
    assert done.exit_code == 0 and token in done.stdout, done.stderr


def test_options_reach_the_backend(flagtree, one_kernel):
    done = flagtree(
        "compile", one_kernel, "--backend", "cuda:90", "--emit", "ttgir", "--option", "num_warps=8"
    )
    assert '"ttg.num-warps" = 8' in done.stdout


def test_binary_through_a_pipe_is_the_bytes_themselves(flagtree, one_kernel):
    done = flagtree("compile", one_kernel, "--backend", "cpu", "--emit", "obj")
    assert done.exit_code == 0 and done.stdout_bytes[:4] == b"\x7fELF"


def test_binary_is_refused_on_a_terminal(flagtree, one_kernel, monkeypatch, capsys):
    import typer

    from flagtree.tools import show

    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    with pytest.raises(typer.Exit) as left:
        show.show(b"\x7fELF\xff", "obj", None)
    assert left.value.exit_code == 2 and "-o PATH" in capsys.readouterr().err


def test_locations_are_kept_on_request(compile_cpu):
    assert "loc(" not in compile_cpu("scale").stdout
    assert "cli_kernels.py" in compile_cpu("scale", "--locations").stdout


def test_the_lexer_knows_the_parts_of_mlir():
    from pygments.token import Error, Keyword, Name, Number

    text = '%0 = tt.load %p {a = "x"} : tensor<4x?xf32, #blocked> // note\n@f ^bb0 !tt.ptr<i8> -1.5e3'
    tokens = list(MLIRLexer().get_tokens(text))
    kinds = {value: kind for kind, value in tokens}
    assert kinds["tt.load"] in Name.Builtin and kinds["%0"] in Name.Variable and kinds["f32"] in Keyword.Type
    assert kinds["4x?x"] in Number and kinds["#blocked"] in Name.Decorator and kinds["@f"] in Name.Function
    assert not [t for t in tokens if t[0] is Error]
    assert "".join(value for _, value in tokens).rstrip("\n") == text


def test_an_output_that_is_no_plain_file_is_written_to_and_stays(compile_cpu, tmp_path):
    target, link, pipe = tmp_path / "target.ttir", tmp_path / "link.ttir", tmp_path / "pipe"
    target.write_text("old")
    link.symlink_to(target)
    assert compile_cpu("scale", "-o", link).exit_code == 0
    assert link.is_symlink() and "tt.func" in target.read_text()
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert compile_cpu("scale", "-o", pipe).exit_code == 0
    assert b"tt.func" in os.read(reader, 1 << 16) and pipe.is_fifo()
    os.close(reader)
