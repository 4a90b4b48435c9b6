"""No handler of the user's turns a refusal into a result, wherever the handler is."""

import gc
import re
import textwrap
from pathlib import Path

import numpy as np
import pytest

import autograph
import runtime as rt
from tests.programs.swallowing import BODIES, OPERATIONS, PRELUDE
from tests.support.loading import load

X = np.array([[1.0, 2.0], [3.0, 4.0]])


def program(body, operation):
    text = PRELUDE + "def f(x):\n" + textwrap.indent(textwrap.dedent(BODIES[body]), "    ")
    text += """
class Model:
    def call(self, x):
        return f(x)
"""
    return load(text.replace("OPERATION", operation), f"<swallowed {body} {operation}>")


def in_tape(f):
    def run(x):
        with rt.GradientTape() as tape:
            x = tape.watch(x)
            f(x)

    return run


def in_graph(f):
    def run(x):
        with rt.Graph().as_default():
            autograph.to_graph(f)(rt.placeholder(np.float64, x.shape))

    return run


WRAPPERS = {
    "function": lambda f: rt.function(f),
    "nested": lambda f: rt.function(lambda x: rt.function(f)(x) + 1),
    "grad": lambda f: rt.grad(lambda x: np.sum(f(x))),
    "vmap": lambda f: lambda x: rt.vmap(f)(np.stack([x, x])),
    "jvp": lambda f: lambda x: rt.jvp(f, (x,), (x,)),
    "loop": lambda f: rt.function(lambda x: loop(f, x)),
    "tape": lambda f: rt.function(lambda x: taped(f, x)),
    "graph": in_graph,
}


# In a staged loop, calls of the executor are made in each run: nothing is refused.
EXACT = {("loop", "future")}


def loop(f, x):
    y = x
    while np.sum(y) < 100:
        y = y + f(x)
    return y


def taped(f, x):
    with rt.GradientTape() as tape:
        x = tape.watch(x)
        y = np.sum(f(x))
    return tape.gradient(y, x)


# A finalizer prints what it raises; each test transforms a function of its own.
IGNORED = pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning", "ignore::runtime.RetracingWarning"
)


@pytest.fixture(autouse=True)
def coroutines_that_nobody_awaited(request):
    """Frees the coroutines of a refused program in its own test, where their warnings are
    ignored."""
    yield
    if "gather" in request.node.name:
        gc.collect()


@IGNORED
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_a_swallowed_refusal_is_raised(body, wrapper):
    module = program(body, "sign")
    if (wrapper, body) in EXACT:
        np.testing.assert_array_equal(WRAPPERS[wrapper](module.f)(X), loop(module.f, X))
        return
    with pytest.raises(rt.StagingError, match=f"<swallowed {body} sign>, line "):
        WRAPPERS[wrapper](module.f)(X)


@IGNORED
@pytest.mark.parametrize("body", BODIES)
def test_every_kind_of_refusal_is_raised(body):
    operations = list(OPERATIONS.values())
    module = program(body, operations[list(BODIES).index(body) % len(operations)])
    with pytest.raises(rt.StagingError):
        rt.function(module.Model().call)(X)


@pytest.mark.parametrize("body", ["except_all", "helper", "suppress_all", "finally_return"])
def test_a_tape_outside_of_functions_raises_a_swallowed_refusal(body):
    module = program(body, "rt.placeholder(np.float64) if False else unsupported")
    module.unsupported = lambda x: x.dumps()
    with pytest.raises(rt.StagingError):
        in_tape(module.f)(X)


def test_the_library_catches_refusals_in_one_place():
    root = Path(autograph.__file__).parent.parent
    handlers = re.compile(
        r"^\s*except\b.*\b(StagingError|(?<!ag__\.)Refused)\b|\bsuppress\(.*Staging"
    )
    found = {
        f"{path.relative_to(root)}: {line.strip()}"
        for folder in ("autograph", "runtime")
        for path in (root / folder).rglob("*.py")
        for line in path.read_text().splitlines()
        if handlers.search(line)
    }
    assert found == {
        "autograph/staging/refusals.py: except (Refused, StagingError) as refusal:",
        # adds the name of the function and the argument, and raises it again:
        "runtime/staging/calls/refused_arguments.py: except Refused as refused:",
        # what a trial of a loop has recorded is undone, and the code is recorded in another way:
        "runtime/staging/control_flow/trial.py: except (Exception, Refused, Diverged) as error:",
        "runtime/staging/control_flow/known_loop.py: except Refused as refusal:",
        "runtime/function/recorded_again.py: except (Exception, Refused) as error:",
    }


def test_a_refusal_of_an_attempt_of_the_library_is_forgotten():
    @rt.function
    def last_row(x, n):
        view = x
        for i in range(n):
            view = x[i]  # after the loop, its index is not known
        x[0] = 1.0
        return view * 2

    x = np.arange(6.0).reshape(3, 2)
    with pytest.raises(rt.StagingError):
        last_row(x, np.int64(3))


DTYPES = {
    "operand": "x + np.array([[1, 2]], dtype=object)",
    "wide": "x + np.ones(2, np.longdouble)",
    "text": "np.concatenate([x[0], np.array(['a'])])",
    "cast": "x.astype(object)",
    "cast_to_text": "x.astype('S3')",
    "copy": "np.array(x, dtype='U5')",
    "sum": "np.sum(x, dtype=object)",
    "time": "x.astype('m8[D]')",
}


@pytest.mark.parametrize("expression", DTYPES.values(), ids=DTYPES)
def test_a_dtype_that_graphs_do_not_support_is_refused_whatever_handler_is_around(expression):
    module = program("except_type_error", f"(lambda x: {expression})")
    with pytest.raises(rt.errors.NotStageableError, match="cannot be staged"):
        rt.function(module.f)(X)


def test_membership_in_a_string_raises_the_error_of_python():
    def is_letter(x):
        try:
            return x in "abc"
        except TypeError as error:
            return str(error)

    assert rt.function(is_letter)(np.float64(2.0)) == is_letter(np.float64(2.0))
