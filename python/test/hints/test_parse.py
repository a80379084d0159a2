# SPDX-License-Identifier: MIT
"""The spelling of hints."""

from __future__ import annotations

import time

import pytest

from flagtree.hints import parse, parse_source
from flagtree.hints.parse import read_attribute


def texts(source: str) -> list[str]:
    return [hint.text for hint in parse_source(source).hints]


@pytest.mark.parametrize(
    "comment",
    ["#@hint: dma", "#@hints: dma", "# @ hint : dma", "#@hint:dma", "#\t@hints\t:\tdma  ", "#@hint: dma,"],
)
def test_blanks_and_the_plural_do_not_matter(comment: str) -> None:
    assert texts(f"x = 1  {comment}\n") == ["dma"]


@pytest.mark.parametrize(
    "comment",
    [
        "# hint: dma",
        "#@hinted: dma",
        "#@hint_x: dma",
        "##@hint: dma",
        "# see #@hint: dma",
        "#@",
        "#@hin: dma",
    ],
)
def test_other_comments_are_no_hints(comment: str) -> None:
    parsed = parse_source(f"x = 1  {comment}\n")
    assert not parsed.hints and not parsed.malformed


@pytest.mark.parametrize(
    ("comment", "reason"),
    [
        ("#@hint dma", "there is no colon after #@hint"),
        ("# @ hints", "there is no colon after #@hints"),
        ("#@hint：dma", "there is no colon"),
        ("#@Hint: dma", "write it in lower case: #@hint:"),
    ],
)
def test_what_only_looks_like_a_hint_comment_is_accounted_for(comment: str, reason: str) -> None:
    parsed = parse_source(f"x = 1  {comment}\n")
    assert not parsed.hints and [reason in bad.reason for bad in parsed.malformed] == [True]
    assert parsed.malformed[0].column == 7


def test_a_list_of_all_three_forms() -> None:
    hints = parse_source("x = 1 #@hints: dma, num_stages = 3, tile( 16,16 ), warp  specialize\n").hints
    assert [(h.name, h.args) for h in hints] == [
        ("dma", ()),
        ("num_stages", ("3",)),
        ("tile", ("16", "16")),
        ("warp_specialize", ()),
    ]
    assert [h.text for h in hints] == ["dma", "num_stages=3", "tile(16, 16)", "warp_specialize"]
    assert [h.index for h in hints] == [0, 1, 2, 3]


def test_commas_in_brackets_and_quotes_do_not_split() -> None:
    assert texts("x = 1 #@hint: a([1, 2], {3: 4}), b='p,q', c\n") == ["a([1, 2], {3: 4})", "b='p,q'", "c"]


def test_text_inside_strings_is_no_hint() -> None:
    source = 'def f():\n    """\n    #@hint: dma\n    """\n    x = "#@hint: dma"  #@hint: real\n    y = f"#@hint: no"\n'
    assert texts(source) == ["real"]


STRINGS = [
    "y = '#@hint: no'",
    'y = "it\'s #@hint: no"',
    "y = 'a\\'#@hint: no'",
    'y = """a\n#@hint: no\n"b" """',
    'y = r"\\" #@hint: no"',
    "y = ('a' #@hint: real\n     '#@hint: no')",
    'y = f"{x!r:#>10} #@hint: no"',
    "y = 'a\\\n#@hint: no'",
]


@pytest.mark.parametrize("text", STRINGS)
def test_strings_of_every_form_are_told_from_comments(text: str) -> None:
    source = f"x = 1  #@hint: real\n{text}  #@hint: real\nz = ''  #@hint: real\n"
    compile(source, "x", "exec")
    assert texts(source) == ["real"] * (3 + text.count("real"))


@pytest.mark.parametrize("text", STRINGS)
def test_the_scanner_and_pythons_tokenizer_agree(text: str) -> None:
    from flagtree.hints import comments

    source = f"def f():\n\t{text}\n\tx = 1  #@hint: a\n\t# @hints: b\n\treturn '#'  #@hint c\n"
    assert list(comments._scanned(source)) == list(comments._tokenised(source))


def test_a_source_without_strings_is_searched_with_the_same_result() -> None:
    from flagtree.hints import comments

    source = (
        "#@hint: a\nx = 1  # see #@hint: no\n\t# @hints b\nif x:  #@Hint: c\n  pass  #@hint: d, e\n#@hints:"
    )
    found = list(comments._searched(source))
    assert found == list(comments._scanned(source)) and len(found) == 5


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_line_ends_of_every_kind(end: str) -> None:
    source = end.join(["def f():", "    x = 1  #@hint: a", "\t#@hint: b", "    y = 2", ""])
    parsed = parse_source(source)
    assert [(h.text, h.line) for h in parsed.hints] == [("a", 2), ("b", 3)] and parsed.own_lines == {3: 1}


def test_names_outside_of_ascii_are_names() -> None:
    (hint,) = parse_source("x = 1  #@hint: größe(Ä)\n").hints
    assert (hint.name, hint.args) == ("größe", ("Ä",))


def test_an_attribute_is_read_back() -> None:
    hints = read_attribute('dma,num_stages=3,layout(row, col),mine="a,b"')
    assert [(h.name, h.args) for h in hints] == [
        ("dma", ()),
        ("num_stages", ("3",)),
        ("layout", ("row", "col")),
        ("mine", ('"a,b"',)),
    ]


def test_each_hint_knows_its_line_and_column() -> None:
    hints = parse_source("def f():\n    x = 1  #@hint: a, b\n    y = 2  #@hint: c\n").hints
    assert [(h.name, h.line) for h in hints] == [("a", 2), ("b", 2), ("c", 3)]
    assert hints[1].column == len("    x = 1  #@hint: a, ")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("", "names no hint"),
        ("=3", "starts with its name"),
        ("3dma", "no digit first"),
        ("dma=", "no value after ="),
        ("tile(1", "')' is missing"),
        ("tile(1,,2)", "an argument is empty"),
        ("tile(1) x", "after the closing parenthesis"),
        ("tile)", "after the name"),
        ("dma-fast", "after the name"),
        ("a='x", "is not closed"),
        ("dma, , b", "starts with its name"),
    ],
)
def test_what_is_malformed_says_why(body: str, reason: str) -> None:
    malformed = parse_source(f"x = 1 #@hint: {body}\n").malformed
    assert len(malformed) == 1 and reason in malformed[0].reason
    assert malformed[0].line == 1


def test_a_malformed_piece_does_not_take_its_neighbours_away() -> None:
    parsed = parse_source("x = 1 #@hint: dma, =3, b(1)\n")
    assert [h.text for h in parsed.hints] == ["dma", "b(1)"] and len(parsed.malformed) == 1


def test_a_source_that_cannot_be_tokenised_has_no_hints_and_raises_nothing() -> None:
    assert texts("def f(:\n  x = ( #@hint: a\n") in ([], ["a"])


@pytest.mark.parametrize("piece", ["(", "a,", "[(", "' ", "a=(", "- "])
def test_time_grows_linearly(piece: str) -> None:
    def seconds(count: int) -> float:
        source = f"x = 1 #@hint: {piece * count}\n"
        best = float("inf")
        for _ in range(5):
            parse_source.cache_clear()
            parse._items.cache_clear()
            start = time.process_time()
            parse_source(source)
            best = min(best, time.process_time() - start)
        return best

    # Eight times the input: a quadratic parser would take 64 times as long.
    assert seconds(40_000) < 30 * seconds(5_000)
