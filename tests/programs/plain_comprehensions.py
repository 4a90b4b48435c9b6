"""Programs with comprehensions over plain values, which run alike while a graph is recorded.

    @plain
    def iterable_of_its_own_name(x=(1, 2)): ...

Each program is a function without required parameters.  `say` prints a value and returns it, so the
output shows the order of evaluation.  The file is long because it is a collection of programs.
"""
# ruff: noqa: B007, B023, C4, E731, F821, F841, PERF402, SIM118

import itertools
import string as other_names

PLAIN = {}

total = 7
k = "module"


def plain(function):
    """Registers a program."""
    assert function.__name__ not in PLAIN, f"there are two programs {function.__name__}"
    PLAIN[function.__name__] = function
    return function


def say(value):
    """Prints a value and returns it."""
    print("say", value)
    return value


def refuse(value, at=2):
    """Prints a value and returns it; raises for the value `at`."""
    print("refuse", value)
    if value == at:
        raise KeyError(value)
    return value


def stop(value, at=2):
    """Raises `StopIteration` for the value `at`."""
    if value == at:
        raise StopIteration(value)
    return value


class Loud:
    """An iterable that prints which methods are called."""

    def __init__(self, *items):
        self.items = items

    def __iter__(self):
        print("iter")
        for item in self.items:
            print("next", item)
            yield item
        print("end")


class Bare:
    """An iterable whose iterator cannot be iterated over."""

    def __iter__(self):
        return Countdown()


class Countdown:
    """An iterator without `__iter__`."""

    def __init__(self):
        self.left = 3

    def __next__(self):
        self.left -= 1
        if self.left < 0:
            raise StopIteration
        return self.left


class Truth:
    """An object that prints when its truth is tested."""

    def __init__(self, value):
        self.value = value

    def __bool__(self):
        print("bool", self.value)
        return bool(self.value)

    def __repr__(self):
        return f"Truth({self.value})"


class Key:
    """An object that prints when it is hashed and compared."""

    def __init__(self, value):
        self.value = value

    def __hash__(self):
        print("hash", self.value)
        return hash(self.value)

    def __eq__(self, other):
        print("eq", self.value, other.value)
        return self.value == other.value

    def __gt__(self, other):
        print("gt", self.value, other.value)
        return self.value > other.value

    def __lt__(self, other):
        print("lt", self.value, other.value)
        return self.value < other.value

    def __repr__(self):
        return f"Key({self.value})"


# -- names of the comprehension and names outside --------------------------------------------------


@plain
def iterable_of_its_own_name(x=(1, 2)):
    return [x for x in x]


@plain
def set_of_its_own_name(x=(1, 2)):
    return {x for x in x if x > 1}


@plain
def dict_of_its_own_name(x=(1, 2)):
    return {x: -x for x in x if x}


@plain
def generator_of_its_own_name(x=(1, 2)):
    return sum(x for x in x if x), max(x for x in x), list(x for x in x)


@plain
def variable_outside_survives():
    x = "outside"
    ys = [x for x in range(3) if x % 2 == 0]
    return x, ys


@plain
def variable_is_not_bound_outside():
    ys = [unheard for unheard in range(3) if unheard]
    return unheard


@plain
def variable_of_the_function_is_unbound_after():
    [w for w in range(3) if w]
    if total == 0:
        w = 1
    return w


@plain
def second_iterable_of_the_first_name():
    x = [[5, 6]]
    return [x for y in [1, 2] for x in x]


@plain
def second_iterable_reads_a_later_variable():
    return [y for x in [1] if x for z in range(y) for y in [x]]


@plain
def condition_reads_a_later_variable():
    return [y for x in [1, 2] if y for y in [x]]


@plain
def condition_reads_an_outer_variable_of_the_first_name():
    y = 1
    return [z for x in [1, 2] if x > y for z in [x, y]]


@plain
def first_iterable_is_unbound():
    ys = [x for x in xs if x]
    xs = [1]
    return ys


@plain
def first_iterable_of_a_sum_is_unbound():
    ys = sum(x for x in xs if x)
    xs = [1]
    return ys


@plain
def element_is_unbound():
    ys = [x + late for x in [1, 2] if x]
    late = 1
    return ys


@plain
def element_of_a_sum_is_unbound():
    ys = sum(x + late for x in [1, 2] if x)
    late = 1
    return ys


@plain
def condition_is_unbound():
    ys = {x for x in [1, 2] if late}
    late = 1
    return ys


@plain
def element_is_a_deleted_variable():
    late = 1
    del late
    return [x + late for x in [1, 2] if x]


@plain
def free_variable_is_unbound():
    def inner():
        return [x + late for x in [1, 2] if x]

    ys = inner()
    late = 1
    return ys


@plain
def first_iterable_is_an_unbound_free_variable():
    def inner():
        return [x for x in late if x]

    ys = inner()
    late = [1]
    return ys


@plain
def unknown_name():
    return [x + nowhere for x in [1, 2] if x]


@plain
def unknown_iterable():
    return [x for x in nowhere if x]


@plain
def own_name_of_an_unbound_variable():
    return [say(p) for p in p if p]


@plain
def hides_a_global():
    return [total for total in range(3) if total], total


@plain
def hides_a_parameter(n=3):
    return [n for n in range(n) if n != 1], n


@plain
def declared_global():
    global k
    ks = [k for k in range(3) if k]
    return ks, k


@plain
def declared_nonlocal():
    n = "outside"

    def inner():
        nonlocal n
        ns = [n for n in range(3) if n]
        return ns, n

    return inner(), n


@plain
def loop_variable_and_comprehension_variable():
    seen = []
    for i in range(3):
        seen.append([i for i in range(i) if i >= 0])
        seen.append(i)
    return seen


@plain
def unpacked_targets():
    return [(a, b, c) for a, (b, *c) in [(1, (2, 3)), (4, (5, 6, 7))] if a]


@plain
def too_few_to_unpack():
    return [a for a, b in [(1, 2), (3,)] if say(a)]


@plain
def attribute_as_target():
    class Box:
        pass

    return [Box.v for Box.v in range(3) if Box.v], Box.v


@plain
def item_as_target():
    cell = [0]
    return [cell[0] for cell[0] in range(4) if cell[0] % 2], cell


# -- closures ---------------------------------------------------------------------------------------


@plain
def closures_share_the_variable():
    fs = [lambda: x for x in range(3) if x >= 0]
    return [f() for f in fs]


@plain
def closures_of_a_sum():
    fs = list((lambda: x) for x in range(3) if x)
    return [f() for f in fs if f]


@plain
def closures_with_defaults():
    return [f() for f in [lambda x=x: x for x in range(3) if x != 1] if f]


@plain
def closure_beside_an_outer_variable():
    x = "outside"
    fs = [lambda: x for x in range(3) if x]
    return x, [f() for f in fs]


@plain
def closure_of_an_outer_variable():
    n = 1
    fs = [lambda: (x, n) for x in range(2) if n]
    n = 2
    return [f() for f in fs]


@plain
def closures_of_two_levels():
    fs = [[lambda: (x, y) for y in range(2) if y >= 0] for x in range(2) if x >= 0]
    return [[f() for f in row] for row in fs]


@plain
def closure_called_in_the_condition():
    return [x for x in range(4) if (lambda: x % 2)()]


@plain
def closure_as_iterable():
    return [y for x in range(3) if x for y in (lambda: [x, x * 10])()]


@plain
def generator_in_the_element():
    gs = [(x + y for y in range(2)) for x in range(3) if x]
    return [list(g) for g in gs]


@plain
def recursive_closure():
    def depth(tree):
        return 1 + max([depth(t) for t in tree if t is not None], default=0)

    return depth([[], [[], [[]]], None])


# -- the walrus -------------------------------------------------------------------------------------


@plain
def walrus_in_the_condition():
    return [y for x in range(4) if (y := x * 2) > 2], y


@plain
def walrus_in_the_element():
    return [last := x for x in range(3) if x >= 0], last


@plain
def walrus_of_no_iteration():
    xs = [last := x for x in range(0) if x]
    return last


@plain
def walrus_in_a_sum():
    s = sum((top := x) for x in range(4) if x)
    return s, top


@plain
def walrus_in_any():
    found = any((hit := x) > 2 for x in range(10) if x)
    return found, hit


@plain
def walrus_that_is_global():
    global k
    xs = [k := x for x in range(3) if x]
    return xs, k


@plain
def walrus_that_is_nonlocal():
    n = 0

    def inner():
        nonlocal n
        return [n := n + x for x in range(4) if x]

    return inner(), n


@plain
def walrus_in_a_nested_comprehension():
    xs = [[z := x * y for y in range(3) if y] for x in range(3) if x]
    return xs, z


@plain
def walrus_in_a_lambda():
    f = lambda n: [m := i for i in range(n) if i] + [m]
    return f(3)


@plain
def walrus_survives_an_exception():
    try:
        [refuse(seen := x) for x in range(5) if x >= 0]
    except KeyError as error:
        return seen, error


# -- nested comprehensions --------------------------------------------------------------------------


@plain
def nested_with_one_name():
    return [[x for x in range(x) if x] for x in range(4) if x]


@plain
def nested_in_the_iterable():
    return [x for x in [x + 1 for x in range(3) if x] if x]


@plain
def nested_in_the_condition():
    return [x for x in range(5) if x in [x * 2 for x in range(3) if x]]


@plain
def three_generators():
    return [(x, y, z) for x in range(3) if x for y in range(x) for z in range(y + 2) if z != 1]


@plain
def nested_lists_are_compared():
    a = [[i * j for j in range(3) if j] for i in range(3) if i]
    b = [[j * i for j in range(3) if j] for i in range(3) if i]
    return a == b, a != b, a is b, a in [b], [a].index(b), a < b, a <= b, [a].count(b)


@plain
def lists_are_keys_and_members():
    a = [[i for i in range(3)] for _ in range(2)]
    return a[0] == a[1], a[0] == [0, 1, 2], [0, 1, 2] == a[0], {0: a} == {0: a}, (a,) == (a,)


@plain
def lists_of_texts_are_compared():
    words = [w.upper() for w in ["a", "b"] if w]
    return words == ["A", "B"], sorted(words) == words, words + ["C"] == [*words, "C"]


@plain
def dict_of_sets():
    return {x: {y for y in range(x) if y % 2} for x in range(5) if x}


@plain
def list_in_a_generator():
    return sum(sum(y for y in range(x) if y) for x in range(6) if x % 2)


@plain
def transposed():
    rows = [[1, 2, 3], [4, 5, 6]]
    return [[row[i] for row in rows] for i in range(3)], [list(c) for c in zip(*rows)]


# -- order of evaluation ----------------------------------------------------------------------------


@plain
def order_of_parts():
    return [say(-x) for x in say([1, 2, 3]) if say(x) != 2]


@plain
def order_of_a_dict():
    return {say(x): say(x * 10) for x in range(3) if say(True)}


@plain
def order_of_two_iterables():
    return [(x, y) for x in Loud(1, 2) if x for y in Loud("a")]


@plain
def order_of_a_set():
    return len({Key(x % 2) for x in range(4) if x})


@plain
def order_of_a_dict_with_equal_keys():
    return list({Key(x % 2): say(x) for x in range(4) if x}.items())


@plain
def conditions_are_asked_once():
    return [x for x in range(3) if Truth(x) if Truth(x - 1)]


@plain
def iterator_without_iter():
    return [x for x in Bare() if x], sum(x for x in Bare() if x), {x for x in Bare()}


@plain
def not_iterable():
    return [x for x in 3 if x]


@plain
def not_iterable_in_a_sum():
    return sum(x for x in 3 if x)


@plain
def second_is_not_iterable():
    return [y for x in [[1], 2] if x for y in x]


@plain
def list_grows_while_it_is_read():
    xs = [1, 2]
    return [xs.append(x + 2) or x for x in xs if len(xs) < 6], xs


@plain
def dict_changes_while_it_is_read():
    d = {1: 1}
    return [d.update({x + 1: 0}) for x in d if x]


# -- consumers take elements one by one -------------------------------------------------------------


@plain
def sum_takes_one_by_one():
    return sum(refuse(x) for x in ["a", 1, 2] if say(x))


@plain
def sum_with_start():
    return sum((say(x) for x in range(3) if x), 10), sum(([x] for x in range(3) if x), start=[0])


@plain
def sum_of_texts():
    return sum((say(x) for x in "ab" if x), "")


@plain
def sum_of_floats():
    return sum(x for x in [1e16, 1.0, -1e16, 0.1] if x), sum(0.1 for _ in range(10) if True)


@plain
def max_takes_one_by_one():
    return max(refuse(x, 3) for x in [1, "a", 3] if say(x))


@plain
def max_compares():
    return max(Key(x) for x in [1, 3, 3, 2] if x), min(Key(x) for x in [2, 1, 1] if x)


@plain
def max_with_key():
    return max((say(x) for x in range(4) if x), key=lambda x: say(-x))


@plain
def max_of_nothing():
    return max(x for x in range(0) if x)


@plain
def min_of_nothing():
    return min(x for x in [1, 2] if x > 5)


@plain
def max_with_default():
    return max((x for x in [] if x), default="none"), min((x for x in [3] if x), default=0)


@plain
def set_takes_one_by_one():
    return set(refuse(x, 9) for x in [1, [], 9] if say(True))


@plain
def frozenset_takes_one_by_one():
    return frozenset(refuse(x, 9) for x in [1, {}, 9] if say(True))


@plain
def dict_takes_one_by_one():
    return dict(refuse(x, 9) for x in [(1, 2), (3,), 9] if say(x))


@plain
def dict_of_pairs():
    return dict((say(x), x * x) for x in range(4) if x), dict(((x, 1) for x in "ab"), c=2)


@plain
def any_stops():
    return any(say(x) > 1 for x in range(10) if x), any(Truth(x) for x in range(4) if say(True))


@plain
def all_stops():
    return all(say(x) < 2 for x in range(10) if True), all(Truth(x) for x in [1, 0, 1] if True)


@plain
def any_of_objects():
    return any(x for x in [0, "", [], "yes", refuse] if say(True)), any(x for x in () if x)


@plain
def tuple_and_sorted():
    return tuple(say(x) for x in range(3) if x), sorted((say(-x) for x in range(3) if x), key=abs)


@plain
def sorted_of_different_kinds():
    return sorted(refuse(x, 9) for x in [2, "a", 1] if True)


@plain
def joined():
    return "-".join(say(str(x)) for x in range(3) if x), ",".join(c for c in "abc")


@plain
def joined_numbers():
    return ",".join(refuse(x, 9) for x in ["a", 1, "b"] if True)


@plain
def extended():
    xs = [0]
    try:
        xs.extend(refuse(x) for x in range(5) if True)
    except KeyError:
        return xs


@plain
def unpacked_into_arguments():
    return print(*(say(x) for x in range(3) if x)), [*(say(x) for x in range(3) if x)]


@plain
def unpacked_into_names():
    a, b = (say(x) for x in range(5) if x)
    return a, b


@plain
def zipped():
    return list(zip((say(x) for x in range(3) if True), (say(-x) for x in range(2) if True)))


@plain
def searched():
    return 2 in (say(x) for x in range(9) if x), next(say(x) for x in range(9) if x > 3)


@plain
def list_is_partly_filled():
    xs = []
    try:
        xs = list(refuse(x) for x in range(5) if xs.append(x) is None)
    except KeyError as error:
        return xs, repr(error)


@plain
def consumers_that_are_rebound(sum=lambda g: [next(g), "rest"], any=list):
    return sum(say(x) for x in range(3) if x), any(x for x in [0, 1] if True)


@plain
def consumer_of_a_consumer():
    return sum(max(y for y in range(x) if y >= 0) for x in range(5) if x)


@plain
def generator_is_closed():
    def items():
        try:
            yield from [1, 2, 3]
        finally:
            print("closed")

    return any(x == 2 for x in items() if x), [x for x in items() if x]


# -- exceptions --------------------------------------------------------------------------------------


@plain
def stop_in_a_list():
    return [stop(x) for x in range(5) if True]


@plain
def stop_in_a_sum():
    return sum(stop(x) for x in range(5) if True)


@plain
def stop_in_any():
    return any(stop(x) > 9 for x in range(5) if True)


@plain
def stop_in_a_condition():
    return list(x for x in range(5) if stop(x) >= 0)


@plain
def stop_in_the_iterable():
    return sum(x for y in [1, 2] if True for x in [stop(y)])


@plain
def stop_in_the_first_iterable():
    return sum(x for x in [stop(2)] if True)


@plain
def error_of_a_sum_has_its_cause():
    try:
        return max(stop(x) for x in range(5) if True)
    except RuntimeError as error:
        return repr(error), repr(error.__cause__), repr(error.__context__)


@plain
def error_in_the_middle():
    return {x: refuse(x) for x in range(5) if True}


@plain
def unhashable_element():
    return {x for x in [1, [], say(3)] if say(True)}


@plain
def unhashable_key():
    return {x: say(x) for x in [1, [], 3] if True}


@plain
def error_in_a_condition():
    try:
        return [x for x in [1, 0, 2] if say(1 / x)]
    except ZeroDivisionError as error:
        return repr(error)


@plain
def caught_outside():
    done = []
    try:
        [done.append(refuse(x)) for x in range(9) if True]
    except KeyError:
        done.append("caught")
    return done


# -- classes and lambdas -----------------------------------------------------------------------------


@plain
def class_body():
    n = "outside"

    class C:
        n = 2
        xs = [x for x in range(n) if x >= 0]
        ys = [(x, n) for x in range(2) if x >= 0]

    return C.xs, C.ys


@plain
def class_body_in_a_branch():
    if total:

        class C:
            m = [1, 2]
            xs = {x: y for x in m if x for y in [x]}
            f = staticmethod(lambda: [x for x in range(3) if x])

        return C.xs, C.f(), C.__qualname__


@plain
def super_in_a_comprehension():
    class Base:
        def f(self, x):
            return x * 2

    class Derived(Base):
        def f(self, x):
            return x

        def all(self):
            return [super().f(x) for x in range(3)]

        def some(self):
            return [super().f(x) for x in range(3) if x]

        def first(self):
            return [x for x in [super().f(5)] if x]

        def counted(self):
            return sum(super(Derived, self).f(x) for x in range(3) if x)

    made = Derived()
    found = [made.first(), made.counted()]
    for method in (made.all, made.some):
        try:
            found.append(method())
        except (TypeError, RuntimeError) as error:
            found.append(repr(error))
    return found


@plain
def super_in_a_generator():
    class Base:
        def f(self, x):
            return x * 2

    class Derived(Base):
        def total(self):
            return sum(super().f(x) for x in range(3) if x)

    return Derived().total()


@plain
def class_of_the_method():
    class C:
        def f(self):
            return [__class__ is C for _ in range(2) if self]

    return C().f()


@plain
def private_names():
    class C:
        __n = 2

        def f(self):
            return [x * self.__n for x in range(3) if x != self.__n], sum(
                self.__n for _ in range(2) if self.__n
            )

    return C().f()


@plain
def lambda_with_a_comprehension():
    f = lambda x: [x for x in range(x) if x]
    g = lambda *xs, **ys: {y: [x for x in xs if x] for y in ys if y}
    return f(3), g(0, 1, a=2)


@plain
def default_is_a_comprehension():
    def f(xs=[x for x in range(3) if x], *, y=sum(x for x in range(3) if x)):
        return xs, y

    return f()


@plain
def in_a_branch_and_a_loop():
    found = []
    for n in range(3):
        if n:
            found += [n for n in range(n) if n >= 0]
        while len(found) < 2:
            found.append(sum(n + m for m in range(3) if m != n))
    return found, n


@plain
def in_a_loop_with_closures():
    fs = []
    for n in range(3):
        fs += [lambda: (n, m) for m in range(2) if m <= n]
    return [f() for f in fs]


@plain
def parameter_of_the_librarys_names(itr=(1, 2), ag__=3, result=4, collect=5):
    return (
        [itr for itr in itr if ag__],
        [result for x in itr if collect],
        sum(itr for _ in range(2) if result),
    )


@plain
def in_an_fstring_and_a_subscript():
    d = {(1, 2): "found"}
    return f"{[x for x in range(3) if x]!r:>10}", d[tuple(x for x in range(3) if x)]


@plain
def in_an_assert_and_a_return():
    assert [x for x in range(3) if x], [say(x) for x in range(3) if x]
    assert not all(x for x in range(3) if True)
    return {**{x: x for x in range(3) if x}, **dict((x, 0) for x in range(2) if x)}


@plain
def decorated_by_a_comprehension():
    @[f for f in [print, lambda g: g] if f is not print][0]
    def g():
        return "g"

    return g()


@plain
def sliced_and_changed():
    xs = [x * x for x in range(10) if x % 2]
    xs[1:3] = [0 for _ in range(3) if True]
    del xs[0]
    xs.sort(key=lambda x: -x)
    return (
        xs,
        xs[::-1],
        xs * 2,
        [1] + xs,
        len(xs),
        list(reversed(xs)),
        xs.copy(),
        type(xs),
        repr(xs),
    )


@plain
def results_are_lists():
    xs = [x for x in range(3) if x]
    return type(xs) is list, isinstance(xs, list), xs.__class__, f"{xs}", str(xs), {**{"a": xs}}


@plain
def names_of_a_module():
    return [c for c in other_names.ascii_lowercase if c in "aeiou"], sum(
        ord(c) for c in other_names.digits if c > "5"
    )


@plain
def combined_iterators():
    return (
        [(i, x) for i, x in enumerate("abc", 1) if i != 2],
        [a + b for a, b in zip([1, 2], [3, 4], strict=True) if a],
        [x for x in map(say, [1, 2]) if x],
        [x for x in filter(None, [0, 1, 2]) if x],
        [x for x in itertools.chain([1], (2,)) if x],
        [x for x in reversed([1, 2, 3]) if x],
        [list(g) for _, g in itertools.groupby([1, 1, 2]) if _],
    )


@plain
def loop_over_an_iterator_without_iter():
    seen = []
    for x in Bare():
        seen.append(x)
    for x in Bare():
        if x == 1:
            break
    else:
        seen.append("end")
    return seen, x
