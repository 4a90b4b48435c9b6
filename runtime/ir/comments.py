"""The comments in the text of a graph, and the text of its types, by the places of the syntax tree.

    v: f64[2] = tanh(x)  # model.py:8
       ------   -------  ============
       written          after

A text that is written by the library has one node in a line, and the rest of the line is its
comment.  Only other texts are read token by token, which takes several times as long as all else.
"""

import ast
import io
import tokenize
from functools import cached_property


class Comments:
    """The comments of a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        # The lines as the parser of Python counts them; in ASCII, columns are characters.
        is_plain = text.isascii() and not ("\r" in text or "\f" in text)
        self._lines = text.split("\n") if is_plain else []

    def after(self, node: ast.expr) -> str:
        """The comment in the line where an expression begins, without its sign; "" if none."""
        line, column = node.end_lineno, node.end_col_offset
        if self._lines and line == node.lineno:
            rest = self._lines[line - 1][column:].strip()
            if not rest or rest[0] == "#":
                return rest[1:].strip()
        return self._tokens.get(node.lineno, "")

    def written(self, node: ast.expr) -> str:
        """The text of an expression in one line; "" for any other."""
        if self._lines and node.lineno == node.end_lineno:
            return self._lines[node.lineno - 1][node.col_offset : node.end_col_offset]
        return ""

    @cached_property
    def _tokens(self) -> dict[int, str]:
        return {
            token.start[0]: token.string[1:].strip()
            for token in tokenize.generate_tokens(io.StringIO(self._text).readline)
            if token.type == tokenize.COMMENT
        }
