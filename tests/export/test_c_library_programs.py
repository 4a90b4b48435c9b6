"""The collections of programs as C libraries: each computes what Python computes, or is refused.

`pytest -s -m thorough -k counts` prints how many programs are refused, and why.
"""

import collections
import copy
import importlib
import shutil
import sys

import language_binding  # noqa: F401  (fills PROGRAMS, like those that follow)
import language_classes  # noqa: F401
import language_comprehensions  # noqa: F401
import language_lists  # noqa: F401
import language_match  # noqa: F401
import language_none  # noqa: F401
import language_text  # noqa: F401
import numpy as np
import pytest
from outcomes import outcome
from programs import PROGRAMS

import runtime as rt
from runtime.engines.native.vector_math import FORMULAS
from runtime.errors import ExportError
from runtime.ir.graph import walk
from runtime.ir.pytree import flatten

pytest.importorskip("llvmlite", reason="the `native` extra installs it")
from c_library import CLibrary  # noqa: E402

pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler (cc)"),
    pytest.mark.skipif(sys.platform != "linux", reason="ctypes loads the ELF files of Linux here"),
]
DOMAINS = [
    "dynamic_programming", "graphs", "images", "linear_algebra", "networks", "robotics",
    "simulations", "statistics", "stencils",
]  # fmt: skip
NAMES = [name for name, program in PROGRAMS.items() if program.staged]
EXAMPLES = [
    example
    for domain in DOMAINS
    for example in importlib.import_module(f"domain_{domain}").PROGRAMS
]
ROUNDED = {
    *FORMULAS,
    "power",
    "pow",
    "matmul",
    "dot",
    "linalg.norm",
}  # ops that need not have NumPy's last bits
OK, RANGE = 0, 3


def refusal(function, calls):
    """Compares the libraries of a function with Python for some calls; why one is refused, or
    None."""
    for given in calls:
        arguments = outcome(tuple, [given]).result
        seen = outcome(function, given)
        try:
            concrete = rt.function(function).get_concrete_function(*arguments)
        except Exception:  # it cannot be staged, or raises while it is
            return "it has no graph"
        try:
            library = CLibrary(concrete)
        except ExportError as error:
            first, *rest = str(error).splitlines()
            why = next((one for one in rest if not one.startswith(" ")), "")
            return f"{first.partition('cannot be compiled: ')[2]}: {why}"
        leaves = flatten(copy.deepcopy(given))[0]
        taken = [one for one in leaves if isinstance(one, (np.ndarray, np.generic))]
        status, message, found = library(*taken)
        if seen.error is not None:
            assert status != OK, f"Python raises {seen.error}"
        elif status == RANGE:
            return f"a number leaves its machine type: {message.partition(' (')[0]}"
        else:
            assert (status, message) == (OK, "")
            assert not seen.printed, "a library prints nothing"
            compare(library, found, taken, function, copy.deepcopy(given))
    return None


def compare(library, found, taken, function, given):
    """Compares results and arrays that are written into with those of Python."""
    arguments = flatten(given)[0]
    result = function(*given)
    arrays = [one for one in arguments if isinstance(one, (np.ndarray, np.generic))]
    leaves = [one for one in flatten(result)[0] if one is not None]
    pairs = zip(leaves, library.signature.parts, strict=True)
    expected = [leaf for leaf, part in pairs if part is not None]
    ops = {node.op.name for node in walk(library.concrete.graph)}
    tolerance = 1e-12 if ops & ROUNDED else 0
    pairs = zip([*found, *taken], [*expected, *arrays], strict=True)
    for one, other in pairs:
        assert np.shape(one) == np.shape(other)
        np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)


def few_of(found):
    """Parameters of which all but every twenty-fifth are thorough."""
    thorough = pytest.mark.thorough
    return [pytest.param(one, marks=() if i % 25 == 4 else thorough) for i, one in enumerate(found)]


@pytest.mark.parametrize("name", few_of(NAMES))
def test_a_program_of_the_language(name):
    program = PROGRAMS[name]
    reason = refusal(program.function, program.staged)
    if reason is not None:
        pytest.skip(reason)


@pytest.mark.parametrize("example", few_of(EXAMPLES), ids=repr)
def test_a_program_of_a_domain(example):
    reason = refusal(example.function, [example.arguments])
    if reason is not None:
        pytest.skip(reason)


@pytest.mark.thorough
def test_counts_of_refused_programs():
    reasons = collections.Counter()
    for name in NAMES:
        reasons[refusal(PROGRAMS[name].function, PROGRAMS[name].staged[:1])] += 1
    for example in EXAMPLES:
        reasons[refusal(example.function, [example.arguments])] += 1
    compiled = reasons.pop(None)
    print(f"\n{compiled} of {len(NAMES) + len(EXAMPLES)} programs are compiled")
    for reason, count in reasons.most_common():
        print(f"{count:5}  {reason}")
    assert compiled > len(NAMES + EXAMPLES) / 5
