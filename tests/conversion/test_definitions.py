"""Definitions are found in the lines of their statement, wherever that is."""

import ast
import linecache
import types

import pytest

import autograph
from autograph.functions import origin
from autograph.syntax import quote

TEXT = '''\
f = lambda x: x or 1
if True: g = lambda x: x or 2
else: g = lambda x: x or 3
if not True: pass
else: h = lambda x: x or 4
a = 1; i = lambda x: x or 5; b = 2
text = """
 x """; j = lambda x: x or 6
if a == 7:
    pass
elif (k := lambda x: x or 7):
    pass

def decorator(kept):
    return lambda function: function

@decorator(lambda x: x)
def l(x): return x or 8; return 9

class A:
    é = lambda self, x: x or 10
    @staticmethod
    def m(x):
        def inner(y):
            return y or 11
        return inner(x)
    @classmethod
    async def
    if True:
        def n(self, x):
            return x or 12
n = lambda x: (lambda y: y or x)(0) or 13
o, p = (lambda x: x or 14), (lambda y: y or 15)
'''.replace("    @classmethod\n    async def\n", "")


@pytest.fixture
def module():
    name = "<definitions>"
    linecache.cache[name] = len(TEXT), None, TEXT.splitlines(True), name
    made = types.ModuleType("definitions")
    exec(compile(TEXT, name, "exec"), vars(made))
    yield made
    del linecache.cache[name]


def test_every_definition_is_found_and_converted(module):
    expected = {"f": 1, "g": 2, "h": 4, "i": 5, "j": 6, "k": 7, "l": 8, "n": 13, "o": 14, "p": 15}
    for name, result in expected.items():
        converted = autograph.to_graph(getattr(module, name))
        assert converted is not getattr(module, name)
        assert converted(0) == result, name
    assert autograph.to_graph(module.A.é)(None, 0) == 10
    assert autograph.to_graph(module.A.m)(0) == 11
    assert autograph.to_graph(module.A.n)(None, 0) == 12


def test_a_definition_has_the_position_that_it_has_in_the_whole_file(module):
    whole = {
        (one.node.lineno, one.node.col_offset): ast.dump(one.node, include_attributes=True)
        for one in origin.definitions(quote.parsed(TEXT), "<definitions>")
    }
    functions = [v for v in (*vars(module).values(), *vars(module.A).values()) if callable(v)]
    functions = [getattr(f, "__func__", f) for f in functions]
    functions = [f for f in functions if isinstance(f, types.FunctionType)]
    assert len(functions) >= 12
    for function in functions:
        node = origin.origin(function).node
        assert ast.dump(node, include_attributes=True) == whole[node.lineno, node.col_offset]


def test_no_tree_is_kept(module):
    autograph.to_graph(module.l)
    pending, seen = [origin._indexes], set()
    while pending:
        one = pending.pop()
        assert not isinstance(one, ast.AST)
        if isinstance(one, dict):
            pending += [*one.keys(), *one.values()]
        elif isinstance(one, (tuple, list)) and id(one) not in seen:
            seen.add(id(one))
            pending += one
