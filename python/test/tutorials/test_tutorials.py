# SPDX-License-Identifier: MIT
"""The tutorials run as they stand, with and without FlagTree's hints, and refuse what they cannot do."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from flagtree.tools.tutorials import cases, files  # noqa: E402

FILES = files()
NAMES = [path.stem for path in FILES]


@pytest.fixture(autouse=True)
def on_the_cpu(monkeypatch):
    monkeypatch.setenv("TRITON_DEFAULT_BACKEND", "cpu")


def module(path: Path):
    import sys

    cases(path, 0.001)
    return sys.modules[f"flagtree_tutorial_{path.stem.replace('-', '_')}"]


def test_there_are_two():
    assert NAMES[:2] == ["01-vector-add", "02-fused-softmax"]


@pytest.mark.parametrize("path", FILES, ids=NAMES)
@pytest.mark.parametrize("mode", ["off", "error"])
def test_runs_by_itself(path, mode, run_python):
    code = f"import runpy; runpy.run_path({str(path)!r}, run_name='__main__')"
    done = run_python(code, TRITON_DEFAULT_BACKEND="cpu", FLAGTREE_HINTS=mode)
    assert "largest difference" in done.stdout


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_imports_nothing_of_flagtree(path):
    assert "import flagtree" not in path.read_text() and "from flagtree" not in path.read_text()


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_cases_are_right_beside_float64(path):
    for case in cases(path, 0.003):
        error = (case.run().double() - case.expected()).abs().max().item()
        assert error <= case.tolerance


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_torch_computes_into_the_same_tensor(path):
    (case,) = cases(path, 0.001)
    assert case.run().data_ptr() == case.torch().data_ptr()


@pytest.mark.parametrize("n", [1, 1023, 1024, 1025, 5000])
def test_add_of_any_length(n):
    x, y = torch.rand(n), torch.rand(n)
    assert torch.equal(module(FILES[0]).add(x, y), x + y)


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (1500, 64), (7, 1000)])
def test_softmax_of_any_shape(shape):
    x = torch.randn(*shape) * 10
    torch.testing.assert_close(module(FILES[1]).softmax(x), torch.softmax(x, 1), rtol=1e-5, atol=1e-6)


def test_softmax_of_a_part_of_a_wider_matrix():
    x = torch.randn(20, 300)[:, 17:200]
    torch.testing.assert_close(module(FILES[1]).softmax(x), torch.softmax(x, 1), rtol=1e-5, atol=1e-6)


def test_add_refuses_other_shapes_and_strides():
    add = module(FILES[0]).add
    with pytest.raises(ValueError, match=r"\(4,\) and \(5,\)"):
        add(torch.rand(4), torch.rand(5))
    with pytest.raises(ValueError, match="contiguous"):
        add(torch.rand(8)[::2], torch.rand(8)[::2])


def test_softmax_refuses_columns_that_are_not_contiguous():
    with pytest.raises(ValueError, match="contiguous rows"):
        module(FILES[1]).softmax(torch.rand(4, 4).t())
