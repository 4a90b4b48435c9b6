"""Guard records: each kind prints itself, accepts equal situations, and explains a miss.

The file is long because it is a collection of independent tests.
"""

import functools
import types
import weakref

import numpy as np
import pytest

import runtime as rt
from autograph.staging.object_state import slots
from runtime.function.guards.contents import bytes_of
from runtime.function.guards.records import CONDITIONS, READS, Names, Record, python, subject
from runtime.ir.types import TensorType
from runtime.staging.calls.cached_functions import CachedResults
from runtime.staging.calls.outside_answers import Answer, comparable
from runtime.state.variable import Variable
from runtime.tracing.numpy_api.memory_layout import layout_of


class Box:
    __slots__ = ("value",)


class Plain:
    pass


def box(value=None):
    made = Box()
    if value is not None:
        made.value = value
    return made


def plain(**attributes):
    made = Plain()
    vars(made).update(attributes)
    return made


def function(a=1):
    return a


def another(a=1):
    return a + 1


matrix, vector = TensorType(np.dtype("f8"), (2, 3)), TensorType(np.dtype("f8"), (3,))
unknown, scalar = TensorType(np.dtype("f8"), (None, 3)), TensorType(np.dtype("f8"), ())
KEPT, WEIGHTS, VARIABLE = Plain(), np.array([1.0, 2.0]), Variable([1.0])
MEMBER = slots(Box)["value"]
PAIR = (1, "a")
ANSWER = Answer(len, ("abc",), {}, comparable(3))

# kind, constant, printed, values of `x` that hold, values that do not
CASES = [
    ("same", KEPT, "x is _c0", [KEPT], [Plain(), None]),
    ("same", None, "x is None", [None], [0, False]),
    ("same", True, "x is True", [True], [1, np.True_]),
    ("same_address", id(KEPT), f"_c0(x) == {id(KEPT)}", [KEPT], [Plain()]),
    ("class", list, "_type(x) is _c0", [[], [1]], [(), {}]),
    ("value", 3, "x is _c0 or _type(x) is _c1 and x == _c0", [3], [4, 3.0, np.int64(3)]),
    (
        "value",
        10**30,
        "x is _c0 or _type(x) is _c1 and x == _c0",
        [int("1" + "0" * 30)],
        [10**29],
    ),
    (
        "value",
        2.5,
        "x is _c0 or _type(x) is _c1 and x == _c0",
        [float("2.5")],
        [2.25, np.float64(2.5)],
    ),
    ("value", 0.0, "x is _c0 or _c1(x, _c0)", [0.0, float("0")], [-0.0, 0, False]),
    ("value", float("nan"), "x is _c0 or _c1(x, _c0)", [float("nan")], [0.0, float("inf")]),
    (
        "value",
        "tanh",
        "x is _c0 or _type(x) is _c1 and x == _c0",
        ["".join(["ta", "nh"])],
        ["relu", b"tanh"],
    ),
    ("value", slice(1, 2), "x is _c0 or _c1(x, _c0)", [slice(1, 2)], [slice(1, 3), range(1, 2)]),
    ("code", function.__code__, "x.__code__ is _c0", [function], [another]),
    ("bases", bool.__bases__, "x.__bases__ is _c0", [bool], [int]),
    (
        "serial",
        (Variable, VARIABLE._serial),
        f"_type(x) is _c0 and x._serial == {VARIABLE._serial}",
        [VARIABLE],
        [Variable([1.0]), Plain()],
    ),
    (
        "array",
        matrix,
        "_type(x) is _c0 and x.dtype is _c1 and x.shape == (2, 3) or _c2(x, _c3)",
        [np.ones((2, 3)), np.ones((3, 2)).T, np.ones((2, 3), np.dtype("f8", metadata={"a": 1}))],
        [
            np.ones((3, 2)),
            np.ones((2, 3), "f4"),
            np.ones(6),
            np.ma.ones((2, 3)),
            [[1.0] * 3] * 2,
            1.0,
        ],
    ),
    (
        "array",
        vector,
        "_type(x) is _c0 and x.dtype is _c1 and x.ndim == 1 and _c2(x) == 3 or _c3(x, _c4)",
        [np.ones(3), np.arange(6.0)[::2]],
        [np.ones(4), np.ones((3, 1)), np.float64(1.0), np.ones(3, ">f8"), np.array(1.0), "abc"],
    ),
    (
        "array",
        unknown,
        "_type(x) is _c0 and x.dtype is _c1 and x.ndim == 2 and x.shape[1] == 3 or _c2(x, _c3)",
        [np.ones((2, 3)), np.ones((0, 3))],
        [np.ones((3, 2)), np.ones(3), np.ones((1, 2, 3))],
    ),
    (
        "scalar_or_array",
        scalar,
        "_type(x) is _c0 or _c1(x, _c2)",
        [np.float64(1.0), np.array(1.0)],
        [1.0, np.float32(1.0), np.ones(1), np.array(1)],
    ),
    (
        "same_contents",
        WEIGHTS.copy(),
        "_c0(x, _c1)",
        [WEIGHTS],
        [WEIGHTS[::-1], WEIGHTS.astype("f4"), None],
    ),
    ("length", 2, "_c0(x) == 2", [[1, 2], {1: 2, 3: 4}], [[1], ()]),
    (
        "keys",
        ("a", "b"),
        "_c0(x, _c1)",
        [{"a": 0, "b": 1}],
        [{"b": 1, "a": 0}, {"a": 0}, {"a": 0, "c": 1}],
    ),
    ("items", [1, 2.0], "_c0(x, _c1)", [[1, 2.0]], [[1, 2], [1], [2.0, 1], [True, 2.0]]),
    ("items", PAIR, "x is _c1 or _c0(x, _c1)", [PAIR, (1, "".join(["a"]))], [(1, "b"), (1,)]),
    ("items", frozenset({1, 2}), "_c0(x, _c1)", [{1, 2}, {2, 1}], [{1}, {1, 3}, {1.0, 2}]),
    (
        "dict_values",
        [1, 2],
        "_c0(x.values(), _c1)",
        [{"a": 1, "b": 2}],
        [{"a": 1, "b": 3}, {"a": 1}],
    ),
    ("absent_globals", frozenset({"k"}), "x.keys().isdisjoint(_c0)", [{}, {"j": 1}], [{"k": 1}]),
    (
        "absent_attributes",
        frozenset({"k"}),
        "x.__dict__.keys().isdisjoint(_c0)",
        [plain(), plain(j=1)],
        [plain(k=1)],
    ),
    ("answer", ANSWER, "_c0()", [None], []),
    ("counted", CachedResults(), "_c0()", [None], []),
    ("never", None, "False", [], [None, 1]),
    ("empty_slot", MEMBER, "_c0(x, _c1) is _c2", [box()], [box(1)]),
]


def evaluated(record, **variables):
    names = Names()
    expression = python(record, names)
    return eval(expression, names.constants | variables)


@pytest.mark.parametrize(
    ("kind", "constant", "printed", "good", "bad"),
    CASES,
    ids=[f"{case[0]}-{number}" for number, case in enumerate(CASES)],
)
def test_a_condition_prints_as_python_that_accepts_equal_situations_only(
    kind, constant, printed, good, bad
):
    record = Record(kind, "x", constant, "x")
    assert python(record, Names()) == printed
    assert all(evaluated(record, x=value) for value in good)
    for value in bad:
        try:
            assert not evaluated(record, x=value), value
        except (AttributeError, TypeError):  # generated guards treat these as a miss
            pass


def test_conditions_on_two_variables():
    same = Record("same_variable", "x", "y", "x")
    assert python(same, Names()) == "x is y"
    assert evaluated(same, x=KEPT, y=KEPT) and not evaluated(same, x=KEPT, y=Plain())
    sizes = Record("same_size", "x", (1, "y", 0), "x")
    assert python(sizes, Names()) == "x.shape[1] == y.shape[0]"
    assert evaluated(sizes, x=np.ones((2, 3)), y=np.ones(3))
    assert not evaluated(sizes, x=np.ones((2, 3)), y=np.ones(2))


def test_a_layout_prints_as_python():
    given = np.ones((2, 3))
    record = Record("layout", "x", layout_of(given), "x")
    assert python(record, Names()) == "_c0(x) == ((2, 3), (24, 8), True, True)"
    assert evaluated(record, x=np.zeros((2, 3)))
    assert not evaluated(record, x=np.asfortranarray(given))
    assert not evaluated(record, x=np.broadcast_to(1.0, (2, 3)))


def closure():
    inside = 5
    return lambda: inside


@pytest.mark.parametrize(
    ("kind", "constant", "printed", "source", "value"),
    [
        ("global", "limit", "x['limit']", {"limit": 5}, 5),
        ("item", 1, "x[1]", [4, 5], 5),
        ("item", (1, 2), "x[_c0]", {(1, 2): 5}, 5),
        ("attribute", "value", "x.value", types.SimpleNamespace(value=5), 5),
        ("dict_item", "not a name", "x.__dict__['not a name']", plain(**{"not a name": 5}), 5),
        ("slot", MEMBER, "_c0.__get__(x)", box(5), 5),
        ("cell", 0, "x.__closure__[0].cell_contents", closure(), 5),
        ("referent", None, "x()", weakref.ref(KEPT), KEPT),
        ("contents", bytes_of, "_c0(x)", bytearray(b"a"), b"a"),
    ],
)
def test_a_read_prints_as_python(kind, constant, printed, source, value):
    record = Record(kind, "x", constant, "x", target="y")
    assert python(record, Names()) == printed
    assert evaluated(record, x=source) == value


def test_every_kind_of_record_is_tested():
    conditions = {kind for kind, *_ in CASES} | {"same_variable", "same_size", "layout"}
    assert conditions == set(CONDITIONS)
    assert set(READS) == {
        *("global", "item", "attribute", "dict_item", "slot", "cell", "referent", "contents")
    }


@pytest.mark.parametrize(
    ("record", "situation", "sentence"),
    [
        (Record("value", "x", 3, "limit", expected="3"), 4, "limit was 3, and is 4"),
        (
            Record("array", "x", matrix, "self.w", expected=str(matrix)),
            np.ones(3, "f4"),
            "self.w was f64[2, 3], and is f32[3]",
        ),
        (
            Record("absent_globals", "x", frozenset({"round"}), ""),
            {"round": 1},
            "round was not there, and is 1",
        ),
        (
            Record("absent_attributes", "x", frozenset({"bias"}), "self."),
            {"bias": None},
            "self.bias was not there, and is None",
        ),
        (
            Record("items", "x", list(range(99)), "xs", expected=repr(list(range(99)))),
            [1],
            f"xs was {repr(list(range(99)))[:77]}..., and is [1]",
        ),
    ],
)
def test_a_condition_explains_why_it_fails(record, situation, sentence):
    assert record.explanation(situation) == sentence


def test_the_subject_of_an_explanation_is_the_object_that_the_condition_reads():
    assert subject(Record("absent_attributes", "x", frozenset(), ""), Names()) == "x.__dict__"
    assert subject(Record("value", "x", 1, "x"), Names()) == "x"


def test_a_constant_has_one_name():
    names = Names("__")
    assert [names.of(KEPT), names.of(WEIGHTS), names.of(KEPT)] == ["__c0", "__c1", "__c0"]
    assert names.variable(3) == "__v3"


# -- the guard of a function -----------------------------------------------------------------------

settings = types.SimpleNamespace(scale=2.0, names={"mode": "fast"})


def scaled(x):
    return x * settings.scale if settings.names["mode"] == "fast" else x


def twice_scaled(x):
    return scaled(x) + scaled(x) * settings.scale


def test_a_value_read_by_several_functions_is_read_and_checked_once():
    fn = rt.function(twice_scaled)
    fn(np.float64(1.0))
    records = fn.graphs[0].guard.records
    keys = [record.key for record in records]
    assert len(set(keys)) == len(keys)
    assert [r.constant for r in records if r.kind == "global"].count("settings") == 1


def test_names_of_parameters_do_not_collide_with_those_of_the_guard():
    @rt.function
    def collide(_c0, _v0, __c1, *, np=1, len=2):
        return _c0 + _v0 * __c1 + np + len

    arguments = np.ones(2), np.full(2, 2.0), np.full(2, 3.0)
    for _ in range(3):
        assert collide(*arguments).tolist() == [10.0, 10.0]
        assert collide(*arguments, np=5, len=0).tolist() == [12.0, 12.0]


class Model:
    def __init__(self):
        self.w, self.rate, self.parts = np.ones(2), 0.5, [np.ones(2), (1, 2)]

    def __call__(self, x):
        return (x * self.w + self.parts[0]) * self.rate + self.parts[1][1]


def rebind_rate(model):
    model.rate = 0.25


def grow_array(model):
    model.w = np.ones((2, 2))


def replace_list(model):
    model.parts = [np.zeros(2), (1, 3)]


def append_to_list(model):
    model.parts.append(None)


def change_class(model):
    model.__class__ = type("Other", (Model,), {"__call__": lambda self, x: -x})


@pytest.mark.parametrize(
    "change", [rebind_rate, grow_array, replace_list, append_to_list, change_class]
)
def test_a_change_between_plain_calls_is_noticed(change):
    model, x = Model(), np.array([1.0, 2.0])
    staged = rt.function(lambda x: model(x))
    for _ in range(3):
        assert staged(x).tolist() == model(x).tolist()
    change(model)
    for _ in range(3):
        assert staged(x).tolist() == model(x).tolist()


def test_keyword_only_defaults_are_compared_by_identity_first():
    def helper(x, *, scale=2.5, shift=1.5):
        return x * scale + shift

    staged = rt.function(lambda x: helper(x))
    one = np.float64(1.0)
    assert [staged(one) for _ in range(3)] == [4.0] * 3
    helper.__kwdefaults__["shift"] = float("1.5")  # an equal one
    assert staged(one) == 4.0 and len(staged.graphs) == 1
    helper.__kwdefaults__["shift"] = 0.5
    assert [staged(one) for _ in range(3)] == [3.0] * 3
    helper.__kwdefaults__ = {"scale": 1.0, "shift": 0.0}
    assert [staged(one) for _ in range(3)] == [1.0] * 3
    assert "the default of shift was 1.5, and is 0.5" in staged.explain_retraces()


def test_defaults_are_compared():
    def helper(x, scale=2.5, cut=(1, 2)):
        return x * scale + cut[1]

    staged = rt.function(lambda x: helper(x))
    one = np.float64(1.0)
    assert [staged(one) for _ in range(3)] == [4.5] * 3
    helper.__defaults__ = (1.5, (1, 3))
    assert [staged(one) for _ in range(3)] == [4.5] * 3
    helper.__defaults__ = (1.5, (1, 0))
    assert [staged(one) for _ in range(3)] == [1.5] * 3


def test_guards_look_into_partials_and_properties():
    held = functools.partial(lambda x, k: x + k, k=3)
    staged = rt.function(lambda x: held(x))
    assert [staged(np.float64(1.0)) for _ in range(3)] == [4.0] * 3
    held = functools.partial(lambda x, k: x + k, k=4)
    assert [staged(np.float64(1.0)) for _ in range(3)] == [5.0] * 3


class Shadowed:
    """Holds an item under the name of a property, which code reads instead."""

    @property
    def size(self):
        return 7

    def __init__(self):
        self.__dict__["size"] = 3


def test_a_property_hides_an_item_of_the_same_name():
    shadowed = Shadowed()
    staged = rt.function(lambda x: x + shadowed.size)
    assert [staged(np.float64(1.0)) for _ in range(3)] == [8.0] * 3
    assert len(staged.graphs) == 1
