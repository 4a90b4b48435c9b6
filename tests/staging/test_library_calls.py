"""Library calls: `rt.library_call`, types and memory of results, order, errors.

`spectra` is a module that counts as an installed package; SciPy is not needed here.
"""

from functools import partial

import numpy as np
import pytest
from installed import installed_module
from loading import load

import runtime as rt

SPECTRA = '''
import numpy as np

log, kept = [], np.ones(3)


def largest(x):
    """The eigenvalue of the largest modulus: a float or a complex number."""
    return np.linalg.eigvals(x)[0]


def told(x):
    log.append(float(np.sum(x)))
    return x * 2


def fill(x):
    x[:] = 7
    return x.sum()


def first(x):
    return x[:1]


def pair(x):
    return np.sort(x), {"sum": x.sum(), "name": "pair", "none": None}


def stored(x):
    return kept


def applied(function, x):
    return function(x)


class Scale:
    def __init__(self, by):
        self.by = by

    def of(self, x):
        return x * self.by
'''
spectra = installed_module("spectra", SPECTRA)
X = np.array([3.0, 1.0, 2.0])
KIND = rt.TensorSpec((None,), np.float64)


def same(found, expected):
    return type(found) is type(expected) and np.array_equal(found, expected)


def test_a_function_that_nothing_is_known_about_is_called_in_each_run_in_order():
    @rt.function
    def f(x):
        y = spectra.told(x)
        return y + spectra.told(x + 1)

    spectra.log.clear()
    assert same(f(X), X * 4 + 2) and same(f(X), X * 4 + 2)
    assert spectra.log == [6.0, 9.0, 6.0, 9.0]


def test_its_result_may_have_another_type_in_each_run():
    f = rt.function(lambda x: spectra.largest(x) * 2)
    real, rotation = np.diag([4.0, 1.0]), np.array([[0.0, -1.0], [1.0, 0.0]])
    for matrix in (real, rotation):
        found, expected = f(matrix), spectra.largest(matrix) * 2
        assert type(found) is type(expected) and found == expected


def test_a_stated_result_takes_part_in_operations_of_the_graph():
    f = rt.function(lambda x: np.sum(rt.library_call(spectra.first, x * 2, result=KIND)) + 1)
    assert f(X) == 7.0
    assert "ordered_library_call" in str(f.get_concrete_function(X).graph)


def test_a_pure_function_gives_the_types_of_its_results():
    rt.pure(spectra.pair)
    f = rt.function(lambda x: rt.library_call(spectra.pair, x))
    found, expected = f(X), spectra.pair(X)
    assert same(found[0], expected[0]) and found[1] == expected[1]
    node = f.get_concrete_function(X).graph.nodes[0]
    assert node.op.name == "library_call" and str(node.attributes["types"]) == (
        "(<type f64[3]>, <type f64>)"
    )


def test_a_result_of_another_type_is_an_error_with_the_users_line():
    @rt.function
    def f(x):
        return rt.library_call(spectra.largest, x, result=0.5) + 1

    with pytest.raises(rt.errors.LibraryResultError) as caught:
        f(np.diag([4.0, 1.0]))
    # Since NumPy 2.5 all eigenvalues are complex.
    dtype = "c128" if np.iscomplexobj(spectra.largest(np.diag([4.0, 1.0]))) else "f64"
    assert f"spectra.largest has returned {dtype} in this run, and not float" in str(caught.value)
    assert "return rt.library_call(spectra.largest" in str(caught.value)


def test_where_no_graph_is_built_the_result_is_checked_too():
    assert same(rt.library_call(spectra.first, X, result=KIND), X[:1])
    with pytest.raises(rt.errors.LibraryResultError):
        rt.library_call(spectra.first, X, result=0.5)
    with pytest.raises(TypeError, match="takes a function, not int"):
        rt.library_call(3)


def test_a_written_argument_is_refused():
    f = rt.function(lambda x: rt.library_call(spectra.fill, x * 2, result=rt.TensorSpec(())))
    with pytest.raises(rt.errors.GivenArgumentError, match="spectra.fill has changed its argument"):
        f(X)


@pytest.mark.parametrize("which", ["argument", "result"])
def test_memory_that_is_shared_and_changed_later_is_refused(which):
    @rt.function
    def f(x):
        x = x * 2
        y = rt.library_call(spectra.first, x, result=KIND)
        if which == "argument":
            x[0] = 5
        else:
            y[0] = 5
        return x, y

    with pytest.raises(rt.StagingError, match="keeps its argument|still in use elsewhere"):
        f(X)


def test_an_array_that_the_package_keeps_is_copied_or_refused():
    read = rt.function(lambda x: rt.library_call(spectra.stored, x, result=KIND) + x)
    assert same(read(X), X + 1)

    @rt.function
    def write(x):
        y = rt.library_call(spectra.stored, x, result=KIND)
        y[0] = 5
        return y

    with pytest.raises(rt.errors.LibraryResultError, match="still in use elsewhere"):
        write(X)
    assert same(spectra.kept, np.ones(3))


def test_a_function_of_the_users_sees_plain_arrays():
    seen = []

    def user(x):
        seen.append(type(x))
        if x[0] > 2:
            return x * 2
        return x

    f = rt.function(lambda x: spectra.applied(user, x) + 1)
    assert same(f(X), X * 2 + 1) and same(f(X / 2), X / 2 + 1)
    assert seen == [np.ndarray, np.ndarray]


def test_methods_of_objects_of_packages_are_called_in_each_run():
    scale = spectra.Scale(3.0)
    f = rt.function(lambda x: scale.of(x) - x)
    assert same(f(X), X * 2)
    scale.by = 5.0
    assert same(f(X), X * 4)


def test_a_call_in_a_branch_or_loop_happens_if_it_is_reached():
    @rt.function
    def f(x, n):
        for i in range(n):
            if i > 0:
                x = rt.library_call(spectra.told, x, result=rt.TensorSpec((3,)))
        return x

    spectra.log.clear()
    assert same(f(X, np.int64(3)), X * 4) and spectra.log == [6.0, 12.0]
    assert same(f(X, np.int64(0)), X) and spectra.log == [6.0, 12.0]


def test_it_is_called_for_each_element_of_a_batch():
    kind = rt.TensorSpec((1,))
    found = rt.vmap(lambda x: rt.library_call(spectra.first, x, result=kind))(np.stack([X, -X]))
    assert same(found, np.array([[3.0], [-3.0]]))


def test_differentiating_it_says_how_to_register_a_rule():
    def f(x):
        return np.sum(rt.library_call(spectra.first, x, result=KIND))

    with pytest.raises(rt.errors.NoDerivativeError) as caught:
        rt.grad(f)(X)
    assert "spectra.first cannot be differentiated" in str(caught.value)
    assert "@rt.custom_gradient(of=spectra.first)" in str(caught.value)


def test_results_that_cannot_be_known_are_objects():
    pytest.importorskip("scipy", reason="SciPy is not installed")
    from scipy import linalg, ndimage

    rotation = np.array([[0.0, -1.0], [1.0, 0.0]])
    f = rt.function(lambda x: linalg.eigvals(x) * 2)
    assert same(f(rotation), linalg.eigvals(rotation) * 2)

    @rt.function
    def written(x):
        y = np.zeros(3)
        found = ndimage.gaussian_filter(x, 1.0, output=y)
        found[0] += 1
        return y

    expected = ndimage.gaussian_filter(X, 1.0)
    expected[0] += 1
    assert same(written(X), expected)

    @rt.function
    def overwritten(a, b):
        x = linalg.solve(a, b, overwrite_a=True)
        return x, a

    a = np.array([[3.0, 1.0], [1.0, 2.0]])
    for order in "CF":
        ours, plain = a.copy(order), a.copy(order)
        found = overwritten(ours, X[:2])
        assert same(found[0], linalg.solve(plain, X[:2], overwrite_a=True))
        assert same(ours, plain) and same(found[1], plain)


@pytest.mark.parametrize("change", ["calls.append(t)", "calls[0] += 1", "print(t)"])
def test_a_function_that_changes_something_is_not_given_to_a_package(change):
    optimize = pytest.importorskip("scipy.optimize", reason="SciPy is not installed")
    source = f"""
def f(x):
    calls = [0]

    def shifted(t):
        {change}
        return t - x

    return optimize.brentq(shifted, 0.0, 5.0), calls
"""
    f = rt.function(load(source, f"<changes {change}>", optimize=optimize).f)
    with pytest.raises(rt.errors.EffectError, match="shifted, which scipy.optimize.brentq calls"):
        f(np.float64(2.0))


def test_functions_that_hold_staged_values_see_plain_arrays():
    def asked(y, x):
        return y * x if isinstance(x, np.ndarray) else "staged"

    class Holder:
        def __init__(self, x):
            self.x = x

        def asked(self, y):
            return asked(y, self.x)

    programs = [
        lambda x: spectra.applied(lambda y: asked(y, x), 2.0),
        lambda x: spectra.applied(lambda y: asked(x, y), x),
        lambda x: spectra.applied(partial(asked, x=x), 2.0),
        lambda x: spectra.applied(partial(lambda x, y: asked(y, x), x), x) + 1,
        lambda x: spectra.applied(Holder(x).asked, 2.0),
        lambda x: spectra.applied(function=lambda y: asked(y, x), x=2.0),
    ]
    for program in programs:
        staged = rt.function(program)
        assert same(staged(X), program(X)) and same(staged(-X), program(-X))


def test_operators_leave_no_array_to_a_class_that_answers_numpy():
    class Answers:
        def __array_ufunc__(self, function, method, *inputs, **options):
            return "ufunc"

        def __radd__(self, other):
            return "radd"

    class Reflected:
        __array_ufunc__ = None

        def __radd__(self, other):
            return 2.0

    assert rt.function(lambda x: x + Reflected())(X) == 2.0
    for program in (lambda x: x + Answers(), lambda x: x > Answers()):
        with pytest.raises(rt.errors.NotStageableError, match="an Answers cannot be staged"):
            rt.function(program)(X)
