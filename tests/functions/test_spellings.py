"""Names that users of other libraries type are answered with ours (`runtime/spellings`)."""

import copy
import inspect
import pickle
import re

import numpy as np
import pytest

import autograph
import runtime as rt
from autograph import spellings
from runtime.spellings import members, modules, options

MODULES = [
    (rt, modules.RT),
    (rt.config, modules.CONFIG),
    (rt.nn, modules.NN),
    (rt.optimizers, modules.OPTIMIZERS),
    (rt.random, modules.RANDOM),
    (autograph, spellings.AUTOGRAPH),
]
with rt.Graph().as_default() as _graph:
    _placeholder = rt.placeholder(np.float64, (3,), name="x")


def double(x):
    return x * 2


OBJECTS = [
    (rt.Variable(np.ones(3)), members.VARIABLE),
    (rt.GradientTape(), members.TAPE),
    (rt.optimizers.SGD(0.1), members.OPTIMIZER),
    (rt.function(double), members.FUNCTION),
    (rt.function(double).get_concrete_function(np.ones(3)), members.CONCRETE),
    (rt.Graph(), members.GRAPH),
    (rt.Session(), members.SESSION),
]
CALLS = [
    (lambda **given: rt.function(double, **given), options.FUNCTION),
    (lambda **given: rt.grad(double, **given), options.DIFFERENTIATE),
    (lambda **given: rt.value_and_grad(double, **given), options.DIFFERENTIATE),
    (lambda **given: rt.hessian(double, **given), options.DIFFERENTIATE),
    (lambda **given: rt.vmap(double, **given), options.BATCH),
    (lambda **given: rt.Variable(1.0, **given), options.VARIABLE),
    (lambda **given: rt.GradientTape(**given), options.TAPE),
    (lambda **given: rt.optimizers.Adam(0.1, **given), options.OPTIMIZER),
    (lambda **given: rt.nn.Dense(3, **given), options.LAYER),
    (lambda **given: rt.Session(**given), options.SESSION),
]
OURS = ("use_bias", "inputs")  # options of `Dense`, but not of the other layers
ATTRIBUTES = [(owner, name) for owner, known in MODULES + OBJECTS for name in known]
GIVEN = [(call, name) for call, known in CALLS for name in known if name not in OURS]
ALL = [row for _, known in MODULES + OBJECTS + CALLS for row in known.values()]


def test_there_is_an_answer_to_most_names_that_a_newcomer_types():
    assert len(ATTRIBUTES) > 250
    assert len(GIVEN) > 80


@pytest.mark.parametrize(
    "owner, name", ATTRIBUTES, ids=lambda one: one if isinstance(one, str) else ""
)
def test_a_missing_attribute_names_ours(owner, name):
    assert not hasattr(owner, name)
    with pytest.raises(AttributeError) as caught:
        getattr(owner, name)
    assert f"`{name}` is a name of " in str(caught.value)
    assert "Write " in str(caught.value)


@pytest.mark.parametrize("call, name", GIVEN, ids=lambda one: one if isinstance(one, str) else "")
def test_an_unknown_option_names_ours(call, name):
    with pytest.raises(TypeError, match=f"has no option '{name}'\n`{name}` is a name of .*\nWrite"):
        call(**{name: 1})


@pytest.mark.parametrize("row", ALL, ids=lambda row: row.name)
def test_an_answer_names_only_what_exists(row):
    for path in re.findall(r"\b(?:rt|np|autograph)(?:\.\w+)+", row.answer):
        found = {"rt": rt, "np": np, "autograph": autograph}
        first, *rest = path.split(".")
        value = found[first]
        for name in rest:
            value = getattr(value, name)


@pytest.mark.parametrize(
    "owner, name, ours",
    [
        (rt, "functoin", "rt.function"),
        (rt, "stop_gradients", "rt.stop_gradient"),
        (autograph, "to_grap", "autograph.to_graph"),
        (rt.nn, "Dens", "rt.nn.Dense"),
        (rt.optimizers, "Addam", "rt.optimizers.Adam"),
        (rt.random, "noraml", "rt.random.normal"),
        (rt.config, "use_thread", "rt.config.use_threads"),
        (OBJECTS[0][0], "assign_ad", ".assign_add"),
        (OBJECTS[1][0], "gradiemt", ".gradient"),
    ],
)
def test_a_misspelt_name_is_answered_with_the_nearest(owner, name, ours):
    with pytest.raises(AttributeError) as caught:
        getattr(owner, name)
    assert str(caught.value).endswith(f"Did you mean {ours}?")


def test_a_name_of_numpy_is_answered_with_numpy():
    with pytest.raises(AttributeError, match="Write np.linspace"):
        rt.linspace  # noqa: B018


def test_an_import_statement_gets_the_answer_too():
    with pytest.raises(ImportError, match="Write @rt.function"):
        from runtime import jit  # noqa: F401
    with pytest.raises(ImportError, match="names of the package itself"):
        from autograph import experimental  # noqa: F401


def test_the_attributes_of_arrays_in_graphs_keep_the_message_of_numpy():
    @rt.function
    def f(x):
        return x.detach()

    with pytest.raises(AttributeError) as caught:
        f(np.ones(2))
    assert str(caught.value) == "'numpy.ndarray' object has no attribute 'detach'"
    (note,) = caught.value.__notes__
    assert "rt.stop_gradient(x)" in note
    assert not rt.function(lambda x: hasattr(x, "detach"))(np.ones(2))


def test_options_are_checked_and_signatures_stay():
    assert "jit_compile" not in str(inspect.signature(rt.function))
    assert list(inspect.signature(rt.optimizers.Adam).parameters)[0] == "learning_rate"

    class Decay(rt.optimizers.SGD):
        def __init__(self, **options):
            super().__init__(options["rate"])

    assert Decay(rate=0.5).learning_rate == 0.5


def test_objects_are_still_copied_and_pickled():
    variable, optimizer = rt.Variable([1.0, 2.0]), rt.optimizers.Adam(0.5)
    for copied in (copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))):
        assert list(copied(variable).value) == [1.0, 2.0]
        assert copied(optimizer).learning_rate == 0.5
