"""Copies of trees are those of gast; walks find the nodes that `ast` finds."""

import ast
import inspect
import textwrap
from types import FunctionType

import gast
import pytest

from autograph.analyses import activity
from autograph.syntax import trees
from autograph.syntax.walk import children, walk
from tests.programs import programs

SKIPPED = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)

EVERY_STATEMENT = """
async def f(a: int, /, b=1, *args: str, c, d=lambda x=2, *y, **z: x, **kwargs) -> None:
    '''doc'''
    global g1, g2
    import os.path as p, sys
    from . import q
    with open(a) as b, c: pass
    async with d as (e, f): pass
    async for i in a: del i[0], i.x
    for j in range(3):
        if j: continue
        else: break
    else: j += 1
    while j: j: int = 0
    try: raise E from e
    except (A, B) as error: raise
    except C: pass
    except: pass
    else: await x
    finally: return [*a, {**b, 'k': v}, {1, 2}, {k: v for k, v in x}, {x for x in y}]
    try: pass
    except* A as group: pass
    match a:
        case {'x': 1, **rest}: pass
        case [1, *others] | None | True: pass
        case P(1, name=(2 | 3) as n) if n: pass
        case _: pass
    assert a, f'{a!r:>{b}} {c}'
    print(a[1:2, ::3], not a, -b, a and b or c, a < b <= c, x if y else z, (w := 1), *s, **k)
    yield (i async for i in a if i if j for k in l)
    class C(B, metaclass=M):
        def method(self): nonlocal z
    return ...
"""
NEW = """
def f[T: int, *Ts, **P](x: T) -> T:
    type Alias[U] = list[U]
    class C[V]: pass
"""


def texts():
    """Sources with every kind of statement, and those of modules of the library."""
    yield EVERY_STATEMENT
    try:
        compile(NEW, "new", "exec")
    except SyntaxError:
        pass
    else:
        yield NEW
    for module in (activity, trees, textwrap):
        yield inspect.getsource(module)
    for function in list(vars(programs).values())[:400:8]:
        if isinstance(function, FunctionType):
            yield textwrap.dedent(inspect.getsource(function))


@pytest.fixture(scope="module")
def parsed():
    return [ast.parse(text) for text in texts()]


def dumped(tree, library):
    return library.dump(tree, include_attributes=True)


def test_copies_are_those_of_gast(parsed):
    for tree in parsed:
        for statement in tree.body:
            expected = gast.ast_to_gast(statement)
            copy = trees.to_gast(statement)
            assert dumped(copy, gast) == dumped(expected, gast)
            assert dumped(trees.to_ast(copy), ast) == dumped(gast.gast_to_ast(expected), ast)
            assert dumped(trees.to_ast(copy), ast) == dumped(statement, ast)


def test_copies_share_no_node_but_contexts(parsed):
    for tree in parsed:
        copy = trees.to_gast(tree.body[0])
        again = trees.to_ast(copy)
        assert not {id(node) for node in walk(copy)} & {id(node) for node in walk(again)}


def test_trees_become_what_copies_are(parsed):
    for tree in parsed:
        for statement in ast.parse(ast.unparse(tree)).body:
            original, expected = dumped(statement, ast), dumped(trees.to_gast(statement), gast)
            assert dumped(trees.become_gast(statement), gast) == expected
            assert {type(node).__module__ for node in walk(statement)} == {gast.Name.__module__}
            assert dumped(trees.become_ast(statement, {}), ast) == original
            assert {type(node).__module__ for node in walk(statement)} == {"ast"}


def test_a_node_in_two_places_becomes_one():
    twice = trees.to_gast(ast.parse("f(lambda x: ops.g)").body[0].value)
    tree = gast.Expression(gast.Tuple([twice, twice], gast.Load()))
    new = trees.become_ast(tree, {"ops": 3})
    assert ast.unparse(new) == "(f(lambda x: 3 .g), f(lambda x: 3 .g))"


def test_names_become_constants():
    tree = trees.to_gast(ast.parse("ops.f(ops, x)").body[0])
    assert ast.unparse(trees.to_ast(tree, {"ops": None})) == "None.f(None, x)"


def test_walks_find_the_nodes_that_ast_finds(parsed):
    for tree in parsed:
        for root in (tree, gast.ast_to_gast(tree)):
            known = set()
            for node in ast.walk(root):
                expected = [c for c in ast.iter_child_nodes(node) if not isinstance(c, SKIPPED)]
                assert [id(c) for c in children(node)] == [id(c) for c in expected]
                known |= {id(c) for c in expected}
            assert {id(node) for node in walk(root)} == known | {id(root)}
