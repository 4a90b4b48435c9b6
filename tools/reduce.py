"""Makes a Python program that shows a fault smaller, as long as it shows it.

    smaller(source, shows_fault) -> source

Statements are deleted, compound statements replaced by their blocks, expressions by their parts or
by a number, one after the other, until nothing more can go.  Works on programs and on the text of
graphs, as both are Python.
"""

import ast
import itertools
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


def smaller(source: str, shows_fault: Callable[[str], bool]) -> str:
    """The smallest program found from which `shows_fault` is still true."""
    before = None
    while source != before:
        before = source
        source = _round(source, shows_fault)
    return source


class TooLong(BaseException):
    """Ends a program that does not end by itself."""


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Raises TooLong in a program that takes too long, repeatedly: the program may catch it."""

    def stop(number, frame):
        raise TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds / 10)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def ends(shows_fault: Callable[[str], bool], seconds: float = 5) -> Callable[[str], bool]:
    """`shows_fault`, but false for a program that takes too long: it may have lost its exit."""

    def ends_and_shows_fault(source):
        try:
            with patience(seconds):
                return shows_fault(source)
        except TooLong:
            return False

    return ends_and_shows_fault


def smaller_program(
    source: str, prelude: str, shows_fault: Callable[[str], bool], seconds: float = 60
) -> str:
    """The smallest program found within some seconds that still shows a fault.

    `source` is a module that begins with `prelude`, which stays as it is, and defines `f`.
    """
    limit = time.monotonic() + seconds

    def module(program):
        return f"{prelude}\n\n{program}\n"

    def shows(program):
        return "def f(" in program and time.monotonic() < limit and shows_fault(module(program))

    return module(smaller(source.removeprefix(prelude), shows))


def _round(source, shows_fault):
    """Tries every change once, from the outermost statement inwards."""
    index = number = 0
    while True:
        tree = ast.parse(source)
        change = next(itertools.islice(_places(tree), index, None), None)
        if change is None:
            return source
        if not change(number):
            index, number = index + 1, 0
            continue
        candidate = _unparsed(tree)
        if 0 < len(candidate) < len(source) and _is_valid(candidate) and shows_fault(candidate):
            source, number = candidate, 0
        else:
            number += 1


def _unparsed(tree):
    """The text of a tree, empty where it has none: a number in place of an f-string's format."""
    try:
        return ast.unparse(ast.fix_missing_locations(tree))
    except ValueError:
        return ""


def _is_valid(source):
    try:
        compile(source, "<candidate>", "exec")
    except SyntaxError:
        return False
    return True


def _places(tree):
    """The places of a tree that can be made smaller: functions that make the n-th change there."""
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                for i in range(len(value)):
                    yield lambda n, block=value, i=i: _change_statement(block, i, n)
            elif isinstance(value, list) and value and isinstance(value[0], ast.expr):
                for i in range(len(value)):
                    yield lambda n, items=value, i=i: _change_item(items, i, n)
            elif isinstance(value, ast.expr) and not isinstance(value, (ast.Constant, ast.Name)):
                yield lambda n, node=node, name=name: _change_expression(node, name, n)


def _change_statement(block, i, number):
    """Deletes a statement, or puts one of its blocks in its place."""
    statement = block[i]
    blocks = [
        value
        for _, value in ast.iter_fields(statement)
        if isinstance(value, list) and value and isinstance(value[0], ast.stmt)
    ]
    blocks += [handler.body for handler in getattr(statement, "handlers", ())]
    blocks += [case.body for case in getattr(statement, "cases", ())]
    if number == 0:
        block[i : i + 1] = [] if len(block) > 1 else [ast.Pass()]
        return len(block) > 1 or not isinstance(statement, ast.Pass)
    if number <= len(blocks):
        block[i : i + 1] = blocks[number - 1]
        return True
    if number == len(blocks) + 1 and getattr(statement, "orelse", None):
        statement.orelse = []
        return True
    return False


def _parts(expression):
    return [child for child in ast.iter_child_nodes(expression) if isinstance(child, ast.expr)]


def _change_item(items, i, number):
    return _replace(items.__setitem__, i, items[i], number)


def _change_expression(node, name, number):
    return _replace(lambda key, value: setattr(node, key, value), name, getattr(node, name), number)


def _replace(put, key, expression, number):
    if isinstance(getattr(expression, "ctx", None), (ast.Store, ast.Del)):
        return False
    choices = [ast.Constant(1), *_parts(expression)]
    if isinstance(expression, ast.Constant) or number >= len(choices):
        return False
    put(key, choices[number])
    return True
