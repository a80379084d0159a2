# SPDX-License-Identifier: MIT
"""From `kernel[grid](…)` to the native modules and back, over a stand-in for the compiler."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cpu_kernels
import numpy as np
import pytest
import triton
from fake_compiler import FakeCompiler, failure

from flagtree.compiler.blob import is_whole, unseal
from flagtree.compiler.errors import KernelCompileError


def launch(n: int = 100, **options: Any) -> Any:
    x, y, o = np.arange(n, dtype=np.float32), np.ones(n, np.float32), np.zeros(n, np.float32)
    compiled = cpu_kernels.add[(triton.cdiv(n, 64),)](x, y, o, n, B=64, **options)
    np.testing.assert_array_equal(o, x + y)
    return compiled


def test_a_launch_goes_through_all_four_stages_and_writes_its_result(fake: FakeCompiler) -> None:
    compiled = launch()
    assert [name for name in compiled.asm if name != "source"] == ["ttir", "linalg", "llir", "obj"]
    assert fake.pipelines == [f"builtin.module({stage})" for stage in ("ttir", "linalg", "llir")]
    assert compiled.metadata.name == "add" and compiled.metadata.shared == 0
    assert unseal(compiled.asm["obj"]) == b"; obj of add"


def test_torch_tensors_are_arguments(fake: FakeCompiler) -> None:
    torch = pytest.importorskip("torch")
    x, o = torch.arange(100.0), torch.zeros(100)
    cpu_kernels.add[(2,)](x, x, o, 100, B=64)
    assert torch.equal(o, x + x)


@pytest.mark.parametrize("option", ["num_warps", "num_stages", "num_ctas", "maxnreg", "waves_per_eu"])
def test_options_of_gpus_cause_no_second_compile(option: str, fake: FakeCompiler) -> None:
    first = launch(**{option: 1})
    assert launch(**{option: 4}) is first, "nor a second load"
    assert launch() is first
    assert len(fake.compiled) == 1


def test_options_of_gpus_are_not_in_the_key_on_disk(fake: FakeCompiler) -> None:
    source = lambda: triton.compiler.ASTSource(  # noqa: E731
        cpu_kernels.add, {"x": "*fp32", "y": "*fp32", "o": "*fp32", "n": "i32", "B": "constexpr"}, {"B": 64}
    )
    hashes = {triton.compile(source(), options={"num_warps": w, "num_stages": w}).hash for w in (1, 4, 8)}
    assert len(hashes) == 1 and len(fake.compiled) == 1


def test_a_kernels_own_parameter_of_such_a_name_is_kept(fake: FakeCompiler) -> None:
    fake.define("own_num_stages", lambda *args: None)
    x = np.zeros(64, np.float32)
    for num_stages in (2, 3):
        cpu_kernels.own_num_stages[(1,)](x, x, num_stages=num_stages, B=64)
    assert len(fake.compiled) == 2


def test_an_option_that_shapes_code_compiles_again(fake: FakeCompiler) -> None:
    launch()
    launch(debug=True)
    assert len(fake.compiled) == 2


def test_an_unknown_option_is_refused(fake: FakeCompiler) -> None:
    with pytest.raises(KeyError, match="num_warp"):
        launch(num_warp=4)


def test_the_disk_cache_serves_a_second_process(fake: FakeCompiler) -> None:
    launch()
    cpu_kernels.add.device_caches.clear()
    launch()
    assert len(fake.compiled) == 1


@pytest.mark.parametrize(
    "damage", [lambda b: b[:20], lambda b: b"", lambda b: b"X" + b[1:], lambda b: bytes(len(b))]
)
def test_a_damaged_object_on_disk_is_built_again(damage: Any, fake: FakeCompiler, cache_dir: Path) -> None:
    launch()
    (path,) = cache_dir.rglob("add.obj")
    path.write_bytes(damage(path.read_bytes()))
    cpu_kernels.add.device_caches.clear()
    launch()
    assert len(fake.compiled) == 2 and is_whole(path.read_bytes())


@pytest.mark.parametrize("name", ["add.json", "add.llir", "add.ttir", "__grp__add.json"])
def test_any_other_damaged_file_is_built_again(name: str, fake: FakeCompiler, cache_dir: Path) -> None:
    launch()
    (path,) = cache_dir.rglob(name)
    path.write_bytes(b"\xff\xff")
    cpu_kernels.add.device_caches.clear()
    launch()
    assert len(fake.compiled) == 2


def test_an_unusable_cache_directory_does_not_stop_a_launch(
    fake: FakeCompiler, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from flagtree.upstream import cache_files

    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(cache_files, "_substitute", None)
    with pytest.warns(RuntimeWarning, match="cannot be used"):
        launch()


def test_ttir_that_cannot_be_read_names_version_operation_and_line(fake: FakeCompiler) -> None:
    place = {"file": "kernels.py", "line": 12, "column": 5}
    fake.failing["parse"] = failure("custom op 'tt.new_op' is unknown", **place)
    with pytest.raises(KernelCompileError) as raised:
        launch()
    text = str(raised.value)
    assert "stage parse" in text and "kernels.py:12:5: custom op 'tt.new_op'" in text
    assert triton.__version__ in text, "it is the version's text that could not be read"
    assert raised.value.diagnostics[0]["line"] == 12


def test_an_operation_that_is_not_supported_is_named_with_kernel_line_and_remedy(fake: FakeCompiler) -> None:
    place = {"file": "kernels.py", "line": 12, "column": 5}
    fake.failing["run"] = failure("failed to legalize operation 'tt.gather'", **place)
    with pytest.raises(
        KernelCompileError, match=r"(?s)kernel `add`.*kernels.py:12:5.*`tt.gather`.*TRITON_INTERPRET=1"
    ):
        launch()


@pytest.mark.parametrize("stage", ["llir", "obj"])
def test_a_failure_to_emit_names_its_stage(stage: str, fake: FakeCompiler) -> None:
    fake.failing[stage] = failure("no register left")
    with pytest.raises(KernelCompileError, match=rf"(?s)stage {stage}.*no register left"):
        launch()


def test_a_compile_that_failed_is_tried_again(fake: FakeCompiler) -> None:
    fake.failing["run"] = failure("not today")
    with pytest.raises(KernelCompileError):
        launch()
    fake.failing.clear()
    launch()


def test_code_that_could_not_be_loaded_is_tried_again(fake: FakeCompiler) -> None:
    fake.failing["load"] = failure("symbol not found: add")
    for _ in range(2):
        with pytest.raises(Exception, match="symbol not found"):
            launch()
    fake.failing.clear()
    launch()


def test_code_that_was_never_loaded_is_not_called(fake: FakeCompiler) -> None:
    launcher = triton.runtime.driver.active.launcher_cls(launch().src, SimpleNamespace(name="add"))
    with pytest.raises(RuntimeError, match="kernel `add` has no code"):
        launcher(1, 1, 1, 0, None, (), None, None, None)


def test_interrupting_a_compile_leaves_nothing_behind(fake: FakeCompiler, cache_dir: Path) -> None:
    fake.failing["run"] = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        launch()
    assert not list(cache_dir.rglob("*.obj")) and not list(cache_dir.rglob("*.json"))
    fake.failing.clear()
    launch()


def test_a_processor_asked_for_reaches_the_code_generator(
    fake: FakeCompiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLAGTREE_CPU", "znver3")
    monkeypatch.setenv("FLAGTREE_CPU_FEATURES", "+avx2")
    launch()
    assert ("obj", "znver3", "+avx2") in fake.emitted


@pytest.mark.parametrize("mode", ["FLAGTREE_CPU", "FLAGTREE_HINTS"])
def test_a_mode_switched_within_the_process_compiles_again(
    mode: str, fake: FakeCompiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    launch()
    monkeypatch.setenv(mode, "off")
    launch()
    assert len(fake.compiled) == 2
    monkeypatch.delenv(mode)
    launch()
    assert len(fake.compiled) == 2, "the first one is still on disk"


def test_hints_reach_the_library(fake: FakeCompiler) -> None:
    assert 'flagtree_hints = "dma"' in launch().asm["ttir"]


def test_a_ttir_file_can_be_compiled(fake: FakeCompiler, tmp_path: Path) -> None:
    path = tmp_path / "add.ttir"
    path.write_text(launch().asm["ttir"])
    compiled = triton.compile(str(path))
    assert compiled.metadata.name == "add" and unseal(compiled.asm["obj"]) == b"; obj of add"
    x, o = np.ones(64, np.float32), np.zeros(64, np.float32)
    compiled[(1, 1, 1)](x.ctypes.data, x.ctypes.data, o.ctypes.data, 64)
    assert (o == 2).all()


def test_the_official_stage_hook_can_replace_a_stage(fake: FakeCompiler) -> None:
    from triton import knobs

    seen: list[Any] = []

    def hook(*args: Any) -> Any:
        if not args:
            return "key", "hash"
        backend, stages, _, language, _ = args
        seen.append((backend.name, list(stages), language))
        real = stages["linalg"]
        stages["linalg"] = lambda source, metadata: (seen.append("linalg"), real(source, metadata))[1]
        return None

    knobs.runtime.add_stages_inspection_hook = hook
    try:
        launch()
    finally:
        knobs.runtime.add_stages_inspection_hook = None
    assert seen[0][:2] == ("cpu", ["ttir", "linalg", "llir", "obj"]) and seen[1] == "linalg"


def test_the_code_lives_as_long_as_its_kernel(fake: FakeCompiler) -> None:
    compiled = launch()
    assert compiled.module.symbol == "add" and compiled.function == compiled.module.address
    assert not fake.closed


def test_cpu_kernels_are_kept_apart_from_those_of_gpus(fake: FakeCompiler) -> None:
    launch()
    assert list(cpu_kernels.add.device_caches) == ["cpu"], "a GPU's kernels are kept under its number"


def test_launch_hooks_are_called_around_the_launch(fake: FakeCompiler) -> None:
    from triton import knobs

    seen: list[str] = []
    enter = lambda metadata: seen.append(f"enter {metadata.get()['name']}")  # noqa: E731
    leave = lambda metadata: seen.append("exit")  # noqa: E731
    knobs.runtime.launch_enter_hook.add(enter)
    knobs.runtime.launch_exit_hook.add(leave)
    try:
        launch()
    finally:
        knobs.runtime.launch_enter_hook.remove(enter)
        knobs.runtime.launch_exit_hook.remove(leave)
    assert seen == ["enter add", "exit"]


def test_jit_hooks_get_what_they_read_from_the_options(fake: FakeCompiler) -> None:
    from triton import knobs

    seen: list[dict] = []
    knobs.runtime.jit_post_compile_hook = lambda **info: seen.append(info["compile"])
    try:
        launch()
    finally:
        knobs.runtime.jit_post_compile_hook = None
    assert seen[0]["num_warps"] == 1 and seen[0]["extern_libs"] == ()


def test_do_bench_measures(fake: FakeCompiler) -> None:
    milliseconds = triton.testing.do_bench(launch, warmup=1, rep=5)
    assert 0 < milliseconds < 10_000


def test_an_autotuned_kernel_chooses_by_time(fake: FakeCompiler) -> None:
    configs = [triton.Config({"B": 64}, num_warps=w, num_stages=s) for w in (2, 4) for s in (1, 2)]
    tuned = triton.autotune(configs, key=["n"], do_bench=lambda call, quantiles: [call() or 1.0] * 3)(
        cpu_kernels.add
    )
    x, o = np.ones(64, np.float32), np.zeros(64, np.float32)
    tuned[(1,)](x, x, o, 64)
    assert (o == 2).all() and len(fake.compiled) == 1, (
        "configurations that differ for GPUs only are one kernel"
    )


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    from flagtree.compiler import native

    monkeypatch.setattr(native, "_plugins", set())
    monkeypatch.setattr(native, "_plugin_setting", "")


def test_plugins_are_loaded_once_and_new_ones_when_they_are_named(
    fake: FakeCompiler, plugins: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    launch()
    assert fake.plugins == []
    monkeypatch.setenv("FLAGTREE_PLUGIN", "one.so")
    launch()
    monkeypatch.setenv("FLAGTREE_PLUGIN", "one.so:two.so")
    launch()
    assert fake.plugins == ["one.so", "two.so"] and len(fake.compiled) == 3


def test_a_plugin_that_cannot_be_loaded_is_named_at_every_compile(
    fake: FakeCompiler, plugins: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    from flagtree.compiler.native import NativeLibraryError

    monkeypatch.setenv("FLAGTREE_PLUGIN", "one.so")
    fake.failing["plugin"] = RuntimeError("built for another MLIR")
    for _ in range(2):
        with pytest.raises(
            NativeLibraryError, match=r"(?s)FLAGTREE_PLUGIN.*'one.so'.*built for another MLIR"
        ):
            launch()
    monkeypatch.delenv("FLAGTREE_PLUGIN")
    launch()


def test_the_gpu_path_loads_nothing_native_of_ours(run_kernel_file: Any) -> None:
    run_kernel_file(
        """
        import triton, triton.language as tl
        from triton.backends.compiler import GPUTarget

        @triton.jit
        def kernel(x, B: tl.constexpr):
            i = tl.arange(0, B)
            tl.store(x + i, tl.load(x + i))  #@hint: dma

        source = triton.compiler.ASTSource(kernel, {"x": "*fp32", "B": "constexpr"}, {"B": 64})
        compiled = triton.compile(source, target=GPUTarget("cuda", 90, 32))
        assert "flagtree_hints" in compiled.asm["ttir"]
        assert "libFlagTree" not in open("/proc/self/maps").read()
        """
    )
