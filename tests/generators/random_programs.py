"""Random Python functions that terminate and log their evaluation.

    source = Writer(random.Random(seed)).module()
    outcome = run(source, convert=autograph.to_graph)

Every program defines `f(x, log)`.  Its behaviour is observable in its result or exception, its
output, `log` (evaluations, enter and exit of contexts, finalisers), a global, and the object that
it is called with.  Loops burn fuel, so that every program ends.  The writer takes its decisions
from anything with the methods of `random.Random`, so Hypothesis can shrink them.

The file is long because a grammar is one class: a method for each kind of statement.
"""

import re

from grammar import ProgramGrammar, weighted

PRELUDE = '''\
import contextlib
import sys

COUNT = 0
FUEL = 0


class Oops(Exception):
    pass


class OutOfFuel(BaseException):
    pass


class Box:
    def __init__(self):
        self.a = 0
        self.d = {}
        self.l = [1, 2, 3]

    def bump(self, by):
        self.a += by
        return self.a

    def __repr__(self):
        return "a box"


class Tell:
    """Tells when it goes away."""

    def __init__(self, name, log):
        self.name, self.log = name, log

    def __repr__(self):
        return f"tell {self.name}"

    def __del__(self):
        self.log.append(("gone", self.name))


def burn():
    global FUEL
    FUEL += 1
    if FUEL > 60:
        raise OutOfFuel
    return True


def see(log, value):
    log.append(value)
    return value


def check(x):
    if x % 5 == 3:
        raise Oops(x)
    if x % 11 == 7:
        raise ValueError(f"bad {x}")
    return x + 1


def first_even(xs):
    for x in xs:
        if x % 2 == 0:
            return x
    else:
        return None


@contextlib.contextmanager
def scope(log, name, swallow=False):
    log.append(("enter", name))
    try:
        yield len(log)
    except Oops:
        log.append(("caught", name))
        if not swallow:
            raise
    finally:
        log.append(("exit", name))


class Fails:
    """A context whose exit may raise."""

    def __init__(self, log, when):
        self.log, self.when = log, when

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.log.append(("leave", exception[0] is None))
        if self.when:
            raise Oops("exit")


class Waits:
    """A context that is entered and left asynchronously."""

    def __init__(self, context):
        self.context = context

    async def __aenter__(self):
        return self.context.__enter__()

    async def __aexit__(self, *exception):
        return self.context.__exit__(*exception)


async def soon(value):
    return value


def numbers(n, log):
    try:
        for i in range(n):
            yield i
    finally:
        log.append("closed")


def mark(fn):
    fn.marked = True
    return fn


def told(log):
    def decorate(fn):
        log.append(("decorated", fn.__name__))
        return fn

    return decorate


def callers():
    return sys._getframe(1).f_code.co_name + sys._getframe(2).f_code.co_name
'''

# Other names of variables: names that generated code uses, and those of builtins.
HARD_NAMES = ("vars_", "ag__", "get_state", "itr", "stop", "result", "tuple", "dict", "operand")


class Writer(ProgramGrammar):
    """Writes one random program."""

    PRELUDE = PRELUDE
    SIMPLE = weighted(assign=6, effect=5, jump=2, delete=1, guard=2)
    COMPOUND = weighted(
        branch=6, loop_while=3, loop_for=4, attempt=3, context=2, match=1, closure=3
    )
    MOST_IN_ELIF = 2

    def __init__(self, rng, kind="function", depth=4):
        super().__init__(rng, depth)
        self.kind = kind  # function, generator, async
        self.in_class = False

    # -- text --------------------------------------------------------------------------------------

    def module(self):
        """The source of a whole module, which defines `f`."""
        header = "async def f(x, log, box):" if self.kind == "async" else "def f(x, log, box):"
        self.emit(0, header)
        if self.chance(0.3):
            self.emit(1, "'''What it does.'''")
        if self.chance(0.3):
            self.emit(1, "global COUNT")
            self.has_global = True
        else:
            self.has_global = False
        self.emit(1, "y = yield x" if self.kind == "generator" else "y = 1")
        self.emit(1, "later = []")
        if self.chance(0.8):
            self.emit(1, "z, w = 2, 3")
        self.block(1, 0, most=5)
        if self.chance(0.5):
            self.emit(1, "log.append([h() for h in later])")
        if self.chance(0.7):
            self.emit(1, f"return {self.expression()}")
        if self.chance(0.15):
            name, hard = re.compile(rf"\b{self.pick('y', 'z', 'w')}\b"), self.pick(*HARD_NAMES)
            self.lines = [name.sub(hard, line) for line in self.lines]
        return self.source()

    def callers(self):
        return self.pick("sys._getframe().f_code.co_name", "callers()", "(x and callers())")

    # -- expressions -------------------------------------------------------------------------------

    def name(self):
        return self.pick("x", "x", "y", "y", "z", "w")

    def expression(self, depth=0):
        if depth > 2 or self.chance(0.35):
            return self.pick(str(self.number()), self.name(), self.name(), "box.a")
        a = lambda: self.expression(depth + 1)  # noqa: E731
        kind = self.rng.randint(0, 15)
        match kind:
            case 0 | 1:
                return f"({a()} {self.pick('+', '-', '*')} {a()}) % 23"
            case 2:
                return f"({a()} if {self.test(depth + 1)} else {a()})"
            case 3:
                return f"see(log, {a()})"
            case 4:
                return f"({a()} and {a()})"
            case 5:
                return f"({a()} or {a()})"
            case 6:
                return f"check({a()})"
            case 7:
                return f"len([v for v in range({a()} % 4) if {self.test(depth + 1)}])"
            case 8:
                return f"sum(v * {a()} for v in range({self.number()} % 4))"
            case 9:
                return f"(lambda v, k={a()}: v + k if v > k else k)({a()})"
            case 10:
                return f"box.l[{a()} % 3]"
            case 11:
                return f"box.bump({a()})"
            case 12 if not self.in_class:
                return f"({self.pick('y', 'z')} := {a()})"
            case 13:
                return f"max({a()}, {a()})"
            case 14:
                return f"(first_even([{a()}, {a()}]) or 0)"
            case _:
                return f"int(f'{{{self.name()}}}{self.number()}') % 17"

    def test(self, depth=0):
        a = lambda: self.expression(depth + 1)  # noqa: E731
        match self.rng.randint(0, 9):
            case 0 | 1 | 2:
                return f"{a()} {self.pick('<', '>', '==', '!=', '<=')} {a()}"
            case 3:
                return f"see(log, {a()}) < see(log, {a()}) <= see(log, {a()})"
            case 4:
                return f"not {a()} > {self.number()}"
            case 5:
                return f"{a()} in ({self.number()}, {self.number()}, {a()})"
            case 6:
                return f"{self.name()} is {self.pick('', 'not ')}None"
            case 7 if depth < 2:
                return f"({self.test(depth + 1)} {self.pick('and', 'or')} {self.test(depth + 1)})"
            case 8 if not self.in_class:
                return f"(z := {a()}) > {self.number()}"
            case _:
                return f"{a()} % 2"

    # -- statements --------------------------------------------------------------------------------

    def assign(self, indent, depth):
        target = self.pick("y", "z", "w", "x")
        match self.rng.randint(0, 11):
            case 0:
                self.emit(indent, f"{target} {self.pick('+', '-', '*')}= {self.expression()}")
            case 1:
                self.emit(indent, f"y, z = {self.expression()}, {self.expression()}")
            case 2:
                self.emit(indent, f"box.a = {self.expression()}")
            case 3:
                self.emit(
                    indent,
                    f"box.d[{self.pick(repr('k'), self.expression())}] = {self.expression()}",
                )
            case 4:
                self.emit(indent, f"box.l[{self.expression()} % 3] += {self.number()}")
            case 5:
                self.emit(indent, f"*y, z = [{self.expression()}, {self.expression()}]")
                self.emit(indent, "y = len(y)")
            case 6:
                self.emit(indent, f"{target}: int = {self.expression()}")
            case 7:
                self.emit(indent, f"y = z = {self.expression()}")
            case 8:
                self.emit(indent, f"box.l[0:1] = [{self.expression()}]")
            case 9 if not self.in_class:
                self.emit(indent, f"{target} += ({target} := {self.expression()})")
            case _:
                self.emit(indent, f"{target} = {self.expression()}")

    def effect(self, indent, depth):
        match self.rng.randint(0, 11):
            case 9:
                self.emit(indent, self.pick("y: nowhere", "z: int", "w: log.append('annotated')"))
            case 10:
                self.emit(indent, f"log.append({self.callers()})")
            case 11:
                self.emit(indent, f"log.append(r'a\\\nb' + 'c\\\nd' + str({self.name()}))")
            case 0:
                self.emit(indent, f"print({self.expression()}, {self.name()})")
            case 1:
                self.emit(indent, f"log.append(({self.number()}, {self.name()}))")
            case 2 if self.has_global:
                self.emit(indent, f"COUNT += {self.number()}")
            case 3:
                message = f"f'wrong {{{self.name()}}}'"
                message = self.pick(message, f"see(log, {message})")
                self.emit(indent, f"assert {self.test()}, {message}")
            case 4:
                self.emit(indent, f"see(log, {self.expression()})")
            case 5:
                self.emit(indent, f"box.l.append({self.expression()})")
            case 6:
                self.emit(indent, f"w = Tell({self.number()}, log)")
                if self.chance(0.5):
                    self.emit(indent, f"w = {self.number()}")
            case 7 if self.kind == "generator":
                self.emit(
                    indent, self.pick(f"yield {self.expression()}", f"y = yield {self.name()}")
                )
            case 7 if self.kind == "async":
                self.emit(indent, f"y = await soon({self.expression()})")
            case _:
                self.emit(indent, f"log.append({self.expression()})")

    def jump(self, indent, depth):
        choices = [f"return {self.expression()}", "return", f"raise Oops({self.expression()})"]
        if self.loops:
            choices += ["break", "continue"] * 3
        self.emit(indent, self.rng.choice(choices))

    def delete(self, indent, depth):
        self.emit(indent, self.pick("del z", "del y", "del w", "pass", "box.d.pop('k', None)"))

    def elifs(self):
        while self.chance(0.3):
            yield

    def guard(self, indent, depth):
        self.emit(indent, f"if {self.test()}:")
        self.jump(indent + 1, depth)

    def loop_while(self, indent, depth):
        test = self.pick("burn()", f"burn() and {self.test()}", f"{self.test()} and burn()")
        self.emit(indent, f"while {test}:")
        self.loop_body(indent, depth)

    def loop_for(self, indent, depth):
        target, iterable = self.pick(
            ("y", f"range({self.expression()} % 4)"),
            ("i", "[3, 1, 4, 1, 5]"),
            ("i, y", "enumerate([2, 7, 1])"),
            ("y", f"numbers({self.number()} % 5, log)"),
            ("(y, z)", "zip(box.l, [4, 5, 6])"),
            ("box.a", "range(3)"),
            ("box.l[1]", "range(2)"),
            ("z", "list(box.d)"),
            ("w", "[Tell(i, log) for i in range(3)]"),
        )
        self.emit(indent, f"for {target} in {iterable}:")
        self.loop_body(indent, depth)

    def loop_body(self, indent, depth):
        self.loops += 1
        if self.chance(0.25):
            self.emit(indent + 1, self.pick("y = None", "z = y", "del y", "w = 0"))
        self.block(indent + 1, depth + 1)
        self.loops -= 1
        if self.chance(0.3):
            self.emit(indent, "else:")
            self.block(indent + 1, depth + 1, 2)

    def attempt(self, indent, depth):
        self.emit(indent, "try:")
        self.block(indent + 1, depth + 1, 2)
        caught, raised = self.pick(
            ("Oops", "Oops"), ("(Oops, ValueError)", "ValueError"), ("TypeError", "TypeError")
        )
        if self.chance(0.4):
            self.emit(indent + 1, f"raise {self.pick(raised, raised, 'KeyError')}(y)")
        elif self.chance(0.5):
            self.jump(indent + 1, depth)
        finally_only = self.chance(0.25)
        if not finally_only:
            star = self.chance(0.2)
            kind = "except*" if star else "except"
            loops, self.loops = self.loops, 0 if star else self.loops
            self.emit(indent, f"{kind} {caught} as e:")
            self.emit(indent + 1, "log.append(type(e).__name__)")
            if star:
                self.emit(indent + 1, f"y = {self.number()}")
            else:
                self.emit(indent + 1, "log.append(type(e.__cause__).__name__)")
                self.block(indent + 1, depth + 1, 2)
                if self.chance(0.45):
                    self.emit(
                        indent + 1, self.pick("raise", *["raise ValueError('new') from e"] * 2)
                    )
            self.loops = loops
            if self.chance(0.35):
                self.emit(indent, "else:")
                self.emit(indent + 1, "log.append('else')")
                self.block(indent + 1, depth + 1, 2)
        if finally_only or self.chance(0.3):
            self.emit(indent, "finally:")
            self.block(indent + 1, depth + 1, 2)
            if self.chance(0.2):
                self.emit(indent + 1, f"check({self.expression()})")
        if self.chance(0.5):
            self.emit(indent, "try:")
            self.emit(indent + 1, "log.append(repr(e))")
            self.emit(indent, "except NameError as gone:")
            self.emit(indent + 1, "log.append(str(gone))")

    def context(self, indent, depth):
        first = f"scope(log, {self.number()}, {self.pick('True', 'False')})"
        items = self.pick(
            f"{first} as z",
            first,
            f"{first}, scope(log, 'b')",
            f"{first} as y, Fails(log, {self.test()})",
            f"Fails(log, {self.test()})",
            "contextlib.suppress(Oops, ValueError)",
        )
        word = "with"
        if self.kind == "async" and self.chance(0.5):
            word = "async with"
            items = self.pick(
                f"Waits({first}) as z",
                f"Waits({first}), Waits(scope(log, 'b'))",
                f"Waits(Fails(log, {self.test()}))",
                "Waits(contextlib.suppress(Oops, ValueError))",
            )
        self.emit(indent, f"{word} {items}:")
        self.block(indent + 1, depth + 1)
        if self.chance(0.2):
            self.emit(indent + 1, f"return see(log, {self.expression()})")

    def match(self, indent, depth):
        self.emit(
            indent, f"match {self.pick(self.expression(), f'({self.expression()}, y)', 'box')}:"
        )
        patterns = [
            str(self.number()),
            f"{self.number()} | {self.number()}",
            "int(z) if z > 4",
            "(a, 1)",
            "[y, *z]",
            "Box(a=y)",
            "{'k': z}",
            f"y if {self.test()}",
        ]
        for _ in range(self.rng.randint(1, 3)):
            self.emit(indent + 1, f"case {self.rng.choice(patterns)}:")
            self.block(indent + 2, depth + 1, 2)
        if self.chance(0.5):
            self.emit(indent + 1, "case _:")
            self.block(indent + 2, depth + 1, 2)

    def closure(self, indent, depth):
        g, kind = self.fresh("g"), self.rng.randint(0, 10)
        made = self.expression_that_closes if kind in (0, 1, 5, 6, 7, 8) else self.definition
        made(indent, g, kind)

    def expression_that_closes(self, indent, g, kind):
        """A lambda or generator expression, which reads variables of the function."""
        match kind:
            case 7:
                made = self.pick("lambda: (x, y)", "lambda: z", "(v + y for v in box.l).__next__")
                self.emit(indent, f"later.append({made})")
            case 8:
                self.emit(indent, "log.append([h() for h in later])")
            case 0:
                self.emit(indent, f"{g} = [lambda: y for _ in range(2)]")
                self.emit(indent, f"y = {self.expression()}")
                self.emit(indent, f"log.append([h() for h in {g}])")
            case 1:
                self.emit(indent, f"{g} = (v + y for v in range(2))")
                self.emit(indent, f"y = {self.expression()}")
                self.emit(indent, f"log.append(list({g}))")
            case 5:
                self.emit(indent, f"{g} = [lambda v=v: v + {self.name()} for v in range(3)]")
                self.emit(indent, f"log.append({g}[{self.number()} % 3]())")
            case 6:
                self.emit(
                    indent, f"log.append([(lambda: w)() for w in range({self.number()} % 3)])"
                )

    def definition(self, indent, g, kind):
        """A function, generator or class inside the function."""
        match kind:
            case 9:
                self.emit(indent, f"def {g}(n):")
                self.emit(indent + 1, "for i in range(n):")
                self.emit(indent + 2, f"if i == {self.number()} or {self.test(2)}:")
                self.emit(indent + 3, self.pick("return", "continue", "yield i, n"))
                self.emit(indent + 2, "yield i")
                self.emit(indent, f"log.append(list({g}({self.number()} % 5)))")
            case 10:
                self.emit(indent, f"@(lambda fn, k={self.expression()}: mark(fn) if k else fn)")
                self.emit(indent, f"def {g}(v):")
                if self.chance(0.5):
                    self.emit(indent + 1, f"if v > {self.number()}:")
                    self.emit(indent + 2, "v, other = 1, v")
                    self.emit(indent + 1, "return sorted(locals())")
                else:
                    self.emit(indent + 1, f"return v if v > {self.number()} else None")
                self.emit(indent, f"log.append(({g}({self.expression()}), vars({g})))")
            case 2:
                self.emit(indent, f"def {g}(v):")
                self.emit(indent + 1, "nonlocal y")
                self.emit(indent + 1, f"y = v if v > {self.number()} else {self.number()}")
                self.emit(indent + 1, "return y")
                self.emit(indent, f"log.append({g}({self.expression()}))")
            case 3:
                self.emit(indent, "@mark")
                self.emit(indent, "@told(log)")
                self.emit(indent, f"def {g}(v, k={self.expression()}):")
                self.emit(indent + 1, f"if v > {self.number()}:")
                self.emit(indent + 2, "return k + y")
                self.emit(indent + 1, "return v")
                self.emit(
                    indent, f"log.append(({g}({self.expression()}), {g}.marked, {g}.__name__))"
                )
            case 4:
                self.emit(indent, f"class {g.upper()}(Box):")
                self.emit(indent + 1, f"k = {self.expression_in_class()}")
                self.emit(indent + 1, "def bump(self, by):")
                self.emit(indent + 2, "if by > 3:")
                self.emit(indent + 3, "return super().bump(by)")
                self.emit(indent + 2, "return self.k")
                self.emit(
                    indent,
                    f"log.append(({g.upper()}().bump({self.number()}), {g.upper()}.__qualname__))",
                )

    def expression_in_class(self):
        outer, self.in_class = self.in_class, True
        text = self.expression()
        self.in_class = outer
        return text
