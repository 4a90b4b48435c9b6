"""The command `autograph`: its output for a file, its options, and its errors for bad input.

The file is long because it is a collection of independent tests.
"""

import ast
import importlib.metadata
import os
import pty
import re
import stat
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import autograph
import runtime
from autograph import operators
from autograph.command import main

ROOT = Path(autograph.__file__).parents[1]
IMPORT = "from autograph import operators as ag__\n"


def command(*arguments, cwd, stdin=b"", **environment):
    """Runs `python -m autograph` in a folder; its output is bytes."""
    return subprocess.run(
        [sys.executable, "-m", "autograph", *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        timeout=60,
    )


@pytest.fixture
def printed(tmp_path, monkeypatch, capsysbinary):
    """The output of the command for a file with the given text; it must print no errors."""
    monkeypatch.chdir(tmp_path)

    def run(source, *options):
        content = source if isinstance(source, bytes) else source.encode()
        Path("program.py").write_bytes(content)
        status = main(["program.py", *options])
        captured = capsysbinary.readouterr()
        assert (status, captured.err) == (0, b"")
        return captured.out

    return run


@pytest.fixture
def refused(tmp_path, monkeypatch, capsysbinary):
    """The exit status and error lines of the command; it must print nothing else."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        before = sorted(os.listdir())
        try:
            status = main([*arguments])
        except SystemExit as error:  # argparse
            status = error.code
        captured = capsysbinary.readouterr()
        assert captured.out == b""
        assert sorted(os.listdir()) == before
        assert b"Traceback" not in captured.err
        return status, captured.err.decode().splitlines()

    return run


def executed(content):
    """The names that a file binds when it runs."""
    module = types.ModuleType("program")
    exec(compile(content, "program.py", "exec", dont_inherit=True), module.__dict__)
    return module.__dict__


def outcome(expression, names):
    try:
        return repr(eval(expression, names))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


# -- output, byte for byte -------------------------------------------------------------------------

PROGRAM = '''\
#!/usr/bin/env python3
# A comment at the top.
"""The docstring."""

from __future__ import annotations   # kept

import   math


def plain ( x,y ) :     # odd   spacing
    return x+y          # kept


def relu(x):
    return x if x > 0 else 0      # behind the function


# Above a class.
class Model :
    scale = ( 1,2 )   # kept

    @staticmethod   # behind a decorator
    # between a decorator and its function
    def step(x,  y=0x10):
        """Doc."""

        return x or y
    # Behind a method.
    def other(self):  return self   # kept

    class Inner:
      def odd(self):
        return not  self


if __name__ == '__main__':   # kept
    print( relu(-3), Model.step(0), plain(1,2), "a" if math.pi else 'b' )
# the end
'''

PRINTED = '''\
#!/usr/bin/env python3
# A comment at the top.
"""The docstring."""

from __future__ import annotations   # kept

from autograph import operators as ag__
import   math


def plain ( x,y ) :     # odd   spacing
    return x+y          # kept


def relu(x):
    return ag__.if_expr(x > 0, lambda: x, lambda: 0)      # behind the function


# Above a class.
class Model :
    scale = ( 1,2 )   # kept

    @staticmethod   # behind a decorator
    # between a decorator and its function
    def step(x, y=16):
        """Doc."""
        return ag__.or_(x, lambda: y)
    # Behind a method.
    def other(self):  return self   # kept

    class Inner:
      def odd(self):
          return ag__.not_(self)


if __name__ == '__main__':   # kept
    print( relu(-3), Model.step(0), plain(1,2), "a" if math.pi else 'b' )
# the end
'''


def test_a_file_is_printed_with_its_functions_converted_and_the_rest_unchanged(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    result = command("program.py", cwd=tmp_path)
    assert result.stdout.decode() == PRINTED
    assert (result.returncode, result.stderr) == (0, b"")


def test_a_printed_file_runs_on_its_own_and_prints_the_same_as_the_original(tmp_path, printed):
    (tmp_path / "printed.py").write_bytes(printed(PROGRAM))
    for name in ("program.py", "printed.py"):
        run = subprocess.run(
            [sys.executable, name],
            cwd=tmp_path,
            capture_output=True,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )
        assert (run.returncode, run.stdout, run.stderr) == (0, b"0 16 3 a\n", b"")


KEPT = {
    "one line": (
        "def f(x): return x or 1\n",
        IMPORT + "def f(x):\n    return ag__.or_(x, lambda: 1)\n",
    ),
    "semicolons in a function": (
        "def f(x): y = x or 1; return y ; \nz  =  1\n",
        IMPORT + "def f(x):\n    y = ag__.or_(x, lambda: 1)\n    return y \nz  =  1\n",
    ),
    "functions on one line": (
        "f = lambda x:x or 1 ;g=lambda  y : y ;h = lambda z:not z # end\n",
        IMPORT
        + "f = lambda x: ag__.or_(x, lambda: 1) ;g=lambda  y : y ;"
        + "h = lambda z: ag__.not_(z) # end\n",
    ),
    "no newline at the end": (
        "x  =  1\ndef f(x):\n    return x or 1",
        IMPORT + "x  =  1\ndef f(x):\n    return ag__.or_(x, lambda: 1)",
    ),
    "carriage returns": (
        "import  os\r\n\r\ndef f(x):\r\n    # lost\r\n    return x or 1\r\n# end\r\n",
        "from autograph import operators as ag__\r\nimport  os\r\n\r\ndef f(x):\r\n"
        "    return ag__.or_(x, lambda: 1)\r\n# end\r\n",
    ),
    "tabs": (
        "class A:\n\tn  =  1\n\tdef f(x):\n\t\treturn x or 1\n\tm  =  2\n",
        IMPORT
        + "class A:\n\tn  =  1\n\tdef f(x):\n\t    return ag__.or_(x, lambda: 1)\n\tm  =  2\n",
    ),
    "form feeds": (
        "x = 1\f\n\f\ndef f(x):\n    return x or 1\n\f\ny = 2\n",
        IMPORT
        + "x = 1\f\n\f\ndef f(x):\n    return ag__.or_(x, lambda: 1)\n\f\ny = 2\n",
    ),
    "a cookie": (
        "#!/bin/python\n# -*- coding: utf-8 -*-\nx = 'é'\ndef f(x):\n    return x or 'é'\n",
        "#!/bin/python\n# -*- coding: utf-8 -*-\n" + IMPORT
        + "x = 'é'\ndef f(x):\n    return ag__.or_(x, lambda: 'é')\n",
    ),
    "wide characters on the line": (
        "s = 'é€𝔘'; f = lambda ä:ä or '𝔘'; t = 'é' # é\n",
        IMPORT + "s = 'é€𝔘'; f = lambda ä: ag__.or_(ä, lambda: '𝔘'); t = 'é' # é\n",
    ),
    "conditions outside of functions": (
        "if 1  :\n  try :\n   def f(x):\n    return x or 1\n  finally :  pass\nelse :  x = 1\n",
        IMPORT + "if 1  :\n  try :\n   def f(x):\n       return ag__.or_(x, lambda: 1)\n"
        "  finally :  pass\nelse :  x = 1\n",
    ),
    "a changed function in a kept one": (
        "def f( x ):   # kept\n    def g( y ):  # lost\n        return y or 1\n    return  g\n",
        IMPORT + "def f( x ):   # kept\n    def g(y):\n        return ag__.or_(y, lambda: 1)\n"
        "    return  g\n",
    ),
    "a lambda in a call": (
        "x = sorted( [3] , key = lambda n : n or 1 , )   # kept\n",
        IMPORT + "x = sorted( [3] , key = lambda n: ag__.or_(n, lambda: 1) , )   # kept\n",
    ),
    "a lambda over lines": (
        "x = (lambda n :\n       n or   # lost\n   1)   # kept\n",
        IMPORT + "x = (lambda n: ag__.or_(n, lambda: 1))   # kept\n",
    ),
    "a lambda in a decorator": (
        "@ (lambda g : g or 1)   # kept\ndef f( x ) :  return  x\n",
        IMPORT + "@ (lambda g: ag__.or_(g, lambda: 1))   # kept\ndef f( x ) :  return  x\n",
    ),
    "texts over lines": (
        'T = """a\n  b"""  # kept\nclass A:\n    def f(x):\n        """Doc\n  of f.\n"""\n'
        "        return x or 1\n",
        IMPORT + 'T = """a\n  b"""  # kept\nclass A:\n    def f(x):\n        """Doc\n  of f.\n"""\n'
        "        return ag__.or_(x, lambda: 1)\n",
    ),
    "continued lines": (
        "x = 1 + \\\n  2\ndef f(x):\n    return x \\\n      or 1\ny = \\\n 3\n",
        IMPORT + "x = 1 + \\\n  2\ndef f(x):\n    return ag__.or_(x, lambda: 1)\ny = \\\n 3\n",
    ),
    "generators and coroutines": (
        "def f(x):\n    if x: yield x or 1\nasync def g(x): return await x or 1\n",
        IMPORT + "def f(x):\n    if x:\n        yield ag__.or_(x, lambda: 1)\n"
        "async def g(x):\n    return ag__.or_(await x, lambda: 1)\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("source, expected", KEPT.values(), ids=KEPT)
def test_only_changed_functions_are_rewritten(source, expected, printed):
    assert printed(source).decode() == expected
    compile(expected, "printed.py", "exec")


UNCHANGED = {
    "empty": b"",
    "one newline": b"\n",
    "only a comment": b"# only",
    "only a docstring": b'"""Doc."""',
    "nothing to convert": b"def f ( x ):\n\treturn  x   # kept\n\n\nclass A :  y = 1\n",
    "control flow outside of functions": b"if 1 : x = 1 if 2 else 3\nfor x in () : pass",
    "carriage returns": b"x = 1\r\ndef f(x):\r\n  return x\r\n",
    "mixed line ends": b"x = 1\r\ny = 2\nz = 3\r",
    "a byte order mark": b"\xef\xbb\xbfdef f(x):\n    return x\n",
    "a stub": b"from typing import overload\n@overload\ndef f(x: int = ...) -> int: ...\nx: int\n",
    "a converted file": (IMPORT + "def f(x):\n  return x or 1  # by hand\n").encode(),
    "one under another name": b"from autograph import operators as ops\nf = lambda x: x or 1\n",
}


@pytest.mark.parametrize("content", UNCHANGED.values(), ids=UNCHANGED)
def test_a_file_with_nothing_to_convert_is_printed_unchanged(content, printed):
    assert printed(content) == content


IMPORT_PLACES = {
    "before the first statement": "# comment\n\n|x = 1\n",
    "behind a docstring": '# comment\n"""Doc."""\n# comment\n|x = 1\n',
    "behind a docstring over lines": '"""Doc\n\nof it."""\n\n|import os\n',
    "behind a docstring in parts": "('doc'\n 'of it')\n|import os\n",
    "behind imports": (
        "from __future__ import division\nfrom __future__ import annotations\n|x = 1\n"
    ),
    "behind a future import over lines": "from __future__ import (\n    annotations,\n)\n|x = 1\n",
    "behind both": '"""Doc."""\nfrom __future__ import annotations\n|import os\n',
    "before a decorator": '"""Doc."""\n\n|@(lambda g: g)\n@(\n  lambda g: g)\ndef g(): pass\n',
    "before a text that is no docstring": "|f'text'\n'text'\n",
}


@pytest.mark.parametrize("template", IMPORT_PLACES.values(), ids=IMPORT_PLACES)
def test_one_import_is_added_after_docstring_and_future_imports(template, printed):
    source = template.replace("|", "") + "def f(x): return x or 1\n"
    expected = template.replace("|", IMPORT) + "def f(x):\n    return ag__.or_(x, lambda: 1)\n"
    assert printed(source).decode() == expected


ON_ONE_LINE = {
    "docstring": "'doc'; x = 1; f = lambda x: x or 1\n",
    "future import": "from __future__ import annotations; f = lambda x: x or 1\n",
    "continued future import": "from __future__ import annotations; \\\n  f = lambda x: x or 1\n",
    "continued docstring": "'doc'; \\\n  f = lambda x: x or 1\n",
    "continued statement": "\\\nf = lambda x: x or 1\n",
}


@pytest.mark.parametrize("source", ON_ONE_LINE.values(), ids=ON_ONE_LINE)
def test_the_import_is_added_even_if_statements_share_a_line(source, printed):
    names = executed(printed(source))
    assert (names["f"](0), names["__doc__"]) == (1, executed(source)["__doc__"])
    assert names["ag__"] is operators


def test_the_import_avoids_a_name_that_the_file_uses(printed):
    names = executed(printed("ag__ = 5\ndef f(x):\n    return x or ag__\n"))
    assert (names["ag__"], names["f"](0)) == (5, 5)
    assert operators in names.values()


def test_a_byte_order_mark_stays_first(printed):
    assert printed(b"\xef\xbb\xbfdef f(x):\n    return x or 1\n") == (
        b"\xef\xbb\xbf" + IMPORT.encode() + b"def f(x):\n    return ag__.or_(x, lambda: 1)\n"
    )


# -- a printed file behaves like the original ------------------------------------------------------

CLASSES = '''\
class Base:
    def name(self, x): return f"base {x}"

def shout(f):
    """Decorates."""
    return lambda *a: f(*a).upper() or "none"

class Outer(Base):
    total = 0

    class Inner:
         def __hidden(self, n):
           self.__n = n
           while self.__n < 5: self.__n += 2
           return self.__n
         def get(self, n): return self.__hidden(n) if n else self.__n

    @shout
    def name(self, x):
        if x: return super().name(x)
        return super(Outer, self).name("zero")

    @property
    def twice(self): return self.total * 2 or -1

    @twice.setter
    def twice(self, x):
        if x > 0: self.total = x

    @classmethod
    def make(cls, *xs, n=3, **more):
        out = cls()
        for x in xs:
            if x == n: continue
            out.total += x
        else: out.total += len(more)
        return out
'''

JUMPS = """\
def search(rows, wanted):
    for i, row in enumerate(rows):
        for j, x in enumerate(row):
            if x == wanted: return i, j
            if x is None: break
        else: continue
        return 'broken', i
    return None

def drain(n):
  out = []
  while True:
     try:
        n -= 1
        if n % 3 == 0: continue
        if n < 0: break
        out.append(10 // n)
     except ZeroDivisionError: return out
     finally: out.append('f')
  return 'done'
"""

GENERATORS = """\
import asyncio
def up(n):
    i = 0
    while i < n:
        if i == 2:
            got = yield 'two' if n else 'none'
            if got: return got
        yield i or 'zero'
        i += 1
def both(n): x = yield from up(n); return x or 7
async def later(n):
    total = 0
    for i in range(n):
        if i % 2: await asyncio.sleep(0)
        else: total += i
    async with Context() as c: return total or c
class Context:
    async def __aenter__(self): return 'c'
    async def __aexit__(self, *e): return e[0] is not None
def sent(n):
    g = both(n); out = [next(g), next(g), next(g)]
    try: g.send('x')
    except StopIteration as stop: out.append(stop.value)
    return out
"""

PATTERNS = """\
def kind(x):
    match x:
        case [a, *_] if a or x[-1]: return 'list' if a else 'falsy'
        case {'k': int(n) | str(n), **rest}:
            for i in rest: return n, i
        case str() | bytes(): y = x or 'empty'; return y
        case _ if (n := x) and n > 3: return n
def walrus(xs):
    if (n := len(xs)) > 2 or (m := n + 1): return n, [y for x in xs if (y := x or 9)]
    return m
"""

ODD = '''\
if 1:
         def wide(x):
                     if x:
                       return \\
                           1
                     return """a
    b""" + f"""{x
         }c
  """
try: import no_such_module_at_all
except ImportError:
    def late(x): return x if x else "late"
else:
    def late(x): return 'never'
with open(__import__('os').devnull) as f:
	def tabbed(x):
		for i in range(3):
			if i == x: break
		else:
			return	'	tab'
		return i
for k in range(2):
    def looped(x, k=k): return k if x else -k
'''

LAMBDAS = """\
f = lambda x: x if x else 1; g = lambda y=2, *a, **k: y or a or k
table = {'a': lambda x: x and x + 1, 'b': [lambda: (lambda z: z or 'in')(0)]}
late = [lambda: i or 'first' for i in range(3)]
class A: h = lambda self, x: self is x or (lambda: x if x else self)() and 5
def default(x, f=lambda y: y or 1): return f(x) or 2
text = f"{(lambda x: x or 1)(0)} {[(lambda: k or 2)() for k in (0, 1)]}"
def in_text(x): return f"{x if x else 'no'!r:>{5 if x else 9}} {(lambda: x or 'quoted')()}"
"""

ERRORS = """\
class Mine(ValueError): pass
def fail(x):
    if x == 0: raise Mine('zero') from None
    if x == 1: return unbound
    if x == 2:
        if not x: y = 1
        return y
    assert x != 3, f'three is {x}'
    try:
        if x == 4: return 1 / 0
    except ZeroDivisionError as e: return str(e) if x else e
    else: x += 'a'
    finally: del x
"""

BEHAVIOURS = {
    "classes": (
        CLASSES,
        "Outer.Inner().get(0)|Outer.Inner().get(1)|vars(Outer.Inner()) or Outer.Inner.get.__name__|"
        "Outer().name(0)|Outer().name(3)|Outer.make(1, 2, 3, 4, a=1).total|Outer().twice|"
        "[setattr(o := Outer(), 'twice', 4), o.twice, setattr(o, 'twice', -4), o.twice]",
    ),
    "jumps": (
        JUMPS,
        "search([[1, 2], [3]], 3)|search([[1], [None, 3]], 3)|search([], 1)|search(3, 1)|"
        "drain(7)|drain(1)|drain(0)|drain(-1)|drain('a')",
    ),
    "generators": (
        GENERATORS,
        "list(up(4))|list(up(0))|sent(5)|asyncio.run(later(5))|asyncio.run(later(1))|list(up('a'))",
    ),
    "patterns": (
        PATTERNS,
        "kind([1])|kind([0, 1])|kind([0])|kind({'k': 1, 'b': 2})|kind({'k': 1})|kind('')|kind('a')|"
        "kind(4)|kind(1)|walrus([0, 1])|walrus([1, 0, 3])|walrus(3)",
    ),
    "odd places": (ODD, "wide(1)|wide(0)|late(0)|late(2)|tabbed(1)|tabbed(7)|looped(1)|looped(0)"),
    "lambdas": (
        LAMBDAS,
        "f(0)|f(2)|g()|g(0)|g(0, 1)|g(0, b=1)|table['a'](0)|table['a'](1)|table['b'][0]()|"
        "[l() for l in late]|A().h(3)|A().h(0) is None|default(0)|default(0, lambda y: y)|text|"
        "in_text(0)|in_text(3)",
    ),
    "errors": (ERRORS, "fail(0)|fail(1)|fail(2)|fail(3)|fail(4)|fail(5)|fail('b')|fail()"),
    "quotes in an f-string": (
        "def outer():\n    pass\nt = f'{(lambda x: x or \"a\")(0)}'\n"
        'u = f"{(lambda x: x or {1: 2}[1])(0)} é {(lambda: not 0)()}"\n',
        "t|u",
    ),
}  # fmt: skip

FORMS = {
    "as written": lambda source: source.encode(),
    "with carriage returns": lambda source: source.replace("\n", "\r\n").encode(),
    "without the last newline": lambda source: source.rstrip("\n").encode(),
    "behind non-ASCII text": lambda source: f"'''é\n'''\nE = 'é€'\n{source}".encode(),
    "inside a condition": lambda source: (
        "if True:\n pass\n" + source + "\nif False:\n\n\n  x = 1 # é"
    ).encode(),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("source, expressions", BEHAVIOURS.values(), ids=BEHAVIOURS)
def test_a_printed_file_computes_what_the_original_computes(source, expressions, form, printed):
    content = form(source)
    result = printed(content)
    assert b"ag__." in result
    for expression in expressions.split("|"):
        assert outcome(expression, executed(result)) == outcome(expression, executed(content))


@pytest.mark.parametrize("source, expressions", BEHAVIOURS.values(), ids=BEHAVIOURS)
def test_converting_a_printed_file_prints_the_same_file(source, expressions, printed):
    once = printed(source)
    assert printed(once) == once


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters came with Python 3.12")
def test_type_parameters_are_kept(printed):
    source = (
        "def f[T: int, *Ts, **P](x: T) -> T:\n    return x or 1\n"
        "class A[T]:\n    def g[U](self, y: U, z: T): return y or z\n"
    )
    result = printed(source)
    assert result.decode() == (
        IMPORT + "def f[T: int, *Ts, **P](x: T) -> T:\n    return ag__.or_(x, lambda: 1)\n"
        "class A[T]:\n    def g[U](self, y: U, z: T):\n        return ag__.or_(y, lambda: z)\n"
    )
    names = executed(result)
    assert [str(t) for t in names["f"].__type_params__] == ["T", "Ts", "P"]
    assert names["A"]().g(0, 2) == 2


@pytest.mark.skipif(sys.version_info < (3, 12), reason="f-strings have positions since 3.12")
def test_quotes_may_be_reused_in_an_f_string(printed):
    assert executed(printed("t = f'{(lambda x: x or 'a')(0)}'\n"))["t"] == "a"


def test_every_kind_of_function_is_converted(printed):
    source = """\
def function(x): return x or 1
async def coroutine(x): return x or 1
class A:
    def method(self, x): return x or 1
    class B:
        def method(self, x): return x or 1
def outer(x):
    def inner(y): return y or 1
    class C:
        def method(self, x): return x or 1
    return lambda: x or 1
class D: attribute = lambda self: self or 1
table = [lambda x: x or 1]
def kept(x, default=lambda y: y or 1): return x
def changed(x, default=lambda y: y or 1): return x or 1
def named(x, *, default=lambda y: y or 1) -> (lambda z: z or 1): return x or 1
@(lambda f: f or 1)
def decorated(x): return x or 1
class E(object if (lambda x: x or 1)(0) else int): pass
if 1:
    def conditional(x): return x or 1
"""
    tree = ast.parse(printed(source))
    assert [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.BoolOp)] == []


def test_a_latin_1_file_behaves_like_the_original(tmp_path):
    content = "# coding: latin-1\ndef f(x):\n    return x or '\xc2\x80\xe9'\n".encode("latin-1")
    valid_utf8 = "# coding: latin-1\ndef f(x):\n    return x or '\xc2\x80'\n".encode("latin-1")
    for source in (content, valid_utf8):
        (tmp_path / "program.py").write_bytes(source)
        result = command("program.py", cwd=tmp_path)
        assert (result.returncode, result.stderr) == (0, b"")
        assert executed(result.stdout)["f"](0) == executed(source)["f"](0)


@pytest.mark.parametrize("encoding", ["latin-1", "cp1251", "koi8-r", "euc-jp", "utf-8", "ascii"])
@pytest.mark.parametrize(
    "before",
    ["# coding: {}\n", "#!/bin/python\n# -*- coding: {} -*-\n", "\n# vim: set fileencoding={} :\n"],
)
def test_a_file_may_have_any_encoding(encoding, before, printed):
    texts = {"latin-1": "\xe9\x80", "cp1251": "Привет", "koi8-r": "Привет", "euc-jp": "日本"}
    text = texts.get(encoding, "a" if encoding == "ascii" else "é日")
    source = before.format(encoding) + f"def f(x):\n    return x or '{text}' + '\\u20ac'\n"
    shown = printed(source.encode(encoding))
    assert executed(shown)["f"](0) == text + "€"
    assert (
        shown.decode().splitlines()[before.count("\n") - 1]
        == before.format("utf-8").split("\n")[-2]
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "folder", ["samples", "autograph", "autograph/constructs", "autograph/command"]
)
def test_the_printed_files_of_this_project_compile(folder, printed):
    paths = sorted((ROOT / folder).glob("*.py"))
    assert paths
    for path in paths:
        result = printed(path.read_bytes())
        compile(result, path.name, "exec")
        assert printed(result) == result


# -- a printed file is marked as converted ---------------------------------------------------------

MARKED = """\
class A:
    def method(self, x): return x or 1
def f(x): return x or 1
def plain(x): return x
def outer(x):
    def inner(y): return y or x
    return inner
g = lambda x: x if x > 1 else 1
"""


@pytest.mark.parametrize("first", ["", "ag__ = 5\n"], ids=["", "in a file that uses the name ag__"])
def test_functions_of_a_printed_file_are_not_converted_again(first, printed):
    names = executed(printed(first + MARKED))
    f, inner = names["f"], names["outer"](3)
    for function in (f, names["plain"], inner, names["g"], names["A"].method):
        assert autograph.to_graph(function) is function
        assert autograph.convert()(function) is function
        assert operators.converted_call(function) is function
    assert (f(0), inner(0), names["A"]().method(0)) == (1, 3, 1)


@pytest.mark.parametrize("first", ["", "ag__ = 5\n"], ids=["", "in a file that uses the name ag__"])
def test_the_runtime_does_not_convert_functions_of_a_printed_file_again(first, printed):
    # The source that `executed` runs is not stored, so it could not be converted again.
    g = runtime.function(executed(printed(first + MARKED))["g"])
    assert float(g(np.float64(3.0))) == 3.0
    assert float(g(np.float64(-3.0))) == 1.0


# -- parsed, never run -----------------------------------------------------------------------------


def test_a_file_is_neither_executed_nor_imported(tmp_path):
    (tmp_path / "program.py").write_text(
        "open('executed', 'w')\nimport no_such_module\nraise SystemExit(5)\nf = lambda x: x or 1\n"
    )
    result = command("program.py", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, b"")
    assert sorted(os.listdir(tmp_path)) == ["program.py"]


def test_a_file_may_have_the_name_of_a_library_module(tmp_path):
    (tmp_path / "random.py").write_text("raise SystemExit('imported')\nf = lambda x: x or 1\n")
    result = command(str(tmp_path / "random.py"), cwd=ROOT)
    assert (result.returncode, result.stderr) == (0, b"")


# -- input and output ------------------------------------------------------------------------------

SHORT = "def f(x):\n    return x or 1\n"
SHORT_PRINTED = IMPORT + "def f(x):\n    return ag__.or_(x, lambda: 1)\n"


def test_a_dash_reads_standard_input(tmp_path):
    result = command("-", cwd=tmp_path, stdin=SHORT.encode())
    assert (result.returncode, result.stdout.decode()) == (0, SHORT_PRINTED)


def test_standard_input_is_named_in_messages(tmp_path):
    result = command("-", cwd=tmp_path, stdin=b"x = = 1\n")
    assert result.returncode == 1
    assert result.stderr.startswith(b"autograph: <stdin>:1:5: ")


@pytest.mark.parametrize(
    "settings", [{"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "utf-16"}]
)
def test_a_file_is_printed_in_utf_8_in_any_locale(settings, tmp_path):
    (tmp_path / "program.py").write_text("s = 'é'\n" + SHORT, encoding="utf-8")
    result = command("program.py", cwd=tmp_path, **settings)
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.decode() == IMPORT + "s = 'é'\n" + SHORT_PRINTED.removeprefix(IMPORT)


def test_the_result_can_be_written_to_a_file(printed, tmp_path):
    assert printed(SHORT.replace("\n", "\r\n"), "-o", "out.py") == b""
    assert (tmp_path / "out.py").read_bytes() == SHORT_PRINTED.replace("\n", "\r\n").encode()
    assert sorted(os.listdir(tmp_path)) == ["out.py", "program.py"]


def test_a_new_file_has_the_usual_permissions(printed, tmp_path):
    (tmp_path / "usual").touch()
    printed(SHORT, "-o", "out.py")
    assert (tmp_path / "out.py").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_file_that_is_overwritten_keeps_its_permissions_and_links(printed, tmp_path):
    (tmp_path / "target.py").write_text("old")
    (tmp_path / "target.py").chmod(0o750)
    (tmp_path / "link.py").symlink_to("target.py")
    printed(SHORT, "-o", "link.py")
    assert (tmp_path / "link.py").is_symlink()
    assert (tmp_path / "target.py").read_text() == SHORT_PRINTED
    assert stat.S_IMODE((tmp_path / "target.py").stat().st_mode) == 0o750


def test_a_diff_and_one_function_can_be_written_to_a_file(printed, tmp_path):
    printed(SHORT, "--function", "f", "-o", "f.py")
    assert (tmp_path / "f.py").read_text() == SHORT_PRINTED.removeprefix(IMPORT)
    printed(SHORT, "--diff", "-o", "f.diff")
    assert (tmp_path / "f.diff").read_text().startswith("--- program.py\n")


@pytest.mark.parametrize("name", ["program.py", "./program.py", "soft.py", "hard.py"])
def test_the_input_is_not_overwritten(name, refused, tmp_path):
    (tmp_path / "program.py").write_text(SHORT)
    (tmp_path / "soft.py").symlink_to("program.py")
    (tmp_path / "hard.py").hardlink_to(tmp_path / "program.py")
    status, lines = refused("program.py", "-o", name)
    assert (status, lines) == (
        2,
        [f"autograph: {name} is the file to convert; --force overwrites it"],
    )
    assert (tmp_path / "program.py").read_text() == SHORT


def test_force_overwrites_the_input(printed, tmp_path):
    assert printed(SHORT, "-o", "program.py", "--force") == b""
    assert (tmp_path / "program.py").read_text() == SHORT_PRINTED


def test_a_file_that_cannot_be_converted_leaves_the_output_file_unchanged(refused, tmp_path):
    (tmp_path / "bad.py").write_text("def f(:\n")
    (tmp_path / "out.py").write_text("old")
    status, _ = refused("bad.py", "-o", "out.py")
    assert status == 1
    assert (tmp_path / "out.py").read_text() == "old"


# -- parts and steps -------------------------------------------------------------------------------

PARTS = """\
class A:
    @staticmethod
    def step(x):
        return x or 1
class B:
    class C:
        def step(y): return not y
def outer(x):  # kept in the file
    def inner(y): return y or x
    return  inner
if 1:
    def late(x): return x and 1
    async def later(x): return x
"""

FUNCTIONS = {
    "A.step": "def step(x):\n    return ag__.or_(x, lambda: 1)\n",
    "B.C.step": "def step(y):\n    return ag__.not_(y)\n",
    "outer": "def outer(x):\n\n    def inner(y):\n        return ag__.or_(y, lambda: x)\n"
    "    return inner\n",
    "outer.inner": "def inner(y):\n    return ag__.or_(y, lambda: x)\n",
    "late": "def late(x):\n    return ag__.and_(x, lambda: 1)\n",
    "later": "async def later(x):\n    return x\n",
}


@pytest.mark.parametrize("name, expected", FUNCTIONS.items(), ids=FUNCTIONS)
def test_one_function_is_printed_by_its_name(name, expected, printed):
    assert printed(PARTS, "--function", name).decode() == expected


def test_the_last_of_several_functions_with_one_name_is_printed(printed):
    source = "def f(x): return x or 1\ndef f(y): return not y\n"
    assert printed(source, "--function", "f") == b"def f(y):\n    return ag__.not_(y)\n"


def test_the_pipeline_can_be_stopped_after_a_pass(printed):
    source = "def f(x):\n    return not x or 1\n"
    shown = {
        name: printed(source, "--function", "f", "--dump-after", name).decode().splitlines()[1]
        for name in ("unconvertible", "blocks", "boolean", "call")
    }
    assert shown == {
        "unconvertible": "    return not x or 1",
        "blocks": "    return not x or 1",
        "boolean": "    return ag__.or_(ag__.not_(x), lambda: 1)",
        "call": "    return ag__.or_(ag__.not_(x), lambda: 1)",
    }


def test_a_file_stopped_after_a_pass_computes_what_the_original_computes(printed):
    from autograph.conversion.passes import PIPELINE

    for step in PIPELINE:
        names = executed(printed(JUMPS, "--dump-after", step.name))
        assert names["search"]([[1, 2], [3]], 3) == (1, 0)
        assert names["drain"](7) == executed(JUMPS)["drain"](7)


def test_each_shows_what_each_pass_changes(printed):
    source = "def f(x):\n    return g(x) or 1\ndef kept(x):\n    return x\n"
    expected = """\
--- f
+++ f after boolean
@@ -1,2 +1,2 @@
 def f(x):
-    return g(x) or 1
+    return ag__.or_(g(x), lambda: 1)
--- f
+++ f after call
@@ -1,2 +1,2 @@
 def f(x):
-    return ag__.or_(g(x), lambda: 1)
+    return ag__.or_(ag__.converted_call(g)(x), lambda: 1)
"""
    assert printed(source, "--each").decode() == expected


def test_each_names_methods_by_their_class(printed):
    lines = printed(PARTS, "--each").decode().splitlines()
    assert [line for line in lines if line.startswith(("---", "+++"))] == [
        "--- A.step",
        "+++ A.step after boolean",
        "--- B.C.step",
        "+++ B.C.step after boolean",
        "--- outer.inner",
        "+++ outer.inner after boolean",
        "--- late",
        "+++ late after boolean",
    ]


def test_each_shows_one_function_up_to_one_pass(printed):
    source = "def f(x):\n    return g(x) or 1\n"
    options = ("--each", "--function", "f", "--dump-after", "boolean")
    lines = printed(source, *options).decode().splitlines()
    assert [line for line in lines if line.startswith("+++")] == ["+++ f after boolean"]


def test_each_shows_nothing_for_a_file_with_nothing_to_convert(printed):
    assert printed("def f(x): return x\n", "--each") == b""


def test_ast_shows_the_tree_of_the_result(printed):
    shown = printed("def f(x): return x or 1\n", "--ast").decode()
    assert shown.startswith("Module(\n")
    assert "attr='or_'" in shown and "id='ag__'" in shown and "BoolOp" not in shown
    before = printed("def f(x): return x or 1\n", "--ast", "--dump-after", "unconvertible").decode()
    assert "BoolOp" in before and "attr=" not in before
    one = printed(PARTS, "--ast", "--function", "late").decode()
    assert one.count("FunctionDef(") == 1 and "name='late'" in one


def test_diff_shows_the_changes_to_the_original(printed):
    assert printed("import  os\n\n" + SHORT, "--diff").decode() == """\
--- program.py
+++ program.py (converted)
@@ -1,4 +1,5 @@
+from autograph import operators as ag__
 import  os
 
 def f(x):
-    return x or 1
+    return ag__.or_(x, lambda: 1)
"""  # fmt: skip


def test_the_diff_of_a_file_with_nothing_to_convert_is_empty(printed):
    assert printed("def f(x): return x\n", "--diff") == b""


# -- colour ----------------------------------------------------------------------------------------


def shown_in_a_terminal(folder, *arguments, **environment):
    """The output of the command in a terminal."""
    ours, theirs = pty.openpty()
    inherited = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    process = subprocess.Popen(
        [sys.executable, "-m", "autograph", *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.PIPE,
        env=inherited | {"PYTHONPATH": str(ROOT), "TERM": "xterm"} | environment,
    )
    os.close(theirs)
    received = b""
    with open(ours, "rb", buffering=0) as terminal:
        while True:
            try:
                part = terminal.read(4096)
            except OSError:  # Linux says so when the other end is closed
                break
            if not part:
                break
            received += part
    assert (process.wait(), process.stderr.read()) == (0, b"")
    process.stderr.close()
    return received.replace(b"\r\n", b"\n")


@pytest.mark.parametrize("options", [(), ("--diff",), ("--each",), ("--function", "f")], ids=str)
def test_code_and_diffs_are_coloured_in_a_terminal(options, tmp_path):
    pytest.importorskip("pygments")
    (tmp_path / "program.py").write_text(SHORT)
    shown = shown_in_a_terminal(tmp_path, "program.py", *options)
    assert b"\x1b[" in shown
    assert b"\x1b[" not in command("program.py", *options, cwd=tmp_path).stdout


def test_colour_does_not_change_the_text(tmp_path):
    (tmp_path / "program.py").write_text("\n\n\n" + PROGRAM + "\n\n")
    shown = shown_in_a_terminal(tmp_path, "program.py")
    assert re.sub(rb"\x1b\[[0-9;]*m", b"", shown) == command("program.py", cwd=tmp_path).stdout


def test_a_terminal_without_pygments_gets_plain_text(tmp_path):
    (tmp_path / "program.py").write_text(SHORT)
    (tmp_path / "without").mkdir()
    (tmp_path / "without" / "pygments.py").write_text("raise ImportError")
    path = os.pathsep.join([str(tmp_path / "without"), str(ROOT)])
    assert shown_in_a_terminal(tmp_path, "program.py", PYTHONPATH=path) == SHORT_PRINTED.encode()


def test_no_color_is_respected(tmp_path):
    (tmp_path / "program.py").write_text(SHORT)
    assert shown_in_a_terminal(tmp_path, "program.py", NO_COLOR="1") == SHORT_PRINTED.encode()


def test_output_to_a_file_has_no_colour(tmp_path):
    (tmp_path / "program.py").write_text(SHORT)
    assert shown_in_a_terminal(tmp_path, "program.py", "-o", "out.py") == b""
    assert (tmp_path / "out.py").read_text() == SHORT_PRINTED


# -- bad input -------------------------------------------------------------------------------------

WRONG_CALLS = {
    "a missing file": (["no.py"], "no.py cannot be read: No such file or directory"),
    "a function as the other commands name it": (
        ["short.py:f"],
        "short.py:f cannot be read: No such file or directory; write short.py --function f",
    ),
    "a misspelt command": (
        ["explor", "short.py"],
        "there is no command explor; did you mean explore?",
    ),
    "a directory": (
        ["."],
        "several files need a directory for the results: -o DIRECTORY; or use --diff, --report or "
        "--check",
    ),
    "a directory without Python files": (
        ["folder", "--diff"],
        "there are no Python files below folder",
    ),
    "one function of several files": (
        ["short.py", "parts.py", "--function", "f", "--diff"],
        "--function is for one file, and several are given",
    ),
    "a file for several results": (
        ["short.py", "parts.py", "-o", "empty.py"],
        "empty.py is a file; several files need a directory",
    ),
    "two files with one place": (
        ["short.py", "folder/../folder/../short.py", "-o", "folder"],
        "short.py and folder/../folder/../short.py would both be written to folder/short.py",
    ),
    "results over the originals": (
        ["short.py", "parts.py", "-o", "."],
        "./short.py is the file to convert; --force overwrites it",
    ),
    "a notebook": (
        ["cells.ipynb"],
        "cells.ipynb is a notebook, and autograph reads Python files; "
        "`jupyter nbconvert --to script cells.ipynb` makes one",
    ),
    "a misspelt function": (
        ["parts.py", "--function", "A.stp"],
        "there is no function A.stp in parts.py; did you mean A.step or B.C.step?",
    ),
    "an unknown function": (
        ["short.py", "--function", "relu"],
        "there is no function relu in short.py; did you mean f?",
    ),
    "a file without functions": (
        ["empty.py", "--function", "f"],
        "there is no function f in empty.py; it has no functions",
    ),
    "an unknown pass": (
        ["short.py", "--dump-after", "jump"],
        "there is no pass 'jump'; the passes are match, unconvertible, originals, comprehension, jumps, "
        "blocks, assert, collection, starred, exchange, list, item, with, handlers, compare, boolean, ternary, text, call, "
        "frames",
    ),
    "an output in no folder": (
        ["short.py", "-o", "no/out.py"],
        "no/out.py cannot be written: No such file or directory",
    ),
    "an output that is a folder": (
        ["short.py", "-o", "folder"],
        "folder cannot be written: Is a directory",
    ),
    "an output below a file": (
        ["short.py", "-o", "empty.py/out.py"],
        "empty.py/out.py cannot be written: Not a directory",
    ),
}


@pytest.mark.parametrize("arguments, expected", WRONG_CALLS.values(), ids=WRONG_CALLS)
def test_a_usage_error_is_reported_in_one_line(arguments, expected, refused, tmp_path):
    (tmp_path / "short.py").write_text(SHORT)
    (tmp_path / "parts.py").write_text(PARTS)
    (tmp_path / "empty.py").touch()
    (tmp_path / "cells.ipynb").write_text("{}")
    (tmp_path / "folder").mkdir()
    assert refused(*arguments) == (2, [f"autograph: {expected}"])


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--no-such-option"],
        ["a.py", "--check=yes"],
        ["a.py", "--each", "--ast"],
        ["a.py", "-o"],
    ],
    ids=str,
)
def test_invalid_arguments_show_the_usage(arguments, refused):
    status, lines = refused(*arguments)
    assert status == 2
    assert lines[0].startswith("usage: autograph ")
    assert lines[-1].startswith("autograph: error: ")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--bogus"], "there is no option --bogus"),
        (["--bogus", "program.py"], "there is no option --bogus"),
        (["--repotr=3", "program.py"], "there is no option --repotr; did you mean --report?"),
        (["-x", "-"], "there is no option -x"),
        ([], "name a file or a directory; `autograph --help` has examples"),
        (["--report"], "name a file or a directory; `autograph --help` has examples"),
    ],
)
def test_an_unknown_option_is_named_before_a_missing_path(arguments, expected, capsys):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith(f"autograph: error: {expected}\n")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read and write everything")
def test_a_file_without_permission_is_reported_in_one_line(refused, tmp_path):
    (tmp_path / "secret.py").touch(mode=0o000)
    assert refused("secret.py") == (2, ["autograph: secret.py cannot be read: Permission denied"])


NOT_UTF_8 = {
    b"s = 1\nt = '\xe9'\n": "byte 0xe9 in line 2",
    b"\xff\xfex\x00=\x001\x00": "byte 0xff in line 1",
    b"\n\n\n\x80": "byte 0x80 in line 4",
}


@pytest.mark.parametrize("content, expected", NOT_UTF_8.items(), ids=NOT_UTF_8.values())
def test_a_file_that_is_not_utf_8_is_reported_in_one_line(content, expected, refused, tmp_path):
    (tmp_path / "bad.py").write_bytes(content)
    assert refused("bad.py") == (1, [f"autograph: bad.py is not UTF-8: {expected}"])


NOT_PYTHON = {
    "a missing name": (b"x = 1\ndef f(:\n", "2:7", ["      def f(:", "            ^"]),
    "an open bracket": (b"x = (\n", "1:5", ["      x = (", "          ^"]),
    "wide characters": (
        "s = 'éé' +* 1\n".encode(),
        "1:11",
        ["      s = 'éé' +* 1", "                ^"],
    ),
    "an indented line": (b"if 1:\n    x = = 1\n", "2:9", ["      x = = 1", "          ^"]),
    "a jump out of nothing": (b"def f():\n    break\n", "2:5", ["      break", "      ^^^^^"]),
    "a return from nothing": (b"return 1\n", "1:1", ["      return 1", "      ^^^^^^^^"]),
    "a yield from nothing": (b"x = [1]\nyield 1\n", "2:1", ["      yield 1", "      ^^^^^^^"]),
    "a continue of nothing": (b"if 1:\n  continue\n", "2:3", ["      continue", "      ^^^^^^^^"]),
    "a nonlocal of nothing": (
        b"def f():\n    nonlocal x\n    return x or 1\n",
        "2:5",
        ["      nonlocal x", "      ^^^^^^^^^^"],
    ),
    "an await outside": (
        b"def f(x):\n    return await x or 1\n",
        "2:12",
        ["      return await x or 1", "             ^^^^^^^"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("content, place, shown", NOT_PYTHON.values(), ids=NOT_PYTHON)
def test_a_syntax_error_is_shown_with_line_and_caret(content, place, shown, refused, tmp_path):
    (tmp_path / "bad.py").write_bytes(content)
    status, lines = refused("bad.py")
    assert status == 1
    assert lines[0].startswith(f"autograph: bad.py:{place}: not Python: ")
    assert lines[1:] == [f"  bad.py, line {place.split(':')[0]}", *shown]


WITHOUT_A_PLACE = {
    "null bytes": b"x = 1\ny = '\0'\n",
    "a name bound twice": b"def f(x, x): return x or 1\n",
    "a parameter that is global": b"def f(x):\n    global x\n    return x or 1\n",
    "odd indentation": b"if 1:\n    x = 1\n  y = 2\n",
    "tabs and spaces": b"if 1:\n        x = 1\n\ty = 2\n",
    "too many brackets": b"x = " + b"(" * 300 + b")" * 300 + b"\n",
    "too deep a tree": b"x = " + b"-" * 100_000 + b"1\n",
    "an unknown encoding": b"# coding: no-such-code\nx = lambda: 1 or 2\n",
}


@pytest.mark.parametrize("content", WITHOUT_A_PLACE.values(), ids=WITHOUT_A_PLACE)
def test_code_that_python_does_not_compile_is_refused(content, refused, tmp_path):
    (tmp_path / "bad.py").write_bytes(content)
    status, lines = refused("bad.py")
    assert status == 1
    assert lines[0].startswith("autograph: bad.py")


@pytest.mark.parametrize("option", ["--each", "--ast", "--diff", "--function=f"])
def test_every_output_option_refuses_invalid_python(option, refused, tmp_path):
    (tmp_path / "bad.py").write_text("def f(:\n")
    status, lines = refused("bad.py", option)
    assert (status, lines[0][:24]) == (1, "autograph: bad.py:1:7: n")


def test_a_closed_output_ends_the_command_without_a_traceback(tmp_path):
    (tmp_path / "long.py").write_text("f = lambda x: x or 1\n" + "# a long comment\n" * 50_000)
    process = subprocess.Popen(
        [sys.executable, "-m", "autograph", "long.py"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": ""},
    )
    assert process.stdout.readline() == IMPORT.encode()
    process.stdout.close()
    error = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 1
    assert error == b"autograph: the output was closed before all of it was written\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no full device")
def test_a_full_disk_is_reported_in_one_line(tmp_path):
    (tmp_path / "program.py").write_text(SHORT)
    with open("/dev/full", "wb") as full:
        result = subprocess.run(
            [sys.executable, "-m", "autograph", "program.py"],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )
    assert result.returncode in (1, 2)
    assert result.stderr.count(b"\n") == 1 and result.stderr.startswith(b"autograph: ")


@pytest.mark.slow
def test_a_file_with_a_chain_of_a_thousand_elifs_is_printed(printed):
    arms = "".join(f"    elif x == {i}: return {i * i}\n" for i in range(1, 1000))
    names = executed(printed(f"def f(x):\n    if x == 0: return 'zero'\n{arms}"))
    assert [names["f"](x) for x in (0, 1, 999, 1000)] == ["zero", 1, 998001, None]


PATCHED = {
    "carriage returns": b"def f(x):\r\n    return x or 1\r\n\r\ny = 2\r\n",
    "form feeds and separators": "a = 'p\x0cq \x85 \u2028'\ndef f(x):\n    return x or 1\n".encode(),
    "no newline at the end": b"def f(x):\n    return x or 1",
    "a byte order mark": b"\xef\xbb\xbfdef f(x):\n    return x or 1\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("content", PATCHED.values(), ids=PATCHED)
def test_a_diff_can_be_applied_by_patch(content, tmp_path):
    path = tmp_path / "file.py"
    path.write_bytes(content)
    diff = command("file.py", "--diff", cwd=tmp_path).stdout
    converted = command("file.py", cwd=tmp_path).stdout
    subprocess.run(
        ["patch", "--binary", "-s", "-p0", "file.py"], input=diff, cwd=tmp_path, check=True
    )
    assert path.read_bytes() == converted
    tree = command("file.py", "--ast", cwd=tmp_path)
    assert tree.returncode == 0 and tree.stdout.startswith(b"Module(")


def test_a_syntax_error_after_form_feeds_shows_its_line(tmp_path):
    (tmp_path / "file.py").write_bytes(b'a = "p\x0cq"\ndef f(:\n')
    done = command("file.py", cwd=tmp_path)
    assert done.returncode == 1 and b"      def f(:\n" in done.stderr


# -- several files ---------------------------------------------------------------------------------


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A folder with files below it, some of which are left out."""
    monkeypatch.chdir(tmp_path)
    for name in ("a.py", "sub/b.py", ".hidden/c.py", "env/d.py", "sub/__pycache__/e.py"):
        path = Path("src") / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(SHORT)
    Path("src/env/pyvenv.cfg").touch()
    Path("src/data.txt").write_text("no Python")
    return tmp_path


def files_below(folder):
    return sorted(
        str(path.relative_to(folder)) for path in Path(folder).rglob("*") if path.is_file()
    )


def test_the_files_below_a_directory_are_converted(tree, printed, capsysbinary):
    one = printed(SHORT)
    assert main(["src", "-o", "out"]) == 0
    assert capsysbinary.readouterr() == (b"", b"autograph: 2 of 2 files converted\n")
    assert files_below("out") == ["a.py", "sub/b.py"]
    assert all((Path("out") / name).read_bytes() == one for name in files_below("out"))


def test_files_and_directories_keep_their_names_below_the_output(tree, capsysbinary):
    Path("z.py").write_text(SHORT)
    assert main(["z.py", "src/sub", "./src", "-o", "out/deep", "--quiet"]) == 0
    assert capsysbinary.readouterr() == (b"", b"")
    assert files_below("out/deep") == ["src/a.py", "src/sub/b.py", "sub/b.py", "z.py"]


def test_a_file_that_cannot_be_converted_does_not_stop_the_others(tree, capsysbinary):
    Path("src/broken.py").write_text("def f(:\n")
    Path("src/zebra.py").write_text(SHORT)
    assert main(["src", "-o", "out"]) == 1
    out, err = capsysbinary.readouterr()
    assert out == b"" and err.startswith(b"autograph: src/broken.py:1:7: not Python")
    assert err.endswith(b"autograph: 3 of 4 files converted, 1 not\n")
    assert files_below("out") == ["a.py", "sub/b.py", "zebra.py"]


def test_a_missing_file_among_several_is_a_wrong_call(tree, capsysbinary):
    assert main(["no.py", "src", "-o", "out", "-q"]) == 2
    assert (
        capsysbinary.readouterr().err
        == b"autograph: no.py cannot be read: No such file or directory\n"
    )
    assert files_below("out") == ["src/a.py", "src/sub/b.py"]


@pytest.mark.parametrize("option", ["--diff", "--each", "--ast", "--report"])
def test_texts_of_several_files_are_one_text(option, tree, printed, capsysbinary):
    assert main(["src/a.py", "src/sub/b.py", option, "--quiet"]) == 0
    shown = capsysbinary.readouterr().out.decode()
    parts = []
    for name in ("src/a.py", "src/sub/b.py"):
        assert main([name, option]) == 0
        parts.append(capsysbinary.readouterr().out.decode())
    assert shown == ("\n" if option == "--report" else "").join(parts) and shown.strip()
    assert main(["src", option, "-q", "-o", "one.txt"]) == 0
    assert Path("one.txt").read_text() == shown


# -- checks ----------------------------------------------------------------------------------------


def test_check_writes_nothing_and_answers_by_its_status(tree, capsysbinary):
    assert main(["src", "--check"]) == 0
    assert capsysbinary.readouterr() == (b"", b"autograph: 2 of 2 files passed\n")
    assert main(["src/a.py", "--check"]) == 0
    assert capsysbinary.readouterr() == (b"", b"")
    Path("src/broken.py").write_text("f(")
    assert main(["src", "--check", "-q"]) == 1
    assert main(["src/broken.py", "--check"]) == 1


def test_check_compares_with_the_output(tree, capsysbinary):
    before = files_below(".")
    assert main(["src", "-o", "out", "--check", "-q"]) == 1
    message = f"autograph: {os.path.join('out', 'a.py')} is not up to date\n"
    assert capsysbinary.readouterr().err.decode().startswith(message) and files_below(".") == before
    assert main(["src", "-o", "out", "-q"]) == main(["src", "-o", "out", "--check", "-q"]) == 0
    with open("src/sub/b.py", "a") as file:
        file.write("x = 1\n")
    assert main(["src", "-o", "out", "--check", "-q"]) == 1
    assert main(["src/a.py", "-o", "out/a.py", "--check"]) == 0
    assert main(["src/sub/b.py", "-o", "out/sub/b.py", "--check"]) == 1
    shown = capsysbinary.readouterr().err.decode().splitlines()
    assert shown[-1] == (
        "autograph: out/sub/b.py is not up to date; `autograph src/sub/b.py -o out/sub/b.py` writes it"
    )


# -- help ------------------------------------------------------------------------------------------


def test_the_version_is_that_of_the_packages_and_of_the_distribution(capsys):
    with pytest.raises(SystemExit) as exit:
        main(["--version"])
    assert exit.value.code == 0
    assert capsys.readouterr().out.startswith(f"autograph {autograph.__version__} (Python 3.")
    assert runtime.__version__ == autograph.__version__
    assert importlib.metadata.version("autograph-numpy") == autograph.__version__


def test_every_example_of_the_help_runs(tree, capsys, monkeypatch):
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = capsys.readouterr().out.partition("examples:\n")[2]
    examples = re.findall(r"^  autograph (.*?)  +\S.*$", shown, re.M)
    examples += [line.split("  ")[0] for line in re.findall(r"^  autograph (- < .*)$", shown, re.M)]
    assert len(examples) >= 10
    Path("model.py").write_text(PARTS.replace("class A", "class Net"))
    os.rename("src", "package")
    for example in examples:
        arguments, _, given = example.partition(" < ")
        with open(given.strip() or os.devnull) as file:
            monkeypatch.setattr("sys.stdin", file)
            assert main(arguments.split()) == 0, example


def test_progress_is_shown_on_a_terminal_only(tree):
    leader, follower = pty.openpty()
    run = [sys.executable, "-m", "autograph", "src", "--check"]
    settings = os.environ | {"PYTHONPATH": str(ROOT)}
    with os.fdopen(leader, "rb") as screen:
        subprocess.run(run, stderr=follower, env=settings, timeout=60, check=True)
        os.close(follower)
        shown = os.read(screen.fileno(), 10_000).decode()
    assert "[1/2] src" in shown and "[2/2] src" in shown
    assert shown.endswith("\x1b[Kautograph: 2 of 2 files passed\r\n")


def test_the_shell_is_given_completions(tmp_path):
    pytest.importorskip("argcomplete", reason="argcomplete is not installed")
    line = "autograph --re"
    asked = {"_ARGCOMPLETE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line)), "COMP_TYPE": "9"}
    found = tmp_path / "found"
    settings = (
        os.environ | asked | {"PYTHONPATH": str(ROOT), "_ARGCOMPLETE_STDOUT_FILENAME": str(found)}
    )
    subprocess.run([sys.executable, "-m", "autograph"], env=settings, timeout=60)
    assert found.read_text().split() == ["--report"]
