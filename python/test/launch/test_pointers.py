# SPDX-License-Identifier: MIT
"""Pointer arguments: whatever has an address, and clear errors for what has not."""

from __future__ import annotations

import array
import ctypes
import sys
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest
import torch


class Wrapper:
    """As Triton's own wrapper of a tensor under another dtype."""

    def __init__(self, base: torch.Tensor, device: object) -> None:
        self.base = base
        self.device = device

    def data_ptr(self) -> int:
        return self.base.data_ptr()


@pytest.fixture
def address(slot):
    return lambda value: slot("*fp32", value)


def test_torch_tensors_and_their_views(address):
    tensor = torch.zeros(6, 8)
    assert address(tensor) == tensor.data_ptr()
    assert address(tensor[2:, 3]) == tensor.data_ptr() + 4 * (2 * 8 + 3)
    assert address(tensor.t()) == tensor.data_ptr()
    parameter = torch.nn.Parameter(tensor)
    assert address(parameter) == parameter.data_ptr()


def test_empty_torch_tensor_is_null(address):
    assert address(torch.empty(0)) == 0


def test_numpy_arrays_and_their_views(address):
    values = np.zeros((6, 8), np.float32)
    assert address(values) == values.ctypes.data
    assert address(values[1::2, ::-1]) == values.ctypes.data + 4 * (8 + 7)
    assert address(values.view(np.ma.MaskedArray)) == values.ctypes.data


def test_read_only_numpy_array_is_allowed(address):
    values = np.zeros(4, np.float32)
    values.flags.writeable = False
    assert address(values) == values.ctypes.data


def test_numpy_array_of_foreign_byte_order_is_refused(address):
    foreign = ">f4" if sys.byteorder == "little" else "<f4"
    with pytest.raises(ValueError, match=r"'store_slot', parameter 'value' \(\*fp32\).*order"):
        address(np.zeros(4, foreign))


def test_array_interface_of_any_object(address):
    values = np.zeros(4, np.float32)
    view = SimpleNamespace(__array_interface__=values.__array_interface__)
    assert address(view) == values.ctypes.data

    class Exporter:
        @property
        def __array_interface__(self) -> dict:
            return values.__array_interface__

    assert address(Exporter()) == values.ctypes.data


def test_array_interface_over_a_buffer_with_offset(address):
    memory = bytearray(64)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    interface = {"shape": (4,), "typestr": "|u1", "version": 3, "data": memory, "offset": 16}
    assert address(SimpleNamespace(__array_interface__=interface)) == start + 16


def test_buffers(address):
    numbers = array.array("f", [1, 2, 3])
    assert address(numbers) == numbers.buffer_info()[0]
    ctypes_array = (ctypes.c_float * 4)()
    assert address(ctypes_array) == ctypes.addressof(ctypes_array)
    assert address(memoryview(ctypes_array)[2:]) == ctypes.addressof(ctypes_array) + 8


def test_integers_are_addresses(address):
    assert address(0) == 0
    assert address(2**64 - 1) == 2**64 - 1
    assert address(np.int64(4096)) == 4096
    assert address(np.uint64(2**63)) == 2**63


def test_none_is_null(address):
    assert address(None) == 0


def test_object_with_data_ptr(address):
    tensor = torch.zeros(4)
    assert address(Wrapper(tensor, tensor.device)) == tensor.data_ptr()
    assert address(Wrapper(tensor, "cpu")) == tensor.data_ptr()
    assert address(Wrapper(tensor, None)) == tensor.data_ptr()
    assert address(SimpleNamespace(data_ptr=tensor.data_ptr)) == tensor.data_ptr()


def test_tensor_on_another_device_names_it_and_the_remedy(address):
    with pytest.raises(
        ValueError, match=r"parameter 'value' \(\*fp32\): the Tensor is on device 'meta'"
    ) as error:
        address(torch.empty(4, device="meta"))
    assert ".cpu()" in str(error.value)


def test_wrapper_of_another_device_names_it(address):
    with pytest.raises(ValueError, match="the Wrapper is on device 'cuda:1'"):
        address(Wrapper(torch.zeros(1), torch.device("cuda:1")))


def test_cuda_array_interface_alone_is_a_device_error(address):
    with pytest.raises(ValueError, match="on device 'cuda'"):
        address(SimpleNamespace(__cuda_array_interface__={}))


@pytest.mark.parametrize("value", [1.5, "x", True, object(), [1, 2], {}, np.float32(1)], ids=repr)
def test_what_has_no_address_is_a_type_error(address, value):
    with pytest.raises(
        TypeError, match=r"'store_slot', parameter 'value' \(\*fp32\): got .*CPU tensor"
    ) as error:
        address(value)
    assert type(value).__name__ in str(error.value)


def test_simple_ctypes_value_is_refused(address):
    # Its buffer is the variable, which is hardly what is meant.
    with pytest.raises(TypeError, match="c_void_p"):
        address(ctypes.c_void_p(4096))


@pytest.mark.parametrize("value", [-1, 2**64])
def test_integer_that_is_no_address(address, value):
    with pytest.raises(OverflowError, match=f"{value} is no address"):
        address(value)


def test_failing_data_ptr_is_the_cause(address):
    def data_ptr() -> int:
        raise RuntimeError("storage is gone")

    with pytest.raises(ValueError, match=r"parameter 'value'.*data_ptr\(\) failed") as error:
        address(SimpleNamespace(data_ptr=data_ptr))
    assert "storage is gone" in str(error.value.__cause__)


def test_data_ptr_must_return_an_int(address):
    with pytest.raises(TypeError, match=r"data_ptr\(\) must return an int"):
        address(SimpleNamespace(data_ptr=lambda: 1.5))


def test_sparse_tensor_is_an_error_not_a_crash(address):
    with pytest.raises(ValueError, match="parameter 'value'"):
        address(torch.eye(3).to_sparse())


def test_objects_of_a_changing_crowd_of_types(address):
    # More types than the launcher remembers, again and again, some of them gone.
    tensor = torch.zeros(1)
    for _ in range(3):
        for i in range(200):
            kind = type(f"Kind{i}", (Wrapper,), {})
            assert address(kind(tensor, None)) == tensor.data_ptr()


def test_buffer_cannot_be_resized_while_a_kernel_runs(make):
    memory = bytearray(8)
    out = np.zeros(1, np.int64)
    kernel = make("late_copy", source="*i64", out="*i64", us="i64")
    thread = threading.Thread(target=kernel, args=(1, 1, 1, memory, out, 200_000))
    thread.start()
    time.sleep(0.05)
    with pytest.raises(BufferError):
        memory.extend(b"x" * 4096)
    thread.join()
    memory.extend(b"x" * 4096)


def test_arguments_live_while_the_kernel_runs(make):
    flag = np.zeros(1, np.int64)
    out = np.full(1, -1, np.int64)

    class Mortal:
        def data_ptr(self) -> int:
            return flag.ctypes.data

        def __del__(self) -> None:
            flag[0] = 1

    kernel = make("late_copy", source="*i64", out="*i64", us="i64")
    values = [1, 1, 1, Mortal(), out, 200_000]
    thread = threading.Timer(0.05, values.clear)
    thread.start()
    kernel(*values)
    thread.join()
    assert values == []
    assert out[0] == 0, "the argument died during the launch"
    assert flag[0] == 1, "and is dead after it"
