"""The error about a call that does not match an `input_signature` names the argument, the
difference and a remedy."""

import numpy as np
import pytest

import runtime as rt

ROWS = rt.TensorSpec((None, 3), np.float32)


def called(specs, *args, names="x y z"):
    """The message of a call of a function with these specs; empty if it succeeds."""
    namespace = {}
    parameters = ", ".join(names.split()[: len(args)])
    exec(f"def f({parameters}):\n    return 0", namespace)
    try:
        rt.function(namespace["f"], input_signature=specs).get_concrete_function(*args)
    except TypeError as error:
        return str(error)
    except Exception as error:  # the function has no source
        assert type(error).__name__ == "NoSource"
    return ""


@pytest.mark.parametrize(
    "specs, args, parts",
    [
        ([ROWS], (np.ones((2, 4), np.float32),), ["x is f32[2, 4]", "Axis 1 has 4 elements, not 3", "rt.TensorSpec((None, None), np.float32)"]),
        ([ROWS], (np.ones(3, np.float32),), ["x is f32[3]", "1 axis, not 2", "x[np.newaxis]"]),
        ([ROWS], (np.ones((1, 2, 3), np.float32),), ["3 axes, not 2", "rt.TensorSpec((1, 2, 3), np.float32)"]),
        ([ROWS], (np.ones((2, 3)),), ["float64", "x.astype(np.float32)"]),
        ([ROWS], ([[1.0, 2.0, 3.0]],), ["x is a list of 1 element", "says f32[None, 3]", "np.asarray(x)"]),
        ([ROWS], ((1.0, 2.0, 3.0),), ["x is a tuple of 3 elements"]),
        ([ROWS], (None,), ["x is None", "Pass an array of float32"]),
        ([ROWS], ("rows",), ["x is 'rows'"]),
        ([ROWS], (3.0,), ["x is the Python float 3.0", "np.full(shape, x, np.float32)"]),
        ([rt.TensorSpec(())], (3.0,), ["x is the Python float 3.0", "np.float64(x)", "float in the signature"]),
        ([[ROWS]], (np.ones((2, 3), np.float32),), ["x is f32[2, 3]", "a list of 1 element", "[x]"]),
        ([[ROWS, ROWS]], ([np.ones((2, 3), np.float32)],), ["x has 1 element", "says 2"]),
        ([{"a": ROWS}], ({"b": np.ones((2, 3), np.float32)},), ["x has the key 'b'", "'a' is missing"]),
        ([{"a": ROWS, "b": int}], ({"b": 1, "a": np.ones((2, 3), np.float32)},), ["in another order"]),
        ([{"a": [ROWS]}], ({"a": [np.ones(3)]},), ["x['a'][0] is f64[3]"]),
        ([ROWS, ROWS], (np.ones((2, 3), np.float32), np.ones((2, 2), np.float32)), ["y is f32[2, 2]"]),
        ([int], (1.5,), ["x is the Python float 1.5", "int(x)"]),
        ([int], (np.int64(1),), ["not for a NumPy scalar", "rt.TensorSpec((), np.int64)"]),
        ([float], (np.ones(3),), ["rt.TensorSpec((3,), np.float64)"]),
        ([np.float64], (np.float64(1),), ["A dtype alone is not a spec", "rt.TensorSpec((), np.float64)"]),
        ([(3,)], (np.ones(3),), ["a tuple of specs is for a tuple"]),
        ([ROWS, ROWS], (np.ones((1, 3), np.float32),), ["has 2 specs, but f has 1 parameter"]),
        (ROWS, (np.ones((1, 3), np.float32),), ["is a TensorSpec, not a list"]),
        (3, (1,), ["is an int, not a list"]),
        (int, (1,), ["is an int, not a list"]),
        ({"x": ROWS}, (1,), ["is a dict, not a list"]),
        ([rt.TensorSpec(("n",))] * 2, (np.ones(2), np.ones(3)), ["'n' is 2 in x and 3 in y"]),
        (None, (np.array(["a"]),), ["x is an array of texts", "x.tolist()"]),
        (None, (np.array([None]),), ["x is an array of objects", "astype(np.float64)"]),
        (None, (np.array(["2024-01-01"], "M8[D]"),), ["x is an array of dates", "astype(np.int64)"]),
        (None, (np.timedelta64(3, "s"),), ["x is a scalar of time differences"]),
        (None, (np.zeros(2, [("a", float), ("b", int)]),), ["fields a, b", "{'a': x['a'], 'b': x['b']}"]),
        (None, (np.ones(2, np.longdouble),), ["x.astype(np.float64)"]),
        (None, ({"k": [np.array([b"a"])]},), ["x['k'][0] is an array of bytes"]),
        (None, (np.ma.masked_array([1.0], [True]),), ["x is a MaskedArray", "x.filled(0)"]),
    ],
)  # fmt: skip
def test_a_mismatch_names_the_argument_the_difference_and_a_remedy(specs, args, parts):
    text = called(specs, *args)
    assert [part for part in parts if part not in text] == [], text
    assert "test_input_signature.py, line" in text  # the user's line


@pytest.mark.parametrize(
    "specs, args",
    [
        ([ROWS], (np.ones((5, 3), np.float32),)),
        ([[ROWS], int], ([np.ones((5, 3), np.float32)], 3)),
        ([rt.TensorSpec([3])], (np.ones(3),)),
        ([rt.TensorSpec((np.int64(3),))], (np.ones(3),)),
        (({"a": ROWS},), ({"a": np.ones((1, 3), np.float32)},)),
        ([rt.TensorSpec(()), "relu"], (np.float64(1), "relu")),
        ((spec for spec in [ROWS]), (np.ones((5, 3), np.float32),)),
    ],
)
def test_a_call_that_matches_is_accepted(specs, args):
    assert called(specs, *args) == ""


@pytest.mark.parametrize("value", [np.ones((2, 4)), np.ones(3, np.float32), [1.0], 2.0, None])
def test_functions_that_run_eagerly_refuse_the_same_arguments(value):
    function = rt.function(lambda x: x, input_signature=[ROWS])
    texts = []
    for eagerly in (False, True):
        with rt.config.temporarily(run_functions_eagerly=eagerly):
            with pytest.raises(rt.errors.SignatureError) as found:
                function(value)
            texts.append(str(found.value))
    assert texts[0] == texts[1]


def test_functions_that_run_eagerly_take_what_the_signature_says():
    with rt.config.temporarily(run_functions_eagerly=True):
        found = rt.function(lambda x: x * 2, input_signature=[ROWS])(np.ones((1, 3), np.float32))
    assert found.tolist() == [[2, 2, 2]]


@pytest.mark.parametrize("shape", [3, np.float64, (2.5,), "n", None, ((3,),)])
def test_a_spec_whose_shape_is_no_shape_is_refused_when_it_is_made(shape):
    with pytest.raises(TypeError, match="has the shape"):
        rt.TensorSpec(shape)


def test_an_unknown_dtype_is_answered_with_the_known_ones():
    with pytest.raises(TypeError, match="there is no dtype 'floaty'\n.* float32, float64"):
        rt.TensorSpec((3,), "floaty").type  # noqa: B018


@pytest.mark.parametrize(
    "specs, call",
    [
        ([float], (2.0,)),
        ([int, ROWS], (2, np.ones((4, 3), np.float32))),
        (
            [{"a": bool, "b": [ROWS, complex]}, 5],
            ({"a": True, "b": [np.ones((1, 3), np.float32), 1j]}, 5),
        ),
    ],
    ids=["a number", "a number and an array", "nested"],
)
def test_a_signature_supplies_the_arguments_of_its_one_graph(specs, call):
    @rt.function(input_signature=specs)
    def f(x, y=5):
        return x, y

    graph = f.get_concrete_function()
    assert f.get_concrete_function() is graph
    f(*call)
    assert f.get_concrete_function() is graph
    assert f.explain_retraces().startswith("f was traced once")
