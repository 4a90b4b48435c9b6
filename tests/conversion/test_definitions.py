"""Definitions are found in the lines of their statement, wherever that is."""

import ast
import inspect
import linecache
import types

import pytest

import autograph
from autograph.functions import origin
from autograph.syntax import quote, sources

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
    autograph.to_graph(module.f)
    pending, seen, texts = list(origin._indexes), set(), 0
    assert pending
    while pending:
        one = pending.pop()
        assert not isinstance(one, ast.AST)
        texts += isinstance(one, str)
        if isinstance(one, dict):
            pending += [*one.keys(), *one.values()]
        elif isinstance(one, (tuple, list)) and id(one) not in seen:
            seen.add(id(one))
            pending += one
    assert texts > 10


ENDINGS = '''\
def a(x):
    return """
not indented
"""
def b(x): return x

def c(x):
    if x:
        return (1,
2)
    # a comment

  # another
    return [
  x
    ]
# not inside
class K:
\tdef d(self):
\t\tif self: return 1

\t\tpass
\tasync def e(self):
\t\tasync with self: pass
class L:
    @staticmethod
    @staticmethod
    def f(
        x=(lambda: 1),
    ):
        class Inner:
            def g(self):
                def h(): return self.__private
                return h
        return Inner
    def i(self): """only a text

"""
def j(x):
    x = 1 + \\
2
    def k(): pass
    async def k(): pass
    return k
'''


def code_in(code):
    for one in code.co_consts:
        if isinstance(one, types.CodeType):
            yield one
            yield from code_in(one)


def assert_found_as_in_the_whole_file(text, name="<text>"):
    """A `def` that is found at its lines is the same as in the file; returns their names."""
    lines, names = text.splitlines(True), []
    whole = {}
    for one in origin.definitions(quote.parsed(text), name):
        decorators = getattr(one.node, "decorator_list", [])
        first = min([one.node.lineno, *(d.lineno for d in decorators)])
        whole[getattr(one.node, "name", "<lambda>"), first] = one
    for code in code_in(compile(text, name, "exec")):
        cells = tuple(types.CellType() for _ in code.co_freevars)
        found = origin.written_at(types.FunctionType(code, {}, None, None, cells), lines)
        expected = whole.get((code.co_name, code.co_firstlineno))
        assert found is None or expected is not None
        if found is None:
            continue
        dumped = [ast.dump(one.node, include_attributes=True) for one in (found, expected)]
        assert dumped[0] == dumped[1]
        assert found.private_to == expected.private_to
        names.append(code.co_name)
    return names


def test_definitions_are_found_at_their_lines_wherever_they_end():
    assert assert_found_as_in_the_whole_file(TEXT) == ["decorator", "l", "m", "inner", "n"]
    assert assert_found_as_in_the_whole_file(ENDINGS) == list("bcdefghjkk")  # others end outside
    for module in (origin, quote, types, ast):
        text = inspect.getsource(module)
        assert len(assert_found_as_in_the_whole_file(text)) > 5


def test_only_the_definition_is_parsed(monkeypatch):
    text = "import os\n\n\ndef f(x):\n    return os.getpid() if x else 1\n\n\ny = 1\n"
    monkeypatch.setitem(linecache.cache, "<f>", (len(text), None, text.splitlines(True), "<f>"))
    namespace = {}
    exec(compile(text, "<f>", "exec"), namespace)
    parsed = []
    monkeypatch.setattr(quote, "_tree", lambda *args: parsed.append(args[0]) or ast.parse(*args))
    assert autograph.to_graph(namespace["f"])(0) == 1
    assert [one.strip() for one in parsed] == [text[11:59].strip()]


def test_lines_of_files_are_kept_for_the_last_files_only(tmp_path):
    for number in range(8):
        path = tmp_path / f"m{number}.py"
        path.write_text("def f(x):\n    return x or 1\n")
        namespace = {}
        exec(compile(path.read_text(), str(path), "exec"), namespace)
        assert autograph.to_graph(namespace["f"])(0) == 1
        assert str(path) not in linecache.cache
    assert len(list(sources._read)) <= 4
