"""Guards run no user code: the special methods of objects in all positions raise."""

import enum

import numpy as np
import pytest

import runtime as rt

CALLED = []

SPECIAL = """
    abs add and bool call class_getitem complex contains delattr delete delitem dir divmod enter eq
    exit float floordiv format ge getattr getitem getstate gt hash iadd index instancecheck int
    invert iter le len length_hint lt matmul missing mod mul ne neg next or pos pow radd reduce
    reduce_ex repr reversed rmul round setattr setitem sizeof str sub subclasscheck
    truediv xor array array_ufunc array_function array_interface array_struct array_priority
"""


def refused(name):
    def method(self, *args, **kwargs):
        CALLED.append(name)
        raise RuntimeError(f"{name} was called")

    return method


HARMLESS = ("class_getitem", "array_interface", "array_struct", "array_priority")
METHODS = {f"__{name}__": refused(name) for name in SPECIAL.split() if name not in HARMLESS} | {
    f"__{name}__": property(refused(name)) for name in ("array_interface", "array_struct")
}


class Meta(type):
    __repr__ = __str__ = refused("of the metaclass")


class Hostile(metaclass=Meta):
    locals().update(METHODS)
    rate = property(refused("rate"))

    def __init__(self, k=2.0):
        vars(self)["k"] = k

    def __call__(self, x):
        return x * self.k


class HostileSlots:
    __slots__ = ("k",)
    locals().update({n: m for n, m in METHODS.items() if n not in ("__call__", "__setattr__")})

    def __init__(self, k=2.0):
        self.k = k

    def __call__(self, x):
        return x * self.k


class HostileKey:
    __repr__ = __str__ = refused("of a key")

    def __hash__(self):
        CALLED.append("hash of a key")
        return 5

    def __eq__(self, other):
        CALLED.append("eq of a key")
        return self is other


class HostileEnum(enum.Enum):
    A = 1
    B = 2
    __repr__ = __str__ = refused("of an enumeration")


class HostileList(list):
    locals().update({n: m for n, m in METHODS.items() if n not in ("__setattr__", "__getattr__")})


class HostileDict(dict):
    locals().update({n: m for n, m in METHODS.items() if n not in ("__setattr__", "__getattr__")})
    keys = values = items = get = refused("of a dict")


@pytest.fixture(params=[Hostile, HostileSlots], ids=lambda kind: kind.__name__)
def hostile(request):
    CALLED.clear()
    return request.param


held, other = None, object()


def as_an_argument(one, another):
    def f(x, o):
        return x * o.k

    yield lambda run, x: run(x, one), f
    yield lambda run, x: run(x, another), f
    yield lambda run, x: run(x, one), f


def in_arguments(one, another):
    def f(x, os, by):
        return x * os[0].k * by["k"][1].k

    yield lambda run, x: run(x, [one], {"k": (1, another)}), f
    yield lambda run, x: run(x, [another], {"k": (1, one)}), f
    yield lambda run, x: run(x, [one], {"k": (1, another)}), f


def as_a_global(one, another):
    def f(x):
        return x * held.k

    def with_(value):
        global held
        held = value

    yield lambda run, x: (with_(one), run(x))[1], f
    yield lambda run, x: (with_(another), run(x))[1], f
    yield lambda run, x: (with_(one), run(x))[1], f


def as_a_free_variable(one, another):
    inside = one

    def f(x):
        return x * inside.k

    def with_(value):
        nonlocal inside
        inside = value

    yield lambda run, x: run(x), f
    yield lambda run, x: (with_(another), run(x))[1], f
    yield lambda run, x: (with_(5.0), run(x))[1], lambda x: x * 5.0 / inside


class Box:
    pass


def in_attributes(one, another):
    box = Box()

    def f(x):
        return x * box.o.k

    def with_(value):
        box.o = value

    yield lambda run, x: (with_(one), run(x))[1], f
    yield lambda run, x: (with_(another), run(x))[1], f


def in_class_attributes(one, another):
    def f(x):
        return x * Box.o.k

    def with_(value):
        Box.o = value

    yield lambda run, x: (with_(one), run(x))[1], f
    yield lambda run, x: (with_(another), run(x))[1], f
    yield lambda run, x: (setattr(Box, "o", None), 3.0)[1], f


def in_containers(one, another):
    listed, named, both = [one, 3], {"a": one, "b": 2.0}, (another, [one])

    def f(x):
        return x * listed[0].k * named["a"].k * both[1][0].k

    def swap():
        listed[0], named["a"] = another, another
        both[1][0] = another

    yield lambda run, x: run(x), f
    yield lambda run, x: (swap(), run(x))[1], f
    yield lambda run, x: (named.update(b=one), run(x))[1], f


def as_defaults(one, another):
    def f(x, o=one, *, p=another):
        return x * o.k * p.k

    yield lambda run, x: run(x), f
    yield lambda run, x: run(x, another, p=one), f
    yield lambda run, x: run(x), f


def with_other_attributes(one, another):
    def f(x):
        return x * one.k

    write = type(one).k.__set__ if "k" in vars(type(one)) else None

    def with_(value):
        write(one, value) if write is not None else vars(one).update(k=value)

    yield lambda run, x: run(x), f
    yield lambda run, x: (with_(7.0), run(x))[1], f
    yield lambda run, x: (with_(another), 1.0)[1], f


POSITIONS = [
    as_an_argument,
    in_arguments,
    as_a_global,
    as_a_free_variable,
    in_attributes,
    in_class_attributes,
    in_containers,
    as_defaults,
    with_other_attributes,
]


@pytest.mark.parametrize("position", POSITIONS, ids=lambda f: f.__name__)
def test_no_code_of_a_hostile_object_runs(hostile, position):
    steps = list(position(hostile(2.0), hostile(3.0)))
    made = {}
    for call, function in steps:
        run = made.setdefault(function, rt.function(function))
        found = [float(call(run, np.float64(x))) for x in (1.5, 2.5)]
        assert found == [float(call(function, np.float64(x))) for x in (1.5, 2.5)]
        run.explain_retraces(), repr(run), run.pretty_printed_concrete_signatures()
    assert CALLED == []


def test_a_hostile_object_in_place_of_anything_is_a_miss(hostile):
    global held
    for known in (1, 2.5, "a", None, [1], {"k": 1}, (1, 2), np.ones(2), rt.Variable(1.0), len, Box):
        held = known

        def f(x):
            return x * (2.0 if held is other else 3.0)

        run = rt.function(f)
        assert run(np.float64(2.0)) == 6.0
        held = hostile()
        assert run(np.float64(2.0)) == 6.0
        with pytest.raises(TypeError, match="is for other arguments: held was"):
            held = hostile()
            run.graphs[-1](np.float64(2.0))
    assert CALLED == []


def test_a_hostile_object_in_place_of_an_argument_is_a_miss(hostile):
    run = rt.function(lambda x, y: x * 2.0)
    for known in (
        1,
        2.5,
        "a",
        None,
        [1],
        {"k": 1},
        (1, 2),
        np.ones(2),
        np.float64(1.0),
        HostileEnum.A,
    ):
        assert run(np.float64(2.0), known) == 4.0
        assert run(np.float64(2.0), hostile()) == 4.0
        assert run(np.float64(2.0), known) == 4.0
    run.explain_retraces()
    assert CALLED == []


def test_keys_and_enumerations_are_compared_by_identity():
    global held
    key, mode = HostileKey(), HostileEnum.A
    held = {key: 2.0, mode: 3.0}
    CALLED.clear()
    run = rt.function(lambda x: x * len(held))
    assert run(np.float64(1.0)) == 2.0
    CALLED.clear()  # recording hashes keys
    assert run(np.float64(2.0)) == 4.0
    assert CALLED == []
    held[mode] = 5.0
    assert run(np.float64(2.0)) == 4.0
    CALLED.clear()
    run.explain_retraces()
    assert CALLED == []
    modes = rt.function(lambda x, m: x * (2.0 if m is HostileEnum.A else 3.0))
    assert [modes(np.float64(1.0), m) for m in HostileEnum] == [2.0, 3.0]
    modes.explain_retraces(), modes.pretty_printed_concrete_signatures()
    assert CALLED == []


def test_containers_of_hostile_classes_are_read_without_their_methods():
    global held
    for made in (HostileList([2.0, Box()]), HostileDict(a=2.0, b=Box())):
        held = made
        run = rt.function(lambda x: x * 2.0 if held is not None else x)
        assert run(np.float64(1.0)) == 2.0
        assert run(np.float64(2.0)) == 4.0
        list.append(made, 3.0) if type(made) is HostileList else dict.__setitem__(made, "c", 1)
        assert run(np.float64(2.0)) == 4.0
        run.explain_retraces()
    assert CALLED == []
