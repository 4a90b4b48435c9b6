"""Programs with control flow under `jax.jit`: their results and gradients are those of Python.

`tests/programs/jax_expected.json` has the results of plain Python, which the long test computes.
"""

import json
from pathlib import Path

import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed")

import jax.numpy as jnp  # noqa: E402
import jax_programs  # noqa: E402
import numpy as np  # noqa: E402
from jax_programs import DIFFERENTIABLE, EXPECTED, PROGRAMS  # noqa: E402

import autograph  # noqa: E402

# Programs of a few equations: compiling them takes longer than running them.
QUICK = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}

FILE = Path(jax_programs.__file__).with_name("jax_expected.json")
RECORDED = json.loads(FILE.read_text()) if FILE.exists() else {}
CASES = {
    f"{name}-{i}": (function, arguments)
    for name, (function, cases) in PROGRAMS.items()
    for i, arguments in enumerate(cases)
}


def results(function, arguments):
    """The leaves of a result."""
    return jax.tree.leaves(function(*arguments))


def gradients(function, arguments):
    """The leaves of the gradient with respect to the first argument."""

    def total(*args):
        return sum(jnp.sum(x) for x in jax.tree.leaves(function(*args)))

    return jax.tree.leaves(jax.grad(total)(*arguments))


def check(found, recorded):
    assert len(found) == len(recorded)
    for one, other in zip(found, recorded, strict=True):
        assert np.shape(one) == np.shape(other)
        np.testing.assert_allclose(one, other, rtol=3e-5, atol=1e-6)


@pytest.mark.parametrize("case", CASES)
def test_a_jitted_program_returns_what_python_does(case):
    function, arguments = CASES[case]
    check(
        results(jax.jit(autograph.to_graph(function), compiler_options=QUICK), arguments),
        RECORDED[case]["result"],
    )


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_the_gradient_of_a_program_is_that_of_python(name):
    function, cases = PROGRAMS[name]
    converted = autograph.to_graph(function)
    jitted = jax.jit(lambda *args: gradients(converted, args), compiler_options=QUICK)
    for i, arguments in enumerate(cases):
        arguments = jax.tree.map(jnp.asarray, arguments)
        check(jitted(*arguments), RECORDED[f"{name}-{i}"]["gradient"])


@pytest.mark.thorough
@pytest.mark.parametrize("case", CASES)
def test_the_recorded_results_are_those_of_python(case, request):
    function, arguments = CASES[case]
    plain = EXPECTED.get(function.__name__, function)
    arguments = jax.tree.map(jnp.asarray, arguments)
    found = {"result": results(plain, arguments)}
    if function.__name__ in DIFFERENTIABLE:
        found["gradient"] = gradients(plain, arguments)
    found = {key: [np.asarray(x).tolist() for x in leaves] for key, leaves in found.items()}
    if request.config.getoption("--bless"):
        RECORDED[case] = found
        FILE.write_text(json.dumps(RECORDED, indent=1, sort_keys=True) + "\n")
    for key, leaves in found.items():
        check(leaves, RECORDED[case][key])
