"""Derivatives with respect to containers, objects and variables; arguments by position and name."""

from collections import OrderedDict, defaultdict, namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

import runtime as rt

pytestmark = pytest.mark.filterwarnings("ignore::runtime.RetracingWarning")


@dataclass
class Parameters:
    a: object
    b: object


@dataclass(frozen=True)
class Frozen:
    a: object
    b: object


@dataclass(slots=True)
class Slotted:
    a: object
    b: object


class Tree:
    def __init__(self, a, b, label):
        self.a, self.b, self.label = a, b, label


rt.register_pytree(
    Tree, lambda tree: ((tree.a, tree.b), tree.label), lambda label, parts: Tree(*parts, label)
)
Pair = namedtuple("Pair", "a b")
KINDS = {
    "dataclass": Parameters,
    "frozen": Frozen,
    "slots": Slotted,
    "registered": lambda a, b: Tree(a, b, "label"),
    "namedtuple": Pair,
    "OrderedDict": lambda a, b: OrderedDict(a=a, b=b),
    "defaultdict": lambda a, b: defaultdict(list, a=a, b=b),
    "dict": lambda a, b: {"a": a, "b": b},
    "tuple": lambda a, b: (a, b),
    "list": lambda a, b: [a, b],
}
A, B = np.array([1.0, 2.0]), np.array([3.0, 4.0])


def parts(value):
    """The two parts of a container."""
    if isinstance(value, dict):
        return value["a"], value["b"]
    return tuple(value) if isinstance(value, (tuple, list)) else (value.a, value.b)


def energy(value):
    a, b = parts(value)
    return np.sum(a * a * b)


def numbers(value):
    """The arrays in a result, in order."""
    if isinstance(value, (np.ndarray, np.generic, float)) or value is None:
        return [value]
    return [leaf for part in parts(value) for leaf in numbers(part)]


def same(found, *expected):
    leaves = numbers(found)
    assert len(leaves) == len(expected)
    for one, other in zip(leaves, expected, strict=True):
        assert (one is None) == (other is None)
        if other is not None:
            np.testing.assert_allclose(one, other)


@pytest.fixture(params=["graph", "eager"])
def mode(request):
    rt.config.run_functions_eagerly(request.param == "eager")
    yield request.param
    rt.config.run_functions_eagerly(False)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_container(kind, mode):
    make = KINDS[kind]
    given = make(A, B)
    found = rt.grad(energy)(given)
    assert type(found) is type(given) and parts(given)[0] is A
    same(found, 2 * A * B, A * A)
    value, gradient = rt.value_and_grad(energy)(given)
    assert value == energy(given)
    same(gradient, 2 * A * B, A * A)
    same(rt.vjp(energy, given)[1](1.0)[0], 2 * A * B, A * A)
    _, tangent = rt.jvp(energy, (given,), (make(B, A),))
    assert np.isclose(tangent, np.sum(2 * A * B * B + A * A * A))
    rows = rt.jacobian(lambda value: parts(value)[0] * parts(value)[1])(given)
    same(rows, np.diag(B), np.diag(A))
    second = rt.hessian(energy)(given)
    zero = np.zeros((2, 2))
    same(second, np.diag(2 * B), np.diag(2 * A), np.diag(2 * A), zero)


@pytest.mark.parametrize("kind", KINDS)
def test_leaves_without_derivatives_have_none(kind, mode):
    make = KINDS[kind]
    same(rt.grad(energy)(make(A, 3)), 6 * A, None)
    same(rt.grad(lambda value: np.sum(parts(value)[0]))(make(A, "text")), np.ones(2), None)
    same(rt.hessian(energy)(make(A, 3)), np.diag([6.0, 6.0]), None, None)
    same(rt.grad(energy)(make(2.0, 3.0)), 12.0, 4.0)


@pytest.mark.parametrize("kind", ["dataclass", "registered", "OrderedDict", "defaultdict", "dict"])
def test_batches_of_containers(kind, mode):
    make = KINDS[kind]
    rows, factors = np.arange(6.0).reshape(3, 2), np.array([1.0, 2.0, 3.0])
    found = rt.vmap(lambda value: parts(value)[0] * parts(value)[1])(make(rows, factors))
    np.testing.assert_array_equal(found, rows * factors[:, None])
    gradient = rt.vmap(rt.grad(energy))(make(rows, factors))
    same(gradient, 2 * rows * factors[:, None], np.sum(rows * rows, axis=1))
    axes = rt.vmap(lambda value, x: parts(value)[0] * x, in_axes=(make(1, None), None))
    np.testing.assert_array_equal(axes(make(rows, 2.0), 2.0), rows.T * 2)
    made = rt.vmap(lambda x: make(x * 2, (x, {"k": x})))(factors)
    np.testing.assert_array_equal(parts(made)[0], factors * 2)
    assert type(made) is type(make(0, 0))


def test_an_object_of_a_dataclass_is_shared_unless_it_is_named(mode):
    rows, factors = np.arange(6.0).reshape(3, 2), np.array([1.0, 2.0, 3.0])

    def total(value, x):
        return np.sum(value.a) * x

    shared = rt.vmap(total)(Parameters(rows, None), factors)
    np.testing.assert_array_equal(shared, rows.sum() * factors)
    named = rt.vmap(total, in_axes=(0, 0))(Parameters(rows, None), factors)
    np.testing.assert_array_equal(named, rows.sum(axis=1) * factors)


def test_nested_containers(mode):
    def loss(value):
        return np.sum(value.a[0] * value.b.a * value.b.b["k"])

    given = Parameters([A, 2], Frozen(B, OrderedDict(k=2.5)))
    found = rt.grad(loss)(given)
    np.testing.assert_allclose(found.a[0], B * 2.5)
    assert found.a[1] is None and isinstance(found.a, list)
    np.testing.assert_allclose(found.b.a, A * 2.5)
    assert np.isclose(found.b.b["k"], np.sum(A * B))


def test_variables(mode):
    v, w = rt.Variable(3.0), rt.Variable(A)
    assert rt.grad(lambda v: v * v)(v) == 6.0
    v.assign(5.0)
    assert rt.grad(lambda v: v * v)(v) == 10.0
    found = rt.grad(lambda p: np.sum(p[0] * p[1]["w"]))([v, {"w": w, "n": 3}])
    assert found[0] == 3.0 and found[1]["n"] is None
    np.testing.assert_array_equal(found[1]["w"], [5.0, 5.0])
    same(rt.grad(energy)(Parameters(w, v)), 2 * A * 5, np.sum(A * A))
    value, tangent = rt.jvp(lambda v: v * v, (v,), (1.0,))
    assert (value, tangent) == (25.0, 10.0)


def test_a_variable_that_the_function_changes(mode):
    v = rt.Variable(2.0)

    def stepped(v):
        v += 1.0
        return v * v

    assert rt.grad(stepped)(v) == 6.0 and v.value == 3.0


def test_an_object_is_changed_as_in_python():
    def doubling(value):
        value.a = value.a * 2
        return np.sum(value.a * value.b)

    given, plain = Parameters(A, B), Parameters(A, B)
    doubling(plain)
    same(rt.grad(doubling)(given), 2 * B, 2 * A)
    np.testing.assert_array_equal(given.a, plain.a)
    assert given.b is B


def test_an_object_has_its_own_fields_after_an_exception():
    def failing(value):
        raise ValueError("no")

    given = Parameters(A, B)
    for call in (rt.grad(failing), lambda value: rt.jvp(failing, (value,), (value,))):
        with pytest.raises(ValueError, match="no"):
            call(given)
        assert given.a is A and given.b is B


def test_fields_that_change_between_calls():
    gradient, given = rt.grad(energy), Parameters(A, B)
    same(gradient(given), 2 * A * B, A * A)
    given.a = np.array([5.0, 5.0])
    same(gradient(given), 10 * B, [25.0, 25.0])
    given.a[0] = 1.0
    same(gradient(given), [6.0, 40.0], [1.0, 25.0])
    given.b = 2.0
    same(gradient(given), [4.0, 20.0], 26.0)


@pytest.mark.parametrize(
    ("argnums", "expected"),
    [
        (-1, 12.0),
        ("y", 12.0),
        (0, 9.0),
        ("x", 9.0),
        (("y", 0), (12.0, 9.0)),
        ([-2, -1], (9.0, 12.0)),
    ],
)
def test_arguments_by_position_and_name(argnums, expected, mode):
    def f(x, y):
        return x * y * y

    assert rt.grad(f, argnums=argnums)(2.0, 3.0) == expected
    assert rt.value_and_grad(f, argnums=argnums)(2.0, 3.0) == (18.0, expected)
    assert rt.grad(f, argnums=argnums)(2.0, y=3.0) == expected
    assert rt.jacobian(f, argnums=argnums)(2.0, 3.0) == expected


def test_hessians_and_methods_by_name():
    class Model:
        def loss(self, x, y=3.0):
            return x * y * y

    assert rt.hessian(Model().loss, argnums="y")(2.0, 3.0) == 4.0
    assert rt.grad(Model().loss, argnums=-1)(2.0) == 12.0


@pytest.mark.parametrize(
    ("argnums", "message"),
    [
        ("z", "argnums has 'z', but the positional parameters of f are x, y"),
        (-3, "argnums has -3, but the positional parameters of f are x, y"),
        (1.5, "argnums are positions or names of arguments, not 1.5"),
    ],
)
def test_arguments_that_do_not_exist(argnums, message):
    def f(x, y):
        return x * y

    with pytest.raises(TypeError, match=message):
        rt.grad(f, argnums=argnums)


@pytest.mark.parametrize("argument", [2, "text", [2, 3], {"n": 2}, Parameters(1, 2), []])
def test_an_argument_without_any_derivative_is_refused(argument):
    with pytest.raises(TypeError, match="no derivatives|one real scalar"):
        rt.grad(lambda value: 1)(argument)


def test_tangents_of_another_structure_are_refused():
    with pytest.raises(TypeError, match="is Parameters, but its tangent is Frozen"):
        rt.jvp(energy, (Parameters(A, B),), (Frozen(A, B),))


@pytest.mark.parametrize("make", [OrderedDict, lambda **items: defaultdict(float, items)])
def test_functions_return_dicts_of_their_kind(make):
    found = rt.function(lambda x: make(a=x * 2, b=[x]))(A)
    assert type(found) is type(make())
    np.testing.assert_array_equal(found["a"], A * 2)
    assert getattr(found, "default_factory", None) is getattr(make(), "default_factory", None)
