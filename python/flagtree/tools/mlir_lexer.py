# SPDX-License-Identifier: MIT
"""Colours for MLIR; Pygments has no lexer for it."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

_TYPES = ("index", "none", "tensor", "memref", "vector", "tuple", "complex", "opaque")
_WORDS = ("attributes", "to", "step", "iter_args", "into", "outs", "ins", "public", "private", "loc", "dense")


class MLIRLexer(RegexLexer):
    """Operations, values, types, attributes, symbols, blocks, numbers and comments."""

    name = "MLIR"
    aliases: ClassVar = ["mlir"]
    filenames: ClassVar = ["*.mlir", "*.ttir", "*.ttgir"]
    tokens: ClassVar = {
        "root": [
            (r"//[^\n]*", Comment.Single),
            (r'"(?:[^"\\\n]|\\.)*"', String),
            (r"%[\w$.-]+(?:[:#]\d+)?", Name.Variable),
            (r'@(?:[\w$.-]+|"[^"\n]*")', Name.Function),
            (r"\^\w+", Name.Label),
            (r"![\w$.]+", Keyword.Type),
            (r"#[\w$.-]+", Name.Decorator),
            (r"\b(?:true|false|unit)\b", Keyword.Constant),
            (r"(?:(?<=x)|\b)(?:[su]?i\d+|b?f\d+\w*|tf32)\b", Keyword.Type),
            # Within <4x8xf32> the extents are glued to the element type.
            (r"(?:(?:\d+|\?)x)+", Number.Integer),
            (r"-?\d+\.\d*(?:[eE][+-]?\d+)?|0x[0-9A-Fa-f]+|-?\d+", Number),
            (words(_TYPES, prefix=r"\b", suffix=r"\b(?=[<, )>:]|$)"), Keyword.Type),
            (words(_WORDS, prefix=r"\b", suffix=r"\b"), Keyword),
            (r"[a-z_]\w*\.[\w.]+", Name.Builtin),
            (r"->|[=:*+]", Operator),
            (r"[\[\](){}<>,?-]", Punctuation),
            (r"[A-Za-z_][\w$]*", Name),
            (r"\s+", Text.Whitespace),
            (r".", Text),
        ]
    }
