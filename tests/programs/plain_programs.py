"""Programs that use the language and the standard library on plain values; see
`plain_comprehensions.py`.

The file is long because it is a collection of programs.
"""
# ruff: noqa: B007, B023, C4, E731, F841, SIM118, F524

import abc
import bisect
import collections
import contextlib
import copy
import dataclasses
import datetime
import decimal
import enum
import fractions
import functools
import heapq
import io
import itertools
import json
import math
import operator
import pickle
import re
import string
import textwrap
import types
import typing

PROGRAMS = {}
CALLS = {"count": 0}


def plain(function):
    """Registers a program."""
    assert function.__name__ not in PROGRAMS, f"there are two programs {function.__name__}"
    PROGRAMS[function.__name__] = function
    return function


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0
    tags: list = dataclasses.field(default_factory=list)

    def __post_init__(self):
        if self.x < 0:
            raise ValueError("x is negative")

    def moved(self, by):
        return dataclasses.replace(self, x=self.x + by)


@dataclasses.dataclass(frozen=True, order=True)
class Version:
    major: int
    minor: int = 0


class Color(enum.Enum):
    RED = 1
    GREEN = 2

    @classmethod
    def named(cls, name):
        return cls[name] if name in cls.__members__ else None


class Access(enum.IntFlag):
    READ = 4
    WRITE = 2


class Meter:
    unit = "m"

    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return Meter(self.value + other.value) if isinstance(other, Meter) else NotImplemented

    __radd__ = __add__

    def __eq__(self, other):
        return isinstance(other, Meter) and self.value == other.value

    def __lt__(self, other):
        return self.value < other.value

    def __hash__(self):
        return hash(self.value)

    def __repr__(self):
        return f"{self.value}{self.unit}"

    def __getattr__(self, name):
        if name.startswith("in_"):
            return {"in_cm": self.value * 100}[name]
        raise AttributeError(name)

    @property
    def double(self):
        return self.value * 2 if self.value else None

    @double.setter
    def double(self, value):
        self.value = value / 2


class Registry(type):
    known: typing.ClassVar = []

    def __new__(mcs, name, bases, namespace):
        made = super().__new__(mcs, name, bases, namespace)
        mcs.known.append(name)
        return made

    def __contains__(cls, item):
        return item in cls.known

    def __len__(cls):
        return 3


class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner=None):
        return self if instance is None else getattr(instance, self.name, 0)

    def __set__(self, instance, value):
        if value <= 0:
            raise ValueError(f"{self.name} must be positive")
        setattr(instance, self.name, value)


class Shape(abc.ABC):
    side = Positive()

    @abc.abstractmethod
    def area(self): ...

    def describe(self):
        return f"{type(self).__name__} of {self.area()}" if self.area() else "empty"


class Square(Shape):
    def __init__(self, side=None):
        if side is not None:
            self.side = side

    def area(self):
        return self.side**2


@plain
def dataclass_programs():
    p = Point(1)
    q = p.moved(2)
    p.tags.append("a")
    try:
        Point(-1)
    except ValueError as error:
        failed = str(error)
    return p, q, p == Point(1, 0, ["a"]), dataclasses.asdict(p), dataclasses.astuple(q), failed


@plain
def frozen_dataclasses():
    versions = sorted([Version(1, 2), Version(0, 9), Version(1)])
    try:
        versions[0].major = 3
    except dataclasses.FrozenInstanceError as error:
        return versions, str(error), {Version(1): "one"}[Version(1, 0)], hash(Version(1)) != 0


@plain
def enums():
    both = Access.READ | Access.WRITE
    return (
        [c.name for c in Color],
        Color(2),
        Color.named("RED"),
        Color.named("BLUE"),
        both,
        Access.READ in both,
        Color.RED is Color(1),
        {Color.RED: 1}[Color.RED],
    )


@plain
def operators_of_classes():
    ms = [Meter(3), Meter(1), Meter(2)]
    return (
        sum(ms, Meter(0)),
        sorted(ms),
        max(ms),
        min(ms),
        Meter(3) in ms,
        ms.index(Meter(1)),
        {*ms},
    )


@plain
def attributes_of_classes():
    m = Meter(2)
    m.double = 10
    found = m.in_cm, m.double, hasattr(m, "nothing"), getattr(m, "other", "default"), vars(m)
    try:
        m.missing  # noqa: B018
    except AttributeError as error:
        return found, str(error)


@plain
def metaclasses():
    class Made(metaclass=Registry):
        pass

    return "Made" in Made, len(Made), bool(Made), not Made, type(Made).__name__, 5 in Made


@plain
def descriptors_and_abstract_classes():
    s = Square(3)
    found = [s.describe(), Square().describe(), Square.side is Shape.side]
    for attempt in (lambda: Shape(), lambda: Square(-1)):
        try:
            attempt()
        except (TypeError, ValueError) as error:
            found.append(str(error))
    return found


@plain
def named_tuples():
    Pair = collections.namedtuple("Pair", "left right", defaults=[0])
    p = Pair(1)
    match p:
        case Pair(left=1, right=r):
            found = r
    return repr(p), repr(p._replace(right=5)), p._asdict(), Pair._fields, found, [*p], p == (1, 0)


@plain
def collections_programs():
    counts = collections.Counter("abracadabra")
    groups = collections.defaultdict(list)
    for word in ["bee", "cat", "cow", "bug"]:
        groups[word[0]].append(word)
    recent = collections.deque(maxlen=2)
    for i in range(4):
        recent.appendleft(i)
    chain = collections.ChainMap({"a": 1}, {"a": 2, "b": 3})
    ordered = collections.OrderedDict(b=1, a=2)
    ordered.move_to_end("b")
    return counts.most_common(2), dict(groups), list(recent), chain["b"], dict(chain), list(ordered)


@plain
def itertools_programs():
    letters = itertools.cycle("ab")
    evens = itertools.filterfalse(lambda n: n % 2, itertools.count())
    return (
        [next(letters) for _ in range(3)],
        list(itertools.islice(evens, 3)),
        [(k, list(g)) for k, g in itertools.groupby(sorted("aabbc"))],
        list(itertools.accumulate([1, 2, 3], operator.mul)),
        list(itertools.product([0, 1], repeat=2)),
        list(itertools.combinations("abc", 2)),
        list(itertools.zip_longest([1], [2, 3], fillvalue=0)),
        list(itertools.takewhile(lambda n: n < 3, itertools.count())),
        list(itertools.starmap(pow, [(2, 3), (3, 2)])),
        [list(t) for t in itertools.tee([1, 2])],
        list(itertools.pairwise([1, 2, 3])),
    )


@plain
def functools_programs():
    calls = []

    @functools.lru_cache
    def square(n):
        calls.append(n)
        return n * n if n else 0

    @functools.singledispatch
    def shown(value):
        return "object"

    @shown.register
    def _(value: int):
        return "int" if value else "zero"

    @functools.wraps(square)
    def wrapped(n):
        return square(n)

    add = functools.partial(lambda a, b=0: (a, b) if a else None, 1)
    return (
        [square(n) for n in (2, 3, 2)],
        calls,
        [shown(v) for v in (1, 0, "x")],
        wrapped(2),
        wrapped.__name__,
        add(b=2),
        functools.reduce(lambda a, b: a * 10 + b, [1, 2, 3]),
        sorted([3, -1, 2], key=functools.cmp_to_key(lambda a, b: abs(a) - abs(b))),
        square.cache_info().hits,
    )


@plain
def generators():
    def running():
        total = 0
        while True:
            sent = yield total
            if sent is None:
                return "done"
            total += sent

    def delegating():
        result = yield from running()
        yield result

    g = delegating()
    found = [next(g), g.send(2), g.send(3), g.send(None)]
    h = running()
    next(h)
    try:
        h.throw(KeyError("thrown"))
    except KeyError as error:
        found.append(str(error))
    k = running()
    next(k)
    k.close()
    return found, list(k)


@plain
def generators_in_loops():
    def pairs(n):
        for i in range(n):
            for j in range(i):
                if (i + j) % 2:
                    yield i, j

    seen = []
    for i, j in pairs(5):
        if i == 4:
            break
        seen.append((i, j))
    else:
        seen.append("all")
    return seen, dict(pairs(4)), [*pairs(3)], max(pairs(4)), (3, 2) in pairs(5)


@plain
def context_managers():
    events = []

    @contextlib.contextmanager
    def noted(name):
        events.append("enter " + name)
        try:
            yield name.upper()
        except ValueError as error:
            events.append(f"caught {error}")
        finally:
            events.append("exit " + name)

    with noted("a") as a, noted("b") as b:
        events.append(a + b)
        if a:
            raise ValueError("inside")
    with contextlib.suppress(KeyError):
        {}["missing"]
    with contextlib.ExitStack() as stack:
        for name in "xy":
            stack.enter_context(noted(name))
        stack.callback(events.append, "callback")
    with contextlib.closing(io.StringIO("text")) as file:
        text = file.read()
    return events, text, file.closed


@plain
def exceptions():
    class Mine(Exception):
        def __init__(self, code):
            super().__init__(f"code {code}")
            self.code = code

    def fails(n):
        try:
            if n == 0:
                raise Mine(7)
            if n == 1:
                return 1 / 0
            return "fine"
        except ZeroDivisionError as error:
            raise Mine(8) from error
        else:
            return "else"
        finally:
            found.append(n)

    found = []
    for n in range(3):
        try:
            found.append(fails(n))
        except Mine as error:
            found.append((error.code, repr(error.__cause__)))
    try:
        raise ExceptionGroup("group", [ValueError(1), TypeError(2)])
    except* ValueError as group:
        found.append(repr(group.exceptions))
    except* TypeError as group:
        found.append(len(group.exceptions))
    return found


@plain
def finally_that_returns():
    def f(n):
        for i in range(n):
            try:
                if i == 1:
                    continue
                if i == 3:
                    break
                assert i != 2, "two"
            except AssertionError as error:
                seen.append(str(error))
            finally:
                seen.append(i)
        else:
            return "else"
        return "left"

    seen = []
    return f(2), f(5), seen


@plain
def texts():
    template = string.Template("$who likes ${what}")
    table = str.maketrans("abc", "xyz")
    return (
        template.substitute(who="tim", what="pie"),
        "aabbcc".translate(table),
        f"{3.14159:.2f}|{42:>6}|{'x':^5}|{255:#x}|{1e6:,.0f}|{True!r}|{None}",
        "%s %d %5.1f" % ("a", 3, 2.25),
        "{0} {name} {1[0]}".format(1, [2], name="n"),
        "-".join(str(i) for i in range(4) if i),
        textwrap.fill("a long line of words to wrap", 12),
        re.sub(r"(\d+)", lambda m: str(int(m[1]) * 2), "a1b22"),
        [m.group() for m in re.finditer(r"[a-z]+", "ab 1 cd") if m],
        "a,b;c".split(","),
        "Straße".casefold(),
        "abc"[::-1].upper().center(7, "*"),
    )


@plain
def numbers():
    return (
        divmod(-7, 3),
        -7 // 2,
        -7 % 3,
        round(2.5),
        round(2.675, 2),
        7 / 2,
        2**-1,
        pow(3, -1, 7),
        int("ff", 16),
        float("1e3"),
        complex(1, 2) * 1j,
        math.isclose(0.1 + 0.2, 0.3),
        math.comb(5, 2),
        fractions.Fraction(1, 3) + 1,
        decimal.Decimal("1.10") + 1,
        (5).bit_length(),
        (0.1).hex(),
        sum([0.1] * 10),
        min(3, 1, 2, key=lambda n: -n),
        abs(-3.5),
        True + True,
        math.inf > 10**100,
        10**20 % 97,
    )


@plain
def serialised():
    data = {"b": [1, 2.5, None, True], "a": {"x": "y"}}
    text = json.dumps(data, sort_keys=True, default=str)
    back = json.loads(text)
    twin = copy.deepcopy(data)
    twin["b"].append(3)
    point = Point(3, 4)
    return (
        text,
        back == data,
        data,
        twin,
        copy.copy(data) == data,
        point == copy.deepcopy(point),
        (pickle.loads(pickle.dumps(Version(2, 1)))),
    )


@plain
def algorithms():
    heap = []
    for n in [5, 1, 4]:
        heapq.heappush(heap, (n, str(n)))
    xs = [1, 3, 5]
    bisect.insort(xs, 4)
    graph = {"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}
    seen, queue = [], ["a"]
    while queue:
        node = queue.pop(0)
        if node in seen:
            continue
        seen.append(node)
        queue.extend(graph[node])
    sieve = [True] * 20
    for i in range(2, 20):
        if sieve[i]:
            sieve[i * i :: i] = [False] * len(sieve[i * i :: i])
    return [heapq.heappop(heap) for _ in range(3)], xs, seen, [i for i in range(2, 20) if sieve[i]]


@plain
def memoised_recursion():
    memo = {}

    def fib(n):
        if n in memo:
            return memo[n]
        memo[n] = n if n < 2 else fib(n - 1) + fib(n - 2)
        return memo[n]

    def flat(tree):
        for item in tree:
            if isinstance(item, list):
                yield from flat(item)
            else:
                yield item

    def permutations(xs):
        if not xs:
            return [[]]
        return [[x, *rest] for i, x in enumerate(xs) for rest in permutations(xs[:i] + xs[i + 1 :])]

    return fib(30), len(memo), list(flat([1, [2, [3, []], 4]])), permutations([1, 2, 3])


@plain
def dates():
    day = datetime.date(2024, 2, 28)
    days = [day + datetime.timedelta(days=i) for i in range(3)]
    return [d.isoformat() for d in days if d.month == 2], max(days) - min(days), f"{day:%d.%m.%Y}"


@plain
def closures():
    def counter():
        n = 0

        def step(by=1):
            nonlocal n
            if by:
                n += by
            return n

        return step

    a, b = counter(), counter()
    adders = [lambda x, k=k: x + k for k in range(3)]
    late = [lambda: k for k in range(3)]
    return (
        a(),
        a(2),
        b(),
        a(0),
        [f(1) for f in adders],
        [f() for f in late],
        a.__closure__ is not None,
    )


@plain
def globals_are_changed():
    global CALLS
    CALLS["count"] += 1
    saved = CALLS
    CALLS = {"count": 10}
    found = CALLS["count"]
    CALLS = saved
    CALLS["count"] -= 1
    return found, CALLS["count"]


@plain
def unpacking():
    first, *middle, last = "abcd"
    (a, b), c = [1, 2], 3
    merged = {**{"x": 1}, "y": 2, **dict(x=3)}

    def f(a, /, b=2, *args, c, d=4, **rest):
        return a, b, args, c, d, rest

    return (
        first,
        middle,
        last,
        a,
        b,
        c,
        merged,
        f(1, c=3),
        f(1, 5, 6, 7, c=8, e=9),
        f(*[1], **{"c": 2}),
    )


@plain
def pattern_matching():
    def kind(value):
        match value:
            case {"type": "point", "at": [x, y], **rest}:
                return "point", x, y, rest
            case [1, *others] | (2, *others):
                return "list", others
            case Point(x=0) | Point(y=0):
                return "axis"
            case str() as text if len(text) > 2:
                return "text", text
            case int(n) | float(n):
                return "number", n
            case None | True:
                return "constant"
        return "other"

    values = [{"type": "point", "at": [1, 2], "z": 3}, [1, 2, 3], (2,), Point(0, 1), Point(2, 0)]
    return [kind(v) for v in [*values, "abc", "a", 3, 2.5, None, True, object]]


@plain
def walrus_and_conditions():
    data = iter([3, 0, 5, None, 7])
    seen = []
    while (n := next(data)) is not None:
        if not n:
            continue
        seen.append(n if n > 3 else -n)
    return seen, n, 1 < 2 < 3, 1 < 3 < 2, not [], "" or "default", [] and 1, 0 if seen else 1


@plain
def sets_and_dicts():
    a, b = {1, 2, 3}, {3, 4}
    d = {"x": 1, "y": 2}
    d |= {"z": 3}
    d.setdefault("w", []).append(4)
    for key in list(d):
        if key == "x":
            del d[key]
    return (
        a & b,
        a | b,
        a - b,
        a ^ b,
        a <= {1, 2, 3, 4},
        d,
        d.pop("y"),
        d.get("q", 0),
        list(d.items()),
        ({v: k for k, v in {"p": 1}.items() if v}),
    )


@plain
def slices_of_lists():
    xs = list(range(10))
    xs[2:5] = "ab"
    del xs[::4]
    xs[-1:] = []
    ys = xs * 2
    ys.sort(key=str, reverse=True)
    ys.insert(1, "new")
    ys.remove(3) if 3 in ys else None
    return (
        xs,
        ys,
        xs.index(1),
        ys.count("a"),
        xs[-2:],
        xs[::-1],
        xs == list(xs),
        xs is xs,
        id(xs) == id(xs),
    )


@plain
def bytes_and_buffers():
    data = bytearray(b"hello")
    view = memoryview(data)
    view[0:1] = b"J"
    return (
        bytes(data),
        data.hex(),
        view.nbytes,
        b"a" + b"b",
        list(b"ab"),
        int.from_bytes(b"\x01\x00", "big"),
    )


@plain
def protocols():
    class Matrix:
        def __init__(self, rows):
            self.rows = rows

        def __getitem__(self, key):
            i, j = key
            return self.rows[i][j] if i < len(self.rows) else 0

        def __setitem__(self, key, value):
            i, j = key
            self.rows[i][j] = value

        def __len__(self):
            return len(self.rows)

        def __iter__(self):
            return iter(self.rows)

        def __call__(self, f):
            return Matrix([[f(v) for v in row] for row in self.rows])

        def __matmul__(self, other):
            return "product"

        def __bool__(self):
            return any(any(row) for row in self.rows)

        def __format__(self, spec):
            return f"<{spec or 'none'}>"

    m = Matrix([[1, 2], [3, 4]])
    m[0, 1] = 9
    return (
        m[0, 1],
        m[5, 0],
        len(m),
        [row for row in m if row],
        m(lambda v: -v).rows,
        m @ m,
        bool(Matrix([[0]])),
        f"{m} {m:wide}",
        [3, 4] in m,
        not m,
    )


@plain
def inheritance():
    class A:
        def who(self):
            return ["A"]

        @classmethod
        def make(cls):
            return cls()

        @staticmethod
        def twice(x):
            return x * 2 if x else 0

    class B(A):
        def who(self):
            return ["B", *super().who()]

    class C(A):
        def who(self):
            return ["C", *super().who()]

    class D(B, C):
        def who(self):
            return ["D", *super().who()] if self else []

    return (
        D.make().who(),
        [k.__name__ for k in D.__mro__],
        D.twice(4),
        isinstance(D(), C),
        D().who.__name__,
    )


@plain
def printing():
    print("a", 1, [2], sep="-", end="!\n")
    for i in range(3):
        if i:
            print(f"{i=}", end=" ")
    print()
    out = io.StringIO()
    print("to a file", file=out)
    return out.getvalue()


@plain
def modules_and_types():
    space = types.SimpleNamespace(a=1)
    space.b = space.a + 1
    return (
        space,
        type(space).__name__,
        callable(print),
        type(None),
        isinstance(3, int | str),
        types.MappingProxyType({"k": 1})["k"],
    )


@plain
def iterators_by_hand():
    class Countdown:
        def __init__(self, n):
            self.n = n

        def __iter__(self):
            return self

        def __next__(self):
            if self.n <= 0:
                raise StopIteration
            self.n -= 1
            return self.n

    it = iter([1, 2, 3])
    pairs = list(zip(it, it))
    tail = list(it)
    return (
        list(Countdown(3)),
        sum(Countdown(4)),
        pairs,
        tail,
        2 in Countdown(5),
        [*map(str, Countdown(2))],
        (
            next(iter([]), "none"),
            list(iter(iter([1, 2, 0, 3]).__next__, 0)),
        ),
    )


@plain
def errors_of_python():
    found = []
    attempts = [
        lambda: [][0],
        lambda: {}["k"],
        lambda: int("x"),
        lambda: None.attribute,
        lambda: 1 + "a",
        lambda: (1, 2)[5],
        lambda: len(5),
        lambda: math.sqrt(-1),
        lambda: next(iter(())),
        lambda: [1, 2].index(9),
        lambda: "abc".join([1]),
        lambda: {[]: 1},
        lambda: sorted([1, "a"]),
        lambda: max([]),
        lambda: (lambda a: a)(),
        lambda: [].pop(),
        lambda: dict([1]),
        lambda: range(1.5),
        lambda: bytes(-1),
        lambda: chr(-1),
        lambda: float("nope"),
        lambda: "{}".format(),
        lambda: "%d" % "x",
        lambda: iter(5),
        lambda: zip([1], [1, 2], strict=True).__next__() and list(zip([1], [1, 2], strict=True)),
    ]
    for attempt in attempts:
        try:
            found.append(attempt())
        except Exception as error:
            found.append((type(error).__name__, str(error)))
    return found


@plain
def simulated_bank():
    class Account:
        total = 0

        def __init__(self, owner, balance=0):
            self.owner, self.balance, self.log = owner, balance, []
            Account.total += 1

        def withdraw(self, amount):
            if amount > self.balance:
                self.log.append(("refused", amount))
                return False
            self.balance -= amount
            self.log.append(("withdrawn", amount))
            return True

    accounts = {name: Account(name, 10 * i) for i, name in enumerate(["ann", "bob", "cid"])}
    done = [accounts[name].withdraw(5) for name in accounts for _ in range(2)]
    return done, {n: (a.balance, a.log) for n, a in accounts.items()}, Account.total


@plain
def parser():
    tokens = re.findall(r"\d+|[-+*/()]", "2*(3+4)-10/5")

    def expression():
        value = term()
        while tokens and tokens[0] in "+-":
            value = value + term() if tokens.pop(0) == "+" else value - term()
        return value

    def term():
        value = factor()
        while tokens and tokens[0] in "*/":
            value = value * factor() if tokens.pop(0) == "*" else value / factor()
        return value

    def factor():
        token = tokens.pop(0)
        if token == "(":
            value = expression()
            tokens.pop(0)
            return value
        return int(token)

    return expression(), tokens


@plain
def while_loops_with_else():
    def search(xs, wanted):
        i = 0
        while i < len(xs):
            if xs[i] == wanted:
                break
            i += 1
        else:
            return "not found"
        return i

    return search([1, 2, 3], 3), search([], 1), search("abc", "z")
