# SPDX-License-Identifier: MIT
"""Random comments that are hints, that nearly are, and that only look like some. None holds a line end or a NUL."""

from __future__ import annotations

import random
from collections.abc import Callable

from flagtree.hints import registry
from flagtree.hints.registry import Argument

#: Most are `#@hint:`, which all hang on; the others are close to it.
_HEADS = ("#@hint:",) * 8 + (
    "#@hints:",
    "# @ hint :",
    "#\t@hints\t:\t",
    "#@hint",
    "#@Hint:",
    "#@HINTS :",
    "#@hint::",
    "#@hint:#@hint:",
    "#@hinted:",
    "# see #@hint:",
    "##@hint:",
    "#: @hint:",
    "#@\u2028hint:",
)
#: Characters at which `str.splitlines`, though not Python, ends a line; and others that editors and terminals dislike.
_ODD = "\t\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029\x01\x07\x1a\x1b\x7f\u200b\u202e\ufeff\ufffd\u2400"
_WORDS = ("größe", "形状", "שלום", "٣", "e\u0301", "\U0001f600", "ſhared_memory", "ﬁrst", "Ⅷ", "²", "·")
_PIECES = "()[]{}'\"\\,=:;#@%$ \t._-+*/<>!?|&^~`"
_MISSPELT = (
    "shared_memori",
    "loop_unroll_factor",
    "warp specialize",
    "warp  \tspecialize",
    "numstages",
    "DMA",
    "x",
    "_",
)


def comment(pick: random.Random) -> str:
    """One comment, from `#` on."""
    body = pick.choices(_BODIES, _WEIGHTS)[0](pick)
    return (
        pick.choice(_HEADS)
        + pick.choice(("", " ", "  ", "\t"))
        + body
        + pick.choice(("", "", ",", " ", "  # why"))
    )


def _right(pick: random.Random) -> str:
    """A list of hints with arguments that they take."""
    return ", ".join(_hint(pick, _fit) for _ in range(pick.choice((1, 1, 1, 2, 3))))


def _wrong(pick: random.Random) -> str:
    """Arguments of a wrong type, out of range, too many or too few."""
    return ", ".join(_hint(pick, _unfit) for _ in range(pick.choice((1, 1, 2))))


def _contradictory(pick: random.Random) -> str:
    name = pick.choice(registry.names())
    return ",".join(_hint(pick, pick.choice((_fit, _fit, _unfit)), name) for _ in range(pick.randint(2, 4)))


def _hint(pick: random.Random, value: Callable[[random.Random, Argument], str], name: str = "") -> str:
    spec = registry.get(name or pick.choice(registry.names()))
    assert spec is not None
    values = [value(pick, argument) for argument in spec.arguments]
    if value is _unfit:
        values += [str(pick.randint(-1, 9)) for _ in range(pick.choice((0, 0, 1, 2)))]
    named = [
        f"{a.name}={v}" if pick.random() < 0.2 else v for a, v in zip(spec.arguments, values, strict=False)
    ]
    values[: len(named)] = named
    written = pick.choice((spec.name, *spec.aliases, spec.name.replace("_", " ")))
    if len(values) == 1 and pick.random() < 0.5:
        return f"{written}={values[0]}"
    return f"{written}({', '.join(values)})" if values or pick.random() < 0.1 else written


def _fit(pick: random.Random, argument: Argument) -> str:
    if argument.kind == "int":
        return str(pick.randint(argument.minimum, min(argument.maximum, argument.minimum + 15)))
    return pick.choice(argument.choices) if argument.choices else "some"


def _unfit(pick: random.Random, argument: Argument) -> str:
    wrong = (
        "",
        "-1",
        "1e9",
        "9" * 30,
        "0x10",
        "2.5",
        "None",
        "two",
        "'2'",
        "[2]",
        "(2, 3)",
        "٣",
        "n=2",
        "2 3",
        "$(rm -rf /)",
    )
    return pick.choice((*wrong, str(argument.maximum + 1), str(argument.minimum - 1)))


def _unknown(pick: random.Random) -> str:
    names = (*_MISSPELT, *_WORDS, pick.choice(registry.names())[:-1])
    return ",".join(pick.choice(names) + pick.choice(("", "=1", "(2)")) for _ in range(pick.randint(1, 3)))


def _malformed(pick: random.Random) -> str:
    parts = (*registry.names(), *_PIECES, *_PIECES, "1", "n=2")
    return "".join(pick.choice(parts) for _ in range(pick.randint(0, 14)))


def _nested(pick: random.Random) -> str:
    depth = pick.choice((1, 2, 5, 40))
    opened = [pick.choice("([{") for _ in range(depth)]
    closed = "".join({"(": ")", "[": "]", "{": "}"}[each] for each in reversed(opened))
    inner = pick.choice(("2", "a, b", "'(', \"]\"", ""))
    text = f"{pick.choice(registry.names())}({''.join(opened)}{inner}{closed})"
    return text if pick.random() < 0.6 else text[: pick.randint(1, len(text))]


def _odd(pick: random.Random) -> str:
    """A good list with characters in it that end no line of Python, but look as if they did."""
    text = list(_right(pick))
    for _ in range(pick.randint(1, 3)):
        text.insert(pick.randint(0, len(text)), pick.choice(_ODD))
    return "".join(text)


def _unicode(pick: random.Random) -> str:
    points = (
        pick.choice((pick.randint(1, 0x2FF), pick.randint(0x300, 0xD7FF), pick.randint(0xE000, 0x1FFFF)))
        for _ in range(pick.randint(1, 12))
    )
    return "".join(chr(point) for point in points if point not in (10, 13))


def _long(pick: random.Random) -> str:
    """Ten thousand characters of one kind."""
    one = pick.choice(
        (
            *registry.names(),
            "(",
            "'",
            '"',
            ",",
            "=",
            "9",
            "ü",
            "\u2028",
            "x" * 99 + ",",
            "#@hint:",
            "\\",
            "dma,",
            " ",
        )
    )
    return (_right(pick) + pick.choice((",", "(", "=", " ")) + one * (10_000 // len(one)))[:10_000]


_BODIES: tuple[Callable[[random.Random], str], ...] = (
    _right, _wrong, _contradictory, _unknown, _malformed, _nested, _odd, _unicode, _long,
)  # fmt: skip
_WEIGHTS = (40, 12, 8, 8, 12, 6, 8, 5, 1)
