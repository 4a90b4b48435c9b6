"""Random NumPy programs: operators, functions, reductions, subscripts, views and writes.

A program is a few statements over a growing number of variables, such as

    a3 = a0[1:, None] * a1
    a3[0] += 2
    a4 = a3.reshape(-1)

It must have the same outcome in a graph: values, dtypes, shapes and types of all variables, the
arguments after the call, errors and their messages.
"""

import numpy as np
import pytest
from budget import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from loading import load
from outcomes import result_or_error, same_exactly

import runtime as rt
from runtime.engines.numpy.codegen import Writer
from runtime.function.function_tracer import FunctionTracer
from runtime.tracing import aliases

DTYPES = ("float64", "float32", "int64", "int8", "uint8", "bool", "complex128")
SHAPES = ((3,), (2, 3), (3, 2), (3, 3), (1, 3), (), (0, 3), (2, 1, 3))
NUMBERS = ("2", "-1", "0.5", "True", "0", "300", "np.float32(1.5)", "np.int8(3)", "1j")
OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "&", "|", "==", "<", ">=", "@")
IN_PLACE = ("+=", "-=", "*=", "/=", "//=", "&=")
UNARY = (
    "-{}", "abs({})", "~{}", "np.sqrt({})", "np.exp({})", "np.sign({})", "np.square({})",
    "np.isnan({})", "np.floor({})", "np.logical_not({})", "{}.copy()", "np.conj({})",
    "np.sort({})", "np.argsort({}, kind='stable')", "np.unique({})", "np.cumsum({})",
    "np.nonzero({})", "np.ravel({}).tolist()", "{}.astype('float32')", "{}.astype('int8')",
    "np.zeros_like({})", "np.diff({})", "np.atleast_2d({})", "np.array({})", "np.repeat({}, 2)",
    "np.round({})", "np.clip({}, 0, 1)", "np.where({} > 0, 1, {})", "len({})", "{}.item()",
)  # fmt: skip
REDUCTIONS = ("sum", "prod", "mean", "max", "min", "any", "all", "argmax", "std", "cumsum")
ARGUMENTS = ("", "0", "-1", "axis=1", "axis=0, keepdims=True", "axis=(0, 1)")
BINARY = (
    "np.maximum({}, {})", "np.add({}, {})", "np.concatenate([{}, {}])", "np.where({} > 0, {}, 0)",
    "np.power({}, {})", "np.outer({}, {})", "np.dot({}, {})", "np.stack([{}, {}])",
    "np.arctan2({}, {})", "np.broadcast_arrays({}, {})", "np.append({}, {})", "np.isin({}, {})",
    "np.array_equal({}, {})", "np.copysign({}, {})", "divmod({}, {})",
)  # fmt: skip
VIEWS = (
    "{}.T", "{}.reshape(-1)", "np.ravel({})", "{}[None]", "{}.swapaxes(0, -1)", "np.flip({})",
    "{}[...]", "np.squeeze({})", "np.expand_dims({}, 0)", "{}.real", "np.diagonal({})",
    "np.rot90({})", "{}.view()", "np.asarray({})", "{}.reshape(3, -1)", "np.split({}, 1)[0]",
)  # fmt: skip
SUBSCRIPTS = (
    "0", "-1", "1:", "::-1", "...", "None", ":, 0", "0, 1", "[0, 1]", "::2, 1:", "..., 0", "5",
    ":0", "[True, False, True]", "(0, 1), 0", "..., None", ":, [0, -1]", "np.array([1, 0])",
)  # fmt: skip
WRITES = (
    "np.add({0}, {1}, out={0})", "{0}.fill({1})", "{0}.sort()", "np.copyto({0}, {1})",
    "np.put({0}, [0, 1], {1})", "np.add.at({0}, [0, 0], {1})", "np.putmask({0}, {0} > 0, {1})",
    "{0}.flat[1] = {1}", "np.multiply({0}, {1}, out={0}, where={0} > 0)", "{0}.partition(0)",
)  # fmt: skip


@st.composite
def programs(draw):
    """The source of a program, and its arguments."""
    inputs = [(draw(st.sampled_from(DTYPES)), draw(st.sampled_from(SHAPES))) for _ in range(2)]
    lines, names = [], ["a0", "a1"]

    def variable():
        return draw(st.sampled_from(names))

    def operand():
        return draw(st.sampled_from(NUMBERS)) if draw(st.booleans()) else variable()

    def subscript():
        return draw(st.one_of(st.sampled_from(SUBSCRIPTS), st.just(f"{variable()} > 0")))

    for _ in range(draw(st.integers(1, 6))):
        kind = draw(
            st.sampled_from("operator unary reduction binary view item write assign".split())
        )
        one, other = variable(), operand()
        match kind:
            case "operator":
                text = f"{one} {draw(st.sampled_from(OPERATORS))} {other}"
                text = text if draw(st.booleans()) else " ".join(reversed(text.split(" ")))
            case "unary":
                text = draw(st.sampled_from(UNARY)).replace("{}", one)
            case "reduction":
                name, arguments = (
                    draw(st.sampled_from(REDUCTIONS)),
                    draw(st.sampled_from(ARGUMENTS)),
                )
                text = f"{one}.{name}({arguments})"
            case "binary":
                text = draw(st.sampled_from(BINARY)).format(one, other)
            case "view":
                text = draw(st.sampled_from(VIEWS)).format(one)
            case "item":
                text = f"{one}[{subscript()}]"
            case "write":
                lines.append(draw(st.sampled_from(WRITES)).format(one, other))
                continue
            case "assign":
                place = draw(st.sampled_from((one, f"{one}[{subscript()}]")))
                sign = draw(st.sampled_from(IN_PLACE if place == one else ("=", *IN_PLACE)))
                lines.append(f"{place} {sign} {other}")
                continue
        names.append(f"a{len(names)}")
        lines.append(f"{names[-1]} = {text}")
    body = "".join(f"    {line}\n" for line in lines)
    return f"def program(a0, a1):\n{body}    return ({', '.join(names)},)\n", inputs


def made(dtype, shape):
    """An array without a pattern, with negative numbers, zeros and, if its dtype has it, nan."""
    numbers = np.array([1.5, -2.0, 0.0, 3.25, -0.0, 7.0, np.nan, 2.0, -1.0])
    if dtype not in ("float64", "float32", "complex128"):
        numbers = np.nan_to_num(numbers, nan=4.0)
        numbers = np.abs(numbers) if dtype == "uint8" else numbers
    return np.resize(numbers, shape).astype(dtype)


def function_of(text):
    """The function that a program's source defines."""
    return load(text, f"<random numpy {abs(hash(text))}>", np=np).program


# The order of two errors in one statement may differ.
NUMPYS_ERRORS = (TypeError, ValueError, IndexError, OverflowError, ZeroDivisionError)

# Messages of refusals that NumPy does not have.
EXPLAINED = ("not a view, and one of them is written into",)


def until_it_fails(text, inputs):
    """A program up to the statement that raises: later statements may be refused earlier."""
    head, *lines, last = text.splitlines(keepends=True)
    for count in range(len(lines) + 1):
        names = ["a0", "a1", *(line.split()[0] for line in lines[:count] if " = " in line[:9])]
        part = "".join([head, *lines[:count], f"    return ({', '.join(names)})\n"])
        if isinstance(
            result_or_error(function_of(part), [made(*one) for one in inputs]), Exception
        ):
            return part
    return text


def check(text, inputs):
    """Fails if a program has another outcome in a graph; returns whether it was refused."""
    text = until_it_fails(text, inputs)
    function = function_of(text)
    mine, theirs = ([made(*one) for one in inputs] for _ in range(2))
    expected = result_or_error(function, theirs)
    result = result_or_error(rt.function(function), mine)
    if isinstance(result, rt.StagingError) or any(why in str(result) for why in EXPLAINED):
        return True
    if isinstance(expected, Exception):
        assert type(result) is type(expected) or isinstance(result, NUMPYS_ERRORS), (
            text,
            result,
            expected,
        )
        return False
    assert same_exactly(result, expected), (text, result, expected)
    assert same_exactly(mine, theirs), (text, mine, theirs)
    return False


@settings(
    max_examples=examples(400),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(programs())
def test_a_random_program_has_the_same_outcome_in_a_graph(program):
    check(*program)


# -- the check finds faults ------------------------------------------------------------------------


def never_looks_at_views_again(patch):
    patch.setattr(aliases, "_is_current", lambda view, at, recorder: True)


def forgets_that_views_are_written_through(patch):
    patch.setattr(aliases, "_base_after_write", lambda view, new: view.sources[0].snapshot())


def forgets_what_was_written_into_arguments(patch):
    patch.setattr(FunctionTracer, "_written_inputs", lambda self: [])


def takes_arrays_without_dimensions_for_scalars(patch):
    handed_out = Writer.handed_out
    patch.setattr(Writer, "handed_out", lambda self, o: f"{handed_out(self, o)}[()]")


def gives_another_dtype(patch):
    handed_out = Writer.handed_out
    patch.setattr(Writer, "handed_out", lambda self, o: f"np.complex128({handed_out(self, o)})")


def raises_something_else(patch):
    patch.setattr(Writer, "handed_out", lambda self, o: "nothing")


PROGRAM = """def program(a0, a1):
    a2 = a0[::-1]
    a0[0] = 7.5
    a3 = a2 + 1
    a2[0] = a1[0]
    a4 = a0[...]
    a5 = np.squeeze(a1)
    return (a2, a3, a4, a5)
"""


@pytest.mark.parametrize(
    "plant",
    [
        never_looks_at_views_again,
        forgets_that_views_are_written_through,
        forgets_what_was_written_into_arguments,
        takes_arrays_without_dimensions_for_scalars,
        gives_another_dtype,
        raises_something_else,
    ],
)
def test_the_check_finds_a_fault(plant, monkeypatch):
    inputs = [("float64", (3,)), ("float64", (1,))]
    assert check(PROGRAM, inputs) is False
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        check(PROGRAM, inputs)
