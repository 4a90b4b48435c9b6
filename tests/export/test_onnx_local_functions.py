"""Operations that are several nodes of ONNX are functions of the model, called by their names."""

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ExportError

pytest.importorskip("onnxruntime", reason="the `test` extra installs it")
import onnx  # noqa: E402
import onnx.inliner  # noqa: E402
from onnx_runs import compare, expected_of, model_for, results  # noqa: E402

from runtime.export.onnx.writer import nodes_of  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
X = np.array([1.5, -2.0, np.nan, 0.5])
I = np.array([7, -7, 0, 3], np.int32)  # noqa: E741


def usual(x, i):
    total = np.sum(i) // 3
    rest = i % 3
    other = i % 5
    top = np.max(x, axis=0)
    while total > 0:
        x = x / 2 % 0.75
        total = total - 1
    return x, rest, other, top, i // 1, i // 0, divmod(i, i)


def called(model):
    """The functions of ours that the nodes call, in order."""
    return [node.op_type for node in nodes_of(model.graph.node) if node.domain == "autograph"]


def test_the_graph_reads_like_the_program():
    model = model_for(rt.function(usual), (X, I))
    assert called(model) == [
        "sum_i32", "floor_divide_i64", "remainder_i32", "remainder_i32", "max_f64_axis_0",
        "remainder_f64", "floor_divide_i32", "floor_divide_i32", "divmod_i32",
    ]  # fmt: skip
    inside = {node.op_type for node in nodes_of(model.graph.node)} - set(called(model))
    assert inside <= {"Identity", "Loop", "Greater", "Sub", "Div"}
    names = [name for node in nodes_of(model.graph.node) for name in node.output]
    assert {"total", "rest", "other", "top"} <= set(names)


def test_each_function_is_written_once_and_described():
    model = model_for(rt.function(usual), (X, I))
    names = [one.name for one in model.functions]
    assert sorted(names) == sorted(set(called(model)))
    remainder = next(one for one in model.functions if one.name == "remainder_i32")
    assert (remainder.domain, list(remainder.input), list(remainder.output)) == (
        "autograph", ["x", "y"], ["result"],
    )  # fmt: skip
    assert remainder.doc_string.startswith("Remainder")
    made = {name for node in remainder.node for name in node.output}
    used = {name for node in remainder.node for name in node.input}
    assert made - used == {"result"}, "nothing is computed in vain"


def test_the_call_has_the_line_of_the_user():
    model = model_for(rt.function(usual), (X, I))
    (first, second) = [node for node in model.graph.node if node.op_type == "remainder_i32"]
    assert first.doc_string.endswith(": rest = i % 3")
    assert second.doc_string.endswith(": other = i % 5")


@pytest.mark.parametrize("engine", ["onnxruntime", "onnx.reference"])
def test_every_engine_computes_what_numpy_does(engine):
    model = model_for(rt.function(usual), (X, I))
    with np.errstate(all="ignore"):
        compare(results(model, (X, I), engine), expected_of(usual(X, I)))


def test_the_inlined_model_computes_the_same():
    """`onnx.inliner` writes the bodies in place of the calls, with names that are free."""
    model = onnx.inliner.inline_local_functions(model_for(rt.function(usual), (X, I)))
    assert not model.functions and not called(model)
    with np.errstate(all="ignore"):
        compare(results(model, (X, I)), expected_of(usual(X, I)))


def test_dtypes_have_functions_of_their_own():
    def both(x, i, j):
        return x // 2, i // 2, j // 2, i // i[::-1]

    arrays = np.array([1.5, -2.5]), np.array([3, -3]), np.array([3, -3], np.int8)
    model = model_for(rt.function(both), arrays)
    wanted = [f"floor_divide_{kind}" for kind in ("f64", "i64", "i8", "i64")]
    assert called(model) == wanted
    compare(results(model, arrays), expected_of(both(*arrays)))


def test_one_name_with_two_bodies():
    def both(x):
        return x[1:, 0], x[0, 1:]

    x = np.arange(6.0).reshape(2, 3)
    model = model_for(rt.function(both), (x,))
    assert called(model) == ["getitem_f64", "getitem_f64_2"]
    compare(results(model, (x,)), expected_of(both(x)))


def test_constants_of_the_user_are_operands():
    """The 1 that a rule needs is in the body, and the equal one of the user is not."""
    table = np.array(1)

    def divided(i):
        return i // 1, i // 2, i // table

    model = model_for(rt.function(divided), (np.array([5, -5]),))
    assert called(model) == ["floor_divide_i64"] * 3
    compare(results(model, (np.array([5, -5]),)), expected_of(divided(np.array([5, -5]))))


def test_all_constants_of_the_model_are_used():
    model = model_for(rt.function(usual), (X, I))
    used = {name for node in nodes_of(model.graph.node) for name in node.input}
    assert {one.name for one in model.graph.initializer} <= used


def test_a_refusal_of_onnx_names_the_line_of_the_call():
    def shifted(x):
        return np.sum(x, dtype=np.int8)

    with pytest.raises(ExportError, match="ONNX refuses") as error:
        model_for(rt.function(shifted), (np.ones(3, np.int64),))
    assert ": return np.sum(x, dtype=np.int8)" in str(error.value)
