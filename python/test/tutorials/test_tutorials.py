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


def test_their_order():
    assert NAMES == [
        "01-vector-add",
        "02-fused-softmax",
        "03-matmul",
        "04-layer-norm",
        "05-flash-attention",
        "06-cross-entropy",
    ]


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
def test_torch_computes_the_same(path):
    for case in cases(path, 0.003):
        expected = case.expected()
        ours, theirs = case.run(), case.torch()
        assert ours.shape == theirs.shape == expected.shape
        assert (theirs.double() - expected).abs().max().item() <= case.tolerance


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


@pytest.mark.parametrize("size", [(1, 1, 1), (65, 3, 130), (64, 64, 32), (100, 129, 31)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_matmul_of_any_shape_and_layout(size, dtype):
    m, n, k = size
    a, b = torch.randn(k, m).to(dtype).t(), torch.randn(n, k).to(dtype).t()
    for left, right in ((a, b), (a.contiguous(), b), (a.contiguous(), b.contiguous())):
        result = module(FILES[2]).matmul(left, right)
        expected = (left.double() @ right.double()).to(dtype)
        torch.testing.assert_close(
            result, expected, rtol=2e-2 if dtype == torch.bfloat16 else 1e-4, atol=1e-3
        )


def test_matmul_refuses_what_does_not_fit():
    with pytest.raises(ValueError, match=r"\(2, 3\).*\(4, 5\)"):
        module(FILES[2]).matmul(torch.rand(2, 3), torch.rand(4, 5))


@pytest.mark.parametrize("shape", [(1, 1), (3, 17), (70, 300)])
def test_layer_norm_backward_of_any_shape(shape):
    tutorial = module(FILES[3])
    x, dout, weight, bias = (
        torch.randn(shape),
        torch.randn(shape),
        torch.randn(shape[1]),
        torch.randn(shape[1]),
    )
    y, means, scales = tutorial.layer_norm(x, weight, bias)
    wide = [t.double().requires_grad_() for t in (x, weight, bias)]
    expected = torch.nn.functional.layer_norm(wide[0], shape[1:], wide[1], wide[2])
    expected.backward(dout.double())
    ours = (y, *tutorial.layer_norm_backward(dout, x, weight, means, scales))
    for result, exact in zip(ours, (expected.detach(), *(t.grad for t in wide)), strict=True):
        torch.testing.assert_close(result.double(), exact, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("tokens", [1, 63, 64, 130])
@pytest.mark.parametrize("causal", [False, True])
def test_attention_of_any_length(tokens, causal):
    q, k, v = (torch.randn(1, 2, tokens, 16) for _ in range(3))
    exact = torch.nn.functional.scaled_dot_product_attention(
        q.double(), k.double(), v.double(), is_causal=causal
    )
    torch.testing.assert_close(
        module(FILES[4]).attention(q, k, v, causal).double(), exact, rtol=1e-4, atol=1e-5
    )


@pytest.mark.parametrize("classes", [1, 5, 1024, 3001])
def test_cross_entropy_of_any_width(classes):
    scores, targets = torch.randn(5, classes) * 4, torch.randint(0, classes, (5,))
    targets[0] = -100
    losses, _ = module(FILES[5]).cross_entropy(scores, targets)
    exact = torch.nn.functional.cross_entropy(scores.double(), targets, reduction="none", ignore_index=-100)
    torch.testing.assert_close(losses.double(), exact, rtol=1e-5, atol=1e-5)
