"""Programs whose meaning other converters are known to change; here each keeps its meaning.

Every program defines `f`, which runs with each of its inputs: unchanged, converted, and as printed
by the command line.  Results, exceptions with their messages, and output must be the same.

The file is long because it is a collection of independent tests.
"""

import asyncio
import contextlib
import inspect
import io
import linecache
import sys
import types

import pytest
from while_recording import while_recording

import autograph
from autograph import operators
from autograph.conversion.files import convert_text
from autograph.functions import rebuild

ROWS: dict[str, tuple[str, tuple]] = {}


def row(name, source, *inputs, since=(3, 11)):
    if sys.version_info >= since:
        ROWS[name] = source, inputs or ((),)


# -- jumps and enclosing statements ----------------------------------------------------------------

row(
    "the else of a for",
    """
def f(xs, wanted):
    for x in xs:
        if x == wanted:
            break
    else:
        return "none"
    return x
""",
    ([1, 2], 2),
    ([1, 2], 3),
    ([], 1),
)
row(
    "the else of a while",
    """
def f(n):
    while n > 0:
        n -= 1
        if n == 5:
            break
    else:
        n = "through"
    return n
""",
    (3,),
    (9,),
)
row(
    "return in a try that has an else",
    """
def f(log):
    try:
        return 1
    except ValueError:
        log.append("except")
    else:
        log.append("else")
    finally:
        log.append("finally")
""",
    ([],),
)
row(
    "continue in a try that has an else",
    """
def f(n):
    log = []
    for i in range(n):
        try:
            if i % 2:
                continue
            log.append(i)
        except ValueError:
            pass
        else:
            log.append("else")
    return log
""",
    (4,),
)
row(
    "a finally that returns swallows the exception",
    """
def f(x):
    try:
        if x:
            raise ValueError(x)
        return 1
    finally:
        return 2
""",
    (0,),
    (1,),
)
row(
    "a finally that breaks swallows the exception",
    """
def f(n):
    for i in range(n):
        try:
            1 / (i - 1)
        finally:
            if i == 1:
                break
    return i
""",
    (1,),
    (3,),
)
row(
    "break and return through with and finally",
    """
from contextlib import contextmanager
@contextmanager
def told(log, name):
    log.append("enter " + name)
    try:
        yield
    finally:
        log.append("exit " + name)
def f(n, log):
    for i in range(n):
        with told(log, "a"):
            try:
                if i == 2:
                    break
                if i == 5:
                    return "returned"
            finally:
                log.append(i)
    return log
""",
    (2, []),
    (4, []),
)

row(
    "a return is taken back where a finally or an exit raises",
    """
class Exit:
    async def __aenter__(self): return self
    async def __aexit__(self, *exception): raise KeyError
async def f(x):
    log = []
    for i in range(3):
        try:
            async with Exit():
                if x == i: return "with"
        except KeyError:
            log.append(i)
        try:
            try:
                if x == 2: break
                if x == 1: continue
            except* ValueError: pass
            finally:
                if x: raise KeyError
        except KeyError:
            log.append("taken back")
        log.append("behind")
    else:
        log.append("else")
    return log
""",
    (0,),
    (1,),
    (2,),
)

# -- operands --------------------------------------------------------------------------------------

row(
    "the operands of a chained comparison, each once",
    """
def f(limit):
    log = []
    def tell(x):
        log.append(x)
        return x
    return tell(1) < tell(2) < tell(limit) <= tell(3) != tell(0), log
""",
    (3,),
    (2,),
    (9,),
)
row(
    "assignment expressions in tests, operands, comprehensions and lambdas",
    """
def f(xs):
    out = []
    if (n := len(xs)) > 1:
        out.append(n)
    i = 0
    while (i := i + 1) < 4 and (last := i):
        out.append(last)
    y = (k := 3) if n else (k := 4)
    squares = [(z := x * x) for x in xs if (w := x) > 0]
    g = lambda: (q := 5) and q
    return out, y, k, squares, z if squares else None, g()
""",
    ([1, 2, 3],),
    ([],),
    ([-1],),
)
row(
    "match with every kind of pattern",
    """
from dataclasses import dataclass
@dataclass
class P:
    x: int
    y: int = 0
def f(v):
    match v:
        case 0 | 1: return "small" if v else "zero"
        case int(n) if n > 100: return "large", n
        case -2.5: return "float"
        case None | True: return "constant"
        case "a" as s: return s
        case [1, *rest]: return "list", rest
        case [x, y]: return "pair", x, y
        case {"k": value, **others}: return value, others
        case P(x=0, y=y): return "P", y
        case P(): return "other P"
    return "nothing"
""",
    *[
        (v,)
        for v in (0, 500, -2.5, None, True, "a", "b", [1, 2, 3], (4, 5), {"k": 1, "j": 2}, {}, [])
    ],
)
row(
    "a string whose lines end in backslashes",
    'def f(x):\n    if x:\n        return r"a\\\nb" + "c\\\nd" + x\n    return 0\n',
    ("e",),
    ("",),
)

# -- nested functions ------------------------------------------------------------------------------

row(
    "generators, also nested ones and methods",
    """
class Tree:
    def __init__(self, *kids): self.kids = kids
    def walk(self, depth=0):
        if depth > 5:
            return "deep"
        got = yield depth
        for kid in self.kids:
            if got:
                got = yield got
            yield from kid.walk(depth + 1)
        return depth
def f(n):
    def count():
        i = 0
        while i < n:
            if i == 3:
                return
            yield i
            i += 1
    t = Tree(Tree(), Tree(Tree()))
    walk = t.walk()
    seen = [next(walk), walk.send("got")]
    return list(count()), seen, list(walk)
""",
    (2,),
    (6,),
)
row(
    "coroutines",
    """
import asyncio
async def f(n):
    async def ticks():
        for i in range(n):
            if i == 4:
                return
            yield i
    class Held:
        async def __aenter__(self): return self
        async def __aexit__(self, *exc): return exc[0] is KeyError
    total = 0
    async for i in ticks():
        if i % 2:
            continue
        await asyncio.sleep(0)
        total += i
    async with Held():
        if total > 3:
            raise KeyError(total)
        total = -total
    return total, [x async for x in ticks() if x], [await asyncio.sleep(0, x) for x in (1, 2)]
""",
    (2,),
    (9,),
)
row(
    "closures made in a loop see the last value",
    """
def f(n):
    made, lazy, i = [], [], None
    for i in range(n):
        y = i
        if i >= 0:
            made.append(lambda: (i, y))
        lazy.append(y * k for k in (1, 2))
    return [g() for g in made], [list(g) for g in lazy]
""",
    (3,),
    (0,),
)
row(
    "a lambda made before the loop that binds its variable",
    """
def f(n):
    read = lambda: x
    for x in range(n):
        pass
    return read()
""",
    (5,),
    (0,),
)
row(
    "the element of a loop is held by its name alone",
    """
import numpy as np
def f(n):
    for a in (np.zeros(3) for _ in range(n)):
        a.resize(5)
    return a.shape
""",
    (2,),
)
row(
    "nonlocal and global in nested functions",
    """
TOTAL = 0
def f(n):
    global TOTAL
    TOTAL, count = 0, 0
    def step(k):
        nonlocal count
        global TOTAL
        if k % 2:
            count += 1
        TOTAL += k
    for k in range(n):
        step(k)
    return count, TOTAL
""",
    (5,),
)
row(
    "a lambda in a decorator of a nested function, run once",
    """
def f(n):
    log = []
    def applied(change):
        log.append("made")
        return lambda fn: lambda *a: change(fn(*a))
    @applied(lambda x: x + n if x > 0 else -x)
    @applied(key := lambda x: x or 1)
    def g(x):
        if x > 3:
            return x
        return 0
    return g(9), g(1), log
""",
    (2,),
)
row(
    "super in every form, names of its class, and private names",
    """
class A:
    __private = 1
    def __init__(self, x): self.x = x
    def m(self): return self.__private if self.x else 0
    @classmethod
    def c(cls): return cls.__name__ if cls else None
class B(A):
    def __init__(self, x):
        if x is not None:
            super().__init__(x)
        else:
            super(B, self).__init__(7)
    def m(self):
        for _ in range(1):
            found = super().m() or [super(B, self).m()]
        return found, __class__.__name__, [__class__ for _ in range(1)][0] is B
    @classmethod
    def c(cls):
        if cls is not None:
            return super().c()
def f(x):
    return B(x).m(), B(x).x, B.c()
""",
    (0,),
    (3,),
    (None,),
)

row(
    "lambdas in the defaults of lambdas, annotations with operators, and super in comprehensions",
    """
outer = lambda key=lambda v: v or 0: key(3) or 1
class A:
    m = lambda self, k=(lambda: 1 or 2)(): k or self
    def g(self): return 1
class B(A):
    def g(self, x=1):
        try:
            if x: return sum(super().g() for _ in range(3))
        except TypeError:
            return [super(B, self).g() for _ in range(2)]
def f(x):
    z: (int or x) = 4
    y: "int" if x else str = 4
    return outer(), A().m(), z or y, B().g()
""",
    (0,),
)
row(
    "aliases of types, with operators in them",
    """
def f(c):
    type Z = int if c else str
    return Z.__value__, c or 1
""",
    (0,),
    (1,),
    since=(3, 12),
)

# -- names -----------------------------------------------------------------------------------------

row(
    "locals, vars, dir, eval and exec",
    """
def f(x):
    if x:
        y = 1
    for z in range(2):
        pass
    return sorted(locals()), sorted(vars()), sorted(dir()), eval("x + z")
""",
    (0,),
    (1,),
)
row(
    "the name in a frame",
    """
import sys, inspect
def f(x):
    if x:
        return sys._getframe().f_code.co_name, inspect.stack()[0].function
    for _ in range(1):
        names = sys._getframe(0).f_code.co_name, inspect.currentframe().f_code.co_name
    return names
""",
    (0,),
    (1,),
)
row(
    "the frames of functions that are called by an iterator",
    """
import sys
def who(): return sys._getframe(1).f_code.co_name
def f(n):
    turns, left, out = iter(range(n)), [n], []
    def operand():
        left[0] -= 1
        return left[0] > 0 and who()
    for x in iter(operand, False): out.append(x)
    for x in iter(lambda: next(turns, None) is not None and who(), False): out.append(x)
    return out
""",
    (3,),
)
row(
    "names that generated code uses",
    """
def f(n):
    ag__, vars_, get_state, set_state, loop_body, if_body, stop = 1, 2, 3, 4, 5, 6, 7
    for itr in range(n):
        if itr == 2:
            break
        vars_ += ag__ if itr else get_state
    return ag__, vars_, get_state, set_state, loop_body, if_body, stop
""",
    (0,),
    (4,),
)
row(
    "builtins that are shadowed",
    """
def f(n):
    tuple, dict, range, print, len = [], {}, lambda k: [k, k], 3, lambda x: -1
    for i in range(n):
        if i not in tuple:
            tuple.append(len(tuple))
        dict[i] = print
    return tuple, dict
""",
    (4,),
)
row(
    "names that are unbound, with Python's own errors",
    """
def f(which):
    if which == 0:
        for i in range(0): total = i
        total += i
    if which == 1:
        for i in []: pass
        found = []
        found += [i]
    if which == 2:
        if not which: x = 1
        return x
    if which == 3:
        y = 1
        if which: del y
        return y
    if which == 4:
        if which: return nowhere
    if which == 5:
        def g():
            if which: return z
        if not which: z = 1
        return g()
    return "fine"
""",
    *[(i,) for i in range(7)],
)
row(
    "annotations, which nobody evaluates",
    """
def f(x):
    from typing import Tuple
    y: nowhere = 0
    if x:
        y: int = 1
        z: undefined
    def g(a: Tuple[int], b: "later" = 2) -> Tuple:
        if a: b: also = 3
        return b
    return y, g(1), g(0), g.__annotations__ == {"a": Tuple[int], "b": "later", "return": Tuple}
""",
    (0,),
    (1,),
)
row(
    "del in a branch, star targets and star arguments",
    """
def f(*args, key=1, **rest):
    first, *middle, last = args
    if key and middle:
        rest["a"] = 1
        del middle[:1], rest["a"]
        (first, [last, *deep]), x = (last, [first, 5, 6]), args[-1]
    for a, *b in [args, args[::-1]]:
        if b:
            first = max(*b, *middle, **{"key": lambda v: -v})
    return first, middle, last, rest, a, b
""",
    (1, 2, 3),
    (4, 5),
)

# -- exceptions ------------------------------------------------------------------------------------

row(
    "except as, in a loop, with del, raise from, and a name that is gone",
    """
def f(n):
    log = []
    for i in range(n):
        try:
            if i == 0: raise KeyError("k", i)
            if i == 1: [][i]
            if i == 2: raise ValueError("from") from KeyError("cause")
            if i == 3: {}[i]
            log.append(i)
        except IndexError as e:
            log.append(repr(e))
            if i: continue
        except (KeyError, ValueError) as e:
            log.append((type(e).__name__, e.args, repr(e.__cause__)))
            if i == 3:
                try:
                    raise RuntimeError("again") from e
                except RuntimeError as again:
                    log.append(again.__cause__ is e)
                    del again
                    if log: again = 3
                log.append(again)
        else:
            log.append("else")
    try:
        e
    except NameError as gone:
        log.append(str(gone))
    return log
""",
    (6,),
    (0,),
)
row(
    "exceptions keep what they carry",
    """
class Mine(Exception):
    def __init__(self, code, *, detail):
        super().__init__(code)
        self.code, self.detail = code, detail
def f(which):
    if which == 0: raise Mine(3, detail="d")
    if which == 1: raise OSError(2, "no such", "file")
    if which == 2: b"\\xff".decode()
    if which == 3: raise ExceptionGroup("several", [ValueError(1), KeyError(2)])
    if which == 4: raise StopIteration(5)
    if which == 5: raise SystemExit(6)
    if which == 6: return int("x")
    if which == 7: raise (KeyboardInterrupt if which else ValueError)
""",
    *[(i,) for i in range(8)],
)
row(
    "exception groups",
    """
def f(n):
    log = []
    try:
        if n:
            raise ExceptionGroup("g", [ValueError(1), TypeError(2), KeyError(3)][:n])
    except* ValueError as e:
        for one in e.exceptions:
            if one: log.append(repr(one))
    except* (TypeError, KeyError) as e:
        log.append(len(e.exceptions))
    else:
        log.append("else")
    finally:
        log.append("finally")
    return log
""",
    *[(i,) for i in range(4)],
)
row(
    "asserts, with messages that are evaluated only when they are needed",
    """
def f(x):
    log = []
    try:
        assert x > 0, log.append("message") or f"bad {x}"
        assert x < 9
    except AssertionError as error:
        log.append(error.args)
    return log
""",
    (1,),
    (0,),
    (10,),
)

# -- newer syntax ----------------------------------------------------------------------------------

row(
    "several context managers in brackets, and starred subscripts",
    """
from contextlib import nullcontext, suppress
class Table:
    def __getitem__(self, key): return key
def f(n):
    with (
        nullcontext(n) as a,
        suppress(ValueError),
    ):
        if a > 2:
            raise ValueError
        a = -a
    keys = [1, 2]
    return a, Table()[*keys, n] if n else Table()[n]
""",
    (0,),
    (3,),
)
row(
    "nested quotes in formatted strings",
    """
def f(x):
    d = {"k": x}
    return f"{d["k"] if x else f"{"none"!r:>8}"} {
        # a comment
        [y for y in range(3) if y != x]
    }"
""",
    (0,),
    (2,),
    since=(3, 12),
)
row(
    "type parameters and type statements",
    """
def f[T: int, *Ts](x: T) -> T:
    type Alias[K] = dict[K, T]
    class Box[V]:
        def get(self, v: V) -> V:
            return v if v else None
    def inner[U](u: U = 1) -> U:
        if u: return Alias.__name__, Box().get(u)
    return inner(x), inner.__type_params__[0].__name__
""",
    (0,),
    (4,),
    since=(3, 12),
)
row(
    "defaults of type parameters",
    """
def f[T = int](x: T):
    return T.__default__ if x else x
""",
    (0,),
    (4,),
    since=(3, 13),
)


row(
    "a match whose guards and patterns read unbound names",
    """
def g1(x):
    match x:
        case 1 if late: r = 1
        case _: r = 2
    late = 0
    return r
def g2(x):
    match x:
        case [a, b] if a > later: r = 1
        case _: r = 2
    later = 0
    return r
def g3(x):
    if x:
        match x:
            case 1 if late: r = 1
            case _: r = 2
        late = 0
        return r
def g4(x):
    match x:
        case 1 if (lambda: late)(): r = 1
        case _: r = 2
    late = 0
    return r
def g5(x):
    match x:
        case 1 if [late for _ in range(3) if x]: r = 1
        case _: r = 2
    late = 0
    return r
def g6(x):
    match x:
        case late.b: r = 1
        case _: r = 2
    late = 0
    return r
def g7(x):
    match x:
        case late(): r = 1
        case 3: r = 2
    late = 0
    return r
def g8(x):
    match x:
        case a if a and late: r = 1
        case _: r = 2
    late = 0
    return r
def g9(x):
    match x:
        case a if x > 5 : r = 1
        case b if a + x > 0: r = a + b
        case c if b: r = 2
    return r
def g10(x):
    def inner():
        match x:
            case a if late: r = 1
        return r
    v = inner()
    late = 1
    return v
def g11(x):
    match x:
        case 5: a = 3
        case b if a: r = 2
    return r
def f(number, x):
    return [g1, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11][number](x)
""",
    *[(number, x) for number in range(11) for x in (1, (1, 2), 7)],
)


# -- the comparison --------------------------------------------------------------------------------


def loaded(source, name):
    linecache.cache[name] = len(source), None, source.splitlines(True), name
    module = types.ModuleType("program")
    exec(compile(source, name, "exec"), vars(module))
    return module


def outcome(fn, arguments):
    """The observable outcome of a call."""
    fresh = [list(a) if isinstance(a, list) else a for a in arguments]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            result = fn(*fresh)
            if inspect.iscoroutine(result):
                result = asyncio.run(result)
            found = "returned", type(result), repr(result)
        except BaseException as error:
            found = "raised", type(error), str(error), error.args, vars(error)
    return repr((found, fresh, printed.getvalue()))


@pytest.mark.parametrize("name", ROWS)
def test_a_converted_program_keeps_its_meaning(name):
    source, inputs = ROWS[name]
    module = loaded(source, f"<{name}>")
    printed = types.ModuleType("program")
    exec(compile(convert_text(source), f"<{name}, printed>", "exec"), vars(printed))
    converted = autograph.to_graph(module.f)
    for one in inputs:
        expected = outcome(module.f, one)
        assert outcome(converted, one) == expected
        if name != "the name in a frame":  # a printed file shows the name itself
            assert outcome(printed.f, one) == expected


OF_ARRAYS = {"the element of a loop is held by its name alone"}  # arrays made here are staged


@pytest.mark.parametrize("name", [name for name in ROWS if name not in OF_ARRAYS])
def test_a_program_of_plain_values_keeps_its_meaning_while_a_graph_is_recorded(name):
    source, inputs = ROWS[name]
    module = loaded(source, f"<{name}>")
    for one in inputs:
        expected = outcome(module.f, one)
        assert outcome(while_recording(module.f), one) == expected


@pytest.mark.parametrize("name", ROWS)
def test_a_program_is_converted_unless_it_reads_its_local_variables_as_a_dict(name):
    module = loaded(ROWS[name][0], f"<{name}>")
    converted = autograph.to_graph(module.f)
    code = rebuild.made_code(converted)
    uses = code is not None and rebuild.operators_of(code) is operators
    assert uses is (name != "locals, vars, dir, eval and exec")


def test_async_functions_and_generators_keep_their_kind():
    async def waits(x):
        return x or 1

    def gives(x):
        yield x or 1

    async def both(x):
        yield x or 1

    kinds = (inspect.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction)
    for fn, is_kind in zip((waits, gives, both), kinds, strict=True):
        assert is_kind(autograph.to_graph(fn))


def test_a_function_with_type_parameters_keeps_them():
    if sys.version_info >= (3, 12):
        fn = loaded("def f[T](x: T) -> T:\n    return x or 1\n", "<generic>").f
        converted = autograph.to_graph(fn)
        assert converted.__type_params__ == fn.__type_params__
        assert converted.__annotations__ == fn.__annotations__


def test_equal_functions_of_two_files_are_distinguished():
    text = "def f(x):\n    if x:\n        return 1 / 0\n"
    one, two = loaded(text, "<one>").f, loaded(text, "<two>").f
    assert one.__code__ == two.__code__ or sys.version_info >= (3, 12)
    names = [autograph.to_graph(fn).__code__.co_filename for fn in (one, two)]
    assert names == ["<one>", "<two>"]
