"""Programs of the collection, and ops, as files: another process runs them without their code."""

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import language_binding  # noqa: F401  (fills PROGRAMS, like those that follow)
import language_classes  # noqa: F401
import language_comprehensions  # noqa: F401
import language_lists  # noqa: F401
import language_match  # noqa: F401
import language_none  # noqa: F401
import language_text  # noqa: F401
import numpy as np
import pytest
from op_samples import kind_of
from outcomes import check_same, outcome, same_exactly
from programs import PROGRAMS

import runtime as rt
from runtime.errors import SaveError
from runtime.ir import op as ops
from runtime.ir.graph import PYTHON_SCALARS, Graph, Node, Value, operand_type
from runtime.ops.examples import calls_of

NAMES = [name for name, program in PROGRAMS.items() if program.staged]
# Results and exceptions of classes of the user, which no other process has.
WITHOUT_FILES = {"a class that only its code has", "it needs TooLarge"}
OTHER_PROCESS = """
import json, pickle, sys, warnings
sys.path[:0] = json.loads(sys.argv[1])
warnings.simplefilter("ignore")
import runtime as rt
from outcomes import outcome
found = []
for path, calls in pickle.loads(sys.stdin.buffer.read()):
    loaded = rt.load(path)
    found.append([outcome(loaded, given) for given in calls])
assert "programs" not in sys.modules
sys.stdout.buffer.write(pickle.dumps(found))
"""


def saved(name, path, most):
    """The calls of a program that its file answers, with the outcomes of runs of its graphs."""
    program, calls = PROGRAMS[name], []
    staged = rt.function(program.function)
    for given in program.staged[:most]:
        outcome(staged, given)  # traces it, which may print
        calls.append((given, outcome(staged, given)))
    try:
        rt.save(path, staged)
    except SaveError as error:
        assert any(words in str(error) for words in WITHOUT_FILES), f"{name}: {error}"
        return []
    return calls


def check_in_another_process(names, tmp_path, most=None):
    runs = [
        (tmp_path / f"{name}.zip", saved(name, tmp_path / f"{name}.zip", most)) for name in names
    ]
    runs = [(path, calls) for path, calls in runs if calls]
    assert len(runs) > len(names) / 2
    folders = [str(Path(rt.__file__).parents[1]), str(Path(__file__).parents[1] / "support")]
    asked = pickle.dumps([(str(path), [given for given, _ in calls]) for path, calls in runs])
    command = [sys.executable, "-c", OTHER_PROCESS, json.dumps(folders)]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    ran = subprocess.run(command, input=asked, capture_output=True, cwd=tmp_path, env=environment)
    assert ran.returncode == 0, ran.stderr.decode()
    for (path, calls), found in zip(runs, pickle.loads(ran.stdout), strict=True):
        for (_, wanted), seen in zip(calls, found, strict=True):
            try:
                check_same(seen, wanted, same_exactly)
            except AssertionError as error:
                raise AssertionError(f"{path.stem}: {error}") from error


@pytest.mark.filterwarnings("ignore::runtime.RetracingWarning")
def test_a_sample_of_programs_runs_in_another_process(tmp_path):
    check_in_another_process(NAMES[::50], tmp_path, most=2)


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore::runtime.RetracingWarning")
def test_all_programs_run_in_another_process(tmp_path):
    check_in_another_process(NAMES, tmp_path)


def graph_of(op, operands, attributes):
    """A graph of one node."""
    inputs = tuple(x if type(x) in PYTHON_SCALARS else Value(kind_of(x), "x") for x in operands)
    types = op.infer_types(tuple(map(operand_type, inputs)), attributes, {})
    outputs = tuple(Value(kind, "y") for kind in types)
    values = [x for x in inputs if isinstance(x, Value)]
    return Graph("f", values, [Node(op, inputs, outputs, attributes)], list(outputs))


# A piece of a native program, which exists in its process only.
WITHOUT_TEXT = {"native_piece"}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("op", ops.records(), ids=lambda op: op.name)
def test_the_text_of_every_op_reads_back(op):
    if op.control_flow is not None or op.name in WITHOUT_TEXT:
        return  # graphs of the collection have all control flow
    with np.errstate(all="ignore"):
        for operands, attributes in calls_of(op)[:2]:
            if not any(x is None for x in operands):
                text = str(graph_of(op, operands, attributes))
                assert str(rt.parse(text)) == text
