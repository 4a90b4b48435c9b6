"""Random programs, saved by this process: another one loads them, and has the same results."""

import json
import pickle
import random
import subprocess
import sys

import pytest
import random_mixed_scalars
import random_texts
import random_yields
from budget import examples
from loading import load
from outcomes import check_same, outcome, quiet, same_exactly

import runtime as rt
from runtime.errors import SaveError

GENERATORS = (random_mixed_scalars, random_texts, random_yields)
OTHER_PROCESS = """
import json, pickle, sys, warnings
sys.path[:0] = json.loads(sys.argv[1])
warnings.simplefilter("ignore")
import runtime as rt
from outcomes import outcome
jobs = pickle.loads(sys.stdin.buffer.read())
found = [[outcome(rt.load(path), given) for given in calls] for path, calls in jobs]
sys.stdout.buffer.write(pickle.dumps(found))
"""


def saved(generator, seed, path):
    """The calls of a saved program, and their outcomes in Python; None if it cannot be saved."""
    source = generator.Writer(random.Random(seed)).module()
    function = load(source, f"<{generator.__name__} {seed}>").f
    staged, calls = rt.function(function), list(generator.arguments())[:3]
    with quiet():
        for given in calls:
            if isinstance(outcome(staged, given).error, rt.StagingError):
                return None
        try:
            rt.save(path, staged)
        except SaveError:
            return None
        return calls, [outcome(function, given) for given in calls]


def check(generator, folder, seeds, fewest):
    """Compares the programs of some seeds, of which enough can be saved."""
    jobs, wanted = [], []
    for seed in seeds:
        path = str(folder / f"{seed}.zip")
        if (made := saved(generator, seed, path)) is not None:
            jobs.append((path, made[0]))
            wanted.append((seed, made[1]))
    assert len(jobs) >= fewest
    command = [sys.executable, "-c", OTHER_PROCESS, json.dumps(sys.path)]
    ran = subprocess.run(command, input=pickle.dumps(jobs), capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr.decode()
    for (seed, outcomes), found in zip(wanted, pickle.loads(ran.stdout), strict=True):
        for expected, got in zip(outcomes, found, strict=True):
            try:
                check_same(got, expected, same_exactly)
            except Exception as error:
                error.add_note(f"{generator.__name__} {seed}")
                raise


@pytest.mark.parametrize("generator", GENERATORS, ids=lambda one: one.__name__)
def test_another_process_has_the_same_results(generator, tmp_path):
    check(generator, tmp_path, range(examples(4)), 1)


@pytest.mark.thorough
@pytest.mark.parametrize("generator", GENERATORS, ids=lambda one: one.__name__)
def test_another_process_has_the_same_results_of_more_programs(generator, tmp_path):
    check(generator, tmp_path, range(1000, 1300), 20)


def test_a_check_for_nan_in_a_list_can_be_loaded(tmp_path):
    staged = rt.function(lambda x, y: x in [y, 2.0])
    staged(1.5, 2.5)
    given = random_mixed_scalars.np.float64(2.0)
    assert staged(given, given)
    rt.save(tmp_path / "contains", staged)
    assert rt.load(tmp_path / "contains")(given, given)
