"""Makes a Python program that shows a fault smaller, as long as it shows it.

    smaller(source, shows_fault) -> source

Statements are deleted, compound statements replaced by their blocks, expressions by their parts or
by a number, one after the other, until nothing more can go.  Works on programs and on the text of
graphs, as both are Python.
"""

import ast
import itertools
from collections.abc import Callable


def smaller(source: str, shows_fault: Callable[[str], bool]) -> str:
    """The smallest program found from which `shows_fault` is still true."""
    before = None
    while source != before:
        before = source
        source = _round(source, shows_fault)
    return source


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
