"""Parses generated Python code, in any thread."""

import ast


def parsed(text: str) -> ast.Module:
    """The tree of some code.  Raises `SyntaxError`."""
    for _ in range(10):
        try:
            return ast.parse(text)
        except SystemError:
            continue  # CPython 3.11: threads that parse at the same time disturb a count they share
    return ast.parse(text)
