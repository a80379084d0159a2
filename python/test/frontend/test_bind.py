# SPDX-License-Identifier: MIT
"""Which statement a hint belongs to."""

from __future__ import annotations

import ast
import textwrap

import pytest

from flagtree.frontend.bind import bind
from flagtree.hints import parse_source


def bound(source: str) -> dict[str, list[str]]:
    """First line of a statement → its hints; "unbound" for the rest."""
    source = textwrap.dedent(source).lstrip()
    function = ast.parse(source).body[0]
    result = bind(function, parse_source(source))
    lines = {
        ast.unparse(s).split("\n")[0]: [h.text for h in hints] for s, hints in result.by_statement.items()
    }
    if result.unbound:
        lines["unbound"] = [u.hint.text for u in result.unbound]
    return lines


def test_at_the_end_of_the_line() -> None:
    assert bound("""
        def f():
            x = 1  #@hint: a
            y = 2  #@hint: b, c
        """) == {"x = 1": ["a"], "y = 2": ["b", "c"]}


@pytest.mark.parametrize("position", [0, 1, 2, 3])
def test_at_any_physical_line_of_a_statement(position: int) -> None:
    lines = ["    x = g(", "        1,", "        2,", "    )"]
    lines[position] += "  #@hint: a"
    assert bound("def f():\n" + "\n".join(lines) + "\n    y = 3\n") == {"x = g(1, 2)": ["a"]}


def test_a_comment_line_inside_a_statement_belongs_to_it() -> None:
    assert bound("""
        def f():
            x = g(
                #@hint: a
                1)
            y = 2
        """) == {"x = g(1)": ["a"]}


def test_on_lines_of_its_own_before_the_statement() -> None:
    assert bound("""
        def f():
            #@hint: a
            # an ordinary comment

            #@hint: b
            x = 1  #@hint: c
        """) == {"x = 1": ["a", "b", "c"]}


def test_the_header_of_a_loop_and_not_its_body() -> None:
    assert bound("""
        def f():
            for i in range(3):  #@hint: a
                x = i  #@hint: b
            #@hint: c
            for j in range(
                4
            ):  #@hint: d
                #@hint: e
                y = j
        """) == {
        "for i in range(3):": ["a"],
        "x = i": ["b"],
        "for j in range(4):": ["c", "d"],
        "y = j": ["e"],
    }


def test_a_body_on_the_line_of_its_header_is_the_innermost() -> None:
    assert bound("def f():\n    if 1: x = 1  #@hint: a\n") == {"x = 1": ["a"]}


def test_the_last_of_two_statements_on_a_line() -> None:
    assert bound("def f():\n    x = 1; y = 2  #@hint: a\n") == {"y = 2": ["a"]}


def test_at_the_end_of_a_block_nothing_follows_in_it() -> None:
    assert bound("""
        def f():
            for i in range(3):
                x = i
                #@hint: a
            y = 2
        """) == {"unbound": ["a"]}


def test_at_the_end_of_the_function_or_beside_else_there_is_no_statement() -> None:
    assert bound("""
        def f():
            if g:
                x = 1
            else:  #@hint: a
                x = 2
            #@hint: b
        """) == {"unbound": ["a", "b"]}


def test_beside_def_there_is_no_statement() -> None:
    assert bound("def f():  #@hint: a\n    x = 1\n") == {"unbound": ["a"]}
