# SPDX-License-Identifier: MIT
"""Arguments on their way from a launch to the native launcher."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import cpu_kernels
import numpy as np
import pytest
from fake_compiler import FakeCompiler, floats

from flagtree.runtime.arrays import HostArray, adapt, needs_adapting
from flagtree.runtime.flatten import FlatSignature
from flagtree.runtime.types import cpp_type, from_mlir


def test_arrays_and_scalars_of_numpy_are_noticed() -> None:
    assert needs_adapting((1, np.zeros(1)))
    assert needs_adapting((np.float32(1),))
    assert not needs_adapting((1, 2.0, None, "text", object()))


def test_an_array_keeps_its_memory_and_type() -> None:
    array = np.zeros((4, 6), np.float16)[:, ::2]
    wrapped = adapt(array)
    assert isinstance(wrapped, HostArray)
    assert wrapped.data_ptr() == array.ctypes.data and wrapped.dtype == np.float16
    assert wrapped.shape == (4, 3) and wrapped.stride() == (6, 2) and wrapped.stride(1) == 2
    assert wrapped.element_size() == 2


@pytest.mark.parametrize(
    ("scalar", "value"),
    [(np.int64(7), 7), (np.float32(0.5), 0.5), (np.bool_(True), True), (np.uint8(255), 255)],
)
def test_scalars_become_pythons(scalar: Any, value: Any) -> None:
    adapted = adapt(scalar)
    assert adapted == value and type(adapted) is type(value)


def test_other_values_pass_through_untouched() -> None:
    value = object()
    assert adapt(value) is value


@pytest.mark.parametrize("dtype", ["complex64", "object", "U3", "datetime64[s]"])
def test_an_array_that_no_kernel_can_take_is_named(dtype: str) -> None:
    with pytest.raises(TypeError, match="cannot be passed to a kernel; allowed are"):
        adapt(np.zeros(2, dtype))


def test_an_array_of_the_other_byte_order_is_refused_with_the_remedy() -> None:
    with pytest.raises(TypeError, match="newbyteorder"):
        adapt(np.zeros(2, np.dtype(np.int32).newbyteorder()))


@pytest.mark.parametrize(
    "dtype", ["float32", "float16", "float64", "int8", "int64", "uint8", "int32", "bool"]
)
def test_an_array_gives_the_signature_that_a_tensor_would(dtype: str, fake: FakeCompiler) -> None:
    torch = pytest.importorskip("torch")
    fake.define("own_num_stages", lambda *args: None)
    launches = [
        cpu_kernels.own_num_stages[(1,)](value, value, num_stages=1, B=64)
        for value in (np.zeros(64, dtype), torch.zeros(64, dtype=getattr(torch, dtype)))
    ]
    assert launches[0].src.signature == launches[1].src.signature


def test_a_tuple_argument_arrives_flat(fake: FakeCompiler) -> None:
    def pair(args: Any, grid: Any, begin: int, end: int) -> None:
        x, y, o = (floats(args[i], 64) for i in range(3))
        for i in range(64):
            o[i] = x[i] + y[i]

    fake.define("pair", pair)
    torch = pytest.importorskip("torch")
    x, y, o = torch.arange(64.0), torch.ones(64), torch.zeros(64)
    cpu_kernels.pair[(1,)]((x, y), o, B=64)
    assert torch.equal(o, x + y)


def test_nested_signatures_are_flattened_in_order() -> None:
    signature = FlatSignature(
        {"a": "*fp32", "t": ("i32", ("constexpr", "*i8")), "n": "i64"}, rounds_to_tf32=True
    )
    assert signature.names_and_types == [
        ("a", "*fp32"), ("t[0]", "i32"), ("t[1][0]", "constexpr"), ("t[1][1]", "*i8"), ("n", "i64"),
    ]  # fmt: skip
    assert signature.flatten(("A", (1, (2, "P")), 3)) == ["A", 1, 2, "P", 3]


def test_a_flat_signature_costs_nothing() -> None:
    signature = FlatSignature({"a": "*fp32", "n": "i32"}, rounds_to_tf32=True)
    args = (1, 2)
    assert signature.flatten(args) is args


@pytest.mark.parametrize(("rounds", "flags"), [(True, ["i1", "i1"]), (False, ["i1"])])
def test_a_descriptor_becomes_pointer_shape_strides_and_flags(rounds: bool, flags: list[str]) -> None:
    signature = FlatSignature({"d": "tensordesc<fp16[16, 32]>"}, rounds_to_tf32=rounds)
    types = [ty for _, ty in signature.names_and_types]
    assert types == ["*fp16", "i64", "i64", "i64", "i64", *flags, "i32", "i32", "i64", "i64"]
    descriptor = SimpleNamespace(
        base="P", shape=[4, 5], strides=[5, 1], padding="nan", round_f32_to_tf32=False
    )
    values = signature.flatten((descriptor,))
    assert values == ["P", 4, 5, 5, 1, True, *([False] if rounds else []), 4, 5, 5, 1]


@pytest.mark.parametrize(
    ("mlir", "triton_type"),
    [
        ("!tt.ptr<f32>", "*fp32"),
        ("!tt.ptr<bf16>", "*bf16"),
        ("f64", "fp64"),
        ("i32", "i32"),
        ("*fp32", "*fp32"),
    ],
)
def test_types_of_a_kernel_read_from_a_file(mlir: str, triton_type: str) -> None:
    assert from_mlir(mlir) == triton_type


def test_an_unknown_type_is_named_with_what_is_known() -> None:
    assert cpp_type("*fp32") == "void*" and cpp_type("i32") == "int32_t"
    with pytest.raises(ValueError, match="'i3' is no argument type"):
        cpp_type("i3")
