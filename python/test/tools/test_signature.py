# SPDX-License-Identifier: MIT
"""Types that are given, read from the source, or asked for."""

from __future__ import annotations

import cli_kernels as k
import pytest

from flagtree.tools.infer import roles
from flagtree.tools.signature import SignatureError, is_type, resolve


def types(kernel, given=None, constants=()):
    return resolve(kernel, "kernel", given, constants).types


def test_bases_of_addresses_are_pointers_and_all_else_numbers():
    assert list(types(k.scale).values()) == ["*fp32", "*fp32", "i32", "i32", "constexpr"]


def test_a_pointer_that_walks_is_found_through_its_local():
    made = types(k.walk, constants=["B=64"])
    assert made == {"a_ptr": "*fp32", "out": "*fp32", "stride": "i32", "rows": "i32", "B": "constexpr"}


def test_functions_that_are_called_are_looked_into():
    assert roles(k.calls).pointers == {"x", "o"}


def test_an_ambiguous_base_is_asked_for_and_both_candidates_named():
    with pytest.raises(SignatureError, match=r"one of `x`, `offset` is a pointer.*x=\*fp32,offset=i32"):
        types(k.unclear)


@pytest.mark.parametrize("given", ["offset=i32", "x=*fp32"])
def test_one_given_type_settles_an_ambiguous_base(given):
    made = types(k.unclear, given)
    assert (made["x"], made["offset"]) == ("*fp32", "i32")


def test_a_descriptor_is_asked_for():
    with pytest.raises(SignatureError, match="`desc` is a tensor descriptor"):
        types(k.described)


def test_annotations_and_defaults_decide_before_assumptions():
    made = types(k.typed)
    assert (made["x"], made["o"], made["eps"]) == ("*fp32", "*fp16", "fp32")


def test_positional_types_with_a_trailing_constant():
    made = resolve(k.scale, "scale", "*fp16,*fp16,i32,fp32,1024")
    assert list(made.types.values()) == ["*fp16", "*fp16", "i32", "fp32", "constexpr"]
    assert made.constexprs == {"B": 1024} and made.assumed == []


def test_named_types_leave_the_rest_assumed():
    made = resolve(k.scale, "scale", "factor=fp32, B=16")
    assert made.types["factor"] == "fp32" and made.constexprs["B"] == 16
    assert made.assumed == ["x", "o", "n"]


def test_alignment_follows_a_type():
    assert resolve(k.scale, "scale", "*fp32:16,n=i32:16").alignments == {"x": 16, "n": 16}


def test_a_number_may_be_made_a_constant():
    made = resolve(k.scale, "scale", None, ["n=100"])
    assert made.types["n"] == "constexpr" and made.constexprs["n"] == 100


def test_the_first_configuration_of_an_autotuner_gives_its_constants():
    assert resolve(k.tuned, "tuned", None).constexprs == {"B": 128}


def test_a_descriptor_type_is_not_split_at_its_commas():
    assert types(k.described, "tensordesc<fp32[16,16]>")["desc"] == "tensordesc<fp32[16,16]>"


@pytest.mark.parametrize(
    ("given", "constants", "message"),
    [
        ("*fp32,*fp32,i32,i32,64,7", [], "more than 5 types"),
        ("y=*fp32", [], "no parameter 'y'; it has x, o, n, factor, B"),
        ("facto=fp32", [], "did you mean factor"),
        ("n=i32,*fp32", [], r"'\*fp32' has no name"),
        ("B=i32", [], "`B` is a constexpr: pass a value"),
        ("n=i33", [], "'i33' is no value"),
        ("x=*fp32:8", [], "only :16"),
        (None, ["B"], "write NAME=VALUE"),
        (None, ["Q=1"], "no parameter 'Q'"),
    ],
)
def test_wrong_signatures_are_refused_with_what_is_allowed(given, constants, message):
    with pytest.raises(SignatureError, match=message):
        types(k.scale, given, constants)


def test_a_constexpr_without_a_default_is_named():
    with pytest.raises(SignatureError, match="`B` has no default; pass --constexpr B=VALUE"):
        types(k.walk)


@pytest.mark.parametrize("text", ["*fp32", "i1", "*kbf16", "*fp8e5", "tensordesc<fp16[16, 64]>"])
def test_names_of_types(text):
    assert is_type(text)


@pytest.mark.parametrize("text", ["1024", "fp8e5", "float32", "**fp32", "tensordesc<fp16>", ""])
def test_other_texts_are_no_types(text):
    assert not is_type(text)
