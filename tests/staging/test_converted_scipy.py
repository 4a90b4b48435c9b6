"""SciPy's own code, converted: `convert_packages=["scipy"]`.

A call that graphs can record is converted; any other is a call of each run.  Either way the bits
are those of Python.
"""

import sys
import warnings
from types import ModuleType

import pytest
from library_programs import copies, same_bits
from scipy_calls import scipy_calls

import runtime as rt

pytest.importorskip("scipy", reason="SciPy is not installed: pip install autograph-numpy[scipy]")

CALLS = {name: (function, arguments) for name, function, arguments in scipy_calls()}
# A part of those whose code graphs can record, from each module of SciPy.
CONVERTED = """
distance.braycurtis(x, y)
distance.canberra(x, y)
distance.correlation(x, y)
distance.jensenshannon(x, y)
fft.fftshift(x)
integrate.fixed_quad(np.cos, 0, a)[0]
integrate.trapezoid(x)
linalg.companion(a)
linalg.hankel(a)
linalg.norm(a)
ndimage.center_of_mass(x)
ndimage.sum_labels(x, x > 0, [0, 1])
signal.argrelmax(x)
signal.chirp(t, 1.0, 2.0, 3.0)
signal.gausspulse(t, fc=2)
signal.sawtooth(t)
special.comb(x, 2.0)
special.log_softmax(x)
special.logit(x)
special.softmax(x)
stats.wasserstein_distance(x, y)
""".strip().splitlines()
MAY_BE_CALLED = 3  # of these: another version of SciPy is written in another way
# Some that graphs cannot record in most versions.
CALLED = """
Rotation.from_rotvec(r).as_matrix()
distance.minkowski(x, y)
stats.t.pdf(x, 3)
""".strip().splitlines()
MOST_CONVERTED = 55  # of all calls, at least


def converted(name):
    """A function that converts SciPy, after two calls with the bits of Python."""
    function, arguments = CALLS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = function(*copies(arguments))
        staged = rt.function(function, convert_packages=["scipy"])
        for _ in range(2):
            assert same_bits(staged(*copies(arguments)), expected), name
    return staged


def is_called(staged):
    return any("library_call" in str(one.graph) for one in staged.graphs)


def test_what_graphs_can_record_is_converted():
    called = [name for name in CONVERTED if is_called(converted(name))]
    assert len(called) <= MAY_BE_CALLED, called


def test_what_they_cannot_record_is_called():
    called = [name for name in CALLED if name in CALLS and is_called(converted(name))]
    assert len(called) >= 2, called


def test_a_graph_of_a_converted_package_is_used_again_although_modules_are_loaded():
    name = CALLED[0]
    staged = converted(name)
    before = len(staged.graphs)
    sys.modules["loaded_later"] = ModuleType("loaded_later")
    try:
        staged(*copies(CALLS[name][1]))
    finally:
        del sys.modules["loaded_later"]
    assert len(staged.graphs) == before


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(8))
def test_all_calls_have_the_bits_of_python(part):
    staged = [converted(name) for name in list(CALLS)[part::8]]
    assert sum(not is_called(one) for one in staged) >= MOST_CONVERTED // 8 - 4
