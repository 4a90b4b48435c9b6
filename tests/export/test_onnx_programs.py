"""The collections of programs as ONNX models: each computes what Python computes, or is refused.

`pytest -s -m thorough -k counts` prints how many programs are refused, and why.
"""

import collections
import importlib
import random

import every_collection
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
from runtime.errors import ExportError

onnxruntime = pytest.importorskip("onnxruntime", reason="the `test` extra installs it")
from onnx_runs import compare, expected_of, model_for, results  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
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


def refusal(function, calls):
    """Compares the models of a function with Python for some calls; why one is refused, or None."""
    for given in calls:
        seen = outcome(function, given)
        try:
            model = model_for(rt.function(function), outcome(tuple, [given]).result)
        except ExportError as error:
            return str(error).splitlines()[0].partition("cannot be exported: ")[2]
        except Exception:  # it cannot be staged, or raises while it is
            return "it has no graph"
        if seen.error is not None:
            with pytest.raises(Exception):
                results(model, given)
            continue
        assert not seen.printed, "a model prints nothing"
        compare(_widened(results(model, given), seen.result), expected_of(seen.result))
    return None


def _widened(found, result):
    """The results in the dtypes that Python gives: a staged branch may join an int and a float."""
    expected = expected_of(result)
    assert len(found) == len(expected)
    return [
        one.astype(other.dtype) if np.can_cast(other.dtype, one.dtype) else one
        for one, other in zip(found, expected, strict=True)
    ]


def few_of(found):
    """Parameters of which all but every tenth are thorough."""
    thorough = pytest.mark.thorough
    return [pytest.param(one, marks=() if i % 10 == 4 else thorough) for i, one in enumerate(found)]


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


OTHER_COLLECTIONS = [
    name
    for name in every_collection.collections()
    if name != "programs" and not name.startswith(("language_", "domain_"))
]


def reason(function, calls):
    """Why a program has no model, or its runs end; None if it computes the same.

    Runs end where Python goes on with numbers that ONNX has no exact form for: `np.nan` as an int.
    """
    try:
        return refusal(function, calls)
    except onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument as error:
        assert "out of data bounds" in str(error), error  # `Writer.require`
        return "a run ends"


def test_some_programs_of_the_other_collections():
    programs = {
        f"{module}.{name}": program
        for module in OTHER_COLLECTIONS
        for name, program in every_collection.programs_of(module).items()
    }
    names = random.Random(1).sample(sorted(programs), 40)
    reasons = [reason(*programs[name]) for name in names]
    assert reasons.count(None) > len(names) / 4 and reasons.count("a run ends") < 3


@pytest.mark.thorough
@pytest.mark.parametrize("module", OTHER_COLLECTIONS)
def test_the_programs_of_another_collection(module):
    programs = every_collection.programs_of(module)
    counts = collections.Counter(reason(*program) for program in programs.values())
    assert counts["a run ends"] <= max(1, len(programs) / 20), counts
    if counts[None] == 0:
        pytest.skip("all of its programs are refused")


@pytest.mark.thorough
def test_counts_of_refused_programs():
    reasons = collections.Counter()
    for name in NAMES:
        reasons[refusal(PROGRAMS[name].function, PROGRAMS[name].staged[:1])] += 1
    for example in EXAMPLES:
        reasons[refusal(example.function, [example.arguments])] += 1
    exported = reasons.pop(None)
    print(f"\n{exported} of {len(NAMES) + len(EXAMPLES)} programs are exported")
    for reason, count in reasons.most_common():
        print(f"{count:5}  {reason}")
    assert exported > len(NAMES + EXAMPLES) / 2
