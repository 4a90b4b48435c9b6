"""Every program of every collection as a file: another process, without its source, runs it.

`pytest -s -m thorough tests/saved/test_every_collection.py` prints how many programs cannot be
saved, and why.
"""

import collections
import json
import os
import pickle
import random
import re
import subprocess
import sys
from pathlib import Path

import every_collection
import numpy as np
import pytest
from outcomes import check_same, outcome, same_exactly

import runtime as rt
from runtime.errors import SaveError

pytestmark = pytest.mark.filterwarnings("ignore")
# Reasons for which no file can hold a program: objects and functions that only its code has, and
# calls that are left to the Python function.
REASONS = re.compile(
    r"an object of .*, (a class that only its code has|which only its code can make)"
    r"|its result is a list of named tuples, sets or objects|it has no graph yet"
    r"|it (calls|changes|catches|needs) |it draws from a NumPy generator"
    r"|it reads the memory layout of "
)
COLLECTIONS = every_collection.collections()
PACKAGES = ("statistics.*", "numpy.*", "numpy.linalg.*", "math.*", "numpy.lib.*")
OTHER_PROCESS = """
import json, os, pickle, sys, warnings
import numpy as np
sys.path[:0] = json.loads(sys.argv[1])
warnings.simplefilter("ignore")
np.seterr(all="ignore")
import runtime as rt
from outcomes import outcome
from runtime.errors import LibraryResultError, SignatureError, StagingError
REFUSALS = SignatureError, StagingError, LibraryResultError
found = {}
for name, path, calls in pickle.loads(sys.stdin.buffer.read()):
    loaded = rt.load(path, allow=json.loads(sys.argv[2]))
    found[name] = []
    for given in pickle.loads(calls):
        seen = outcome(loaded, given)
        kind = type(seen.error).__name__
        is_refusal = isinstance(seen.error, REFUSALS)
        found[name].append((kind, None) if is_refusal else ("", pickle.dumps(seen)))
files = [getattr(one, "__file__", None) or "" for one in list(sys.modules.values())]
assert not any("tests/programs" in one for one in files)
sys.stdout.buffer.write(pickle.dumps(found))
"""


def saved(name, function, calls, path):
    """The outcomes of a program for some calls, of which a file is written; None if there is none,
    and the reason."""
    staged, seen = rt.function(function), []
    for given in calls:
        outcome(staged, given)  # traces it, which may print
        seen.append(outcome(staged, given))
        if isinstance(seen[-1].error, rt.StagingError):
            return None, "it is not staged"
    try:
        rt.save(path, staged)
    except SaveError as error:
        reason = str(error).partition("cannot be saved: ")[2].partition("\n")[0]
        assert REASONS.search(reason), f"{name}: {error}"
        return None, re.sub(r"'.*?'", "...", reason)
    return seen, None


def check_in_another_process(names, programs, folder):
    """Saves programs, and compares their outcomes in a process that has no source of them.

    Returns how many were compared, how many calls that return in Python were refused, and the
    reasons for no file.
    """
    reasons: collections.Counter = collections.Counter()
    asked, wanted = [], {}
    with np.errstate(all="ignore"):
        for number, name in enumerate(names):
            function, calls = programs[name]
            path = folder / f"{number}.zip"
            seen, reason = saved(name, function, calls, path)
            reasons[reason] += 1
            if seen is not None:
                asked.append((name, str(path), pickle.dumps(calls)))
                wanted[name] = seen
    folders = [str(Path(rt.__file__).parents[1]), str(every_collection.FOLDER.parent / "support")]
    command = [sys.executable, "-c", OTHER_PROCESS, json.dumps(folders), json.dumps(PACKAGES)]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    ran = subprocess.run(
        command, input=pickle.dumps(asked), capture_output=True, cwd=folder, env=environment
    )
    assert ran.returncode == 0, ran.stderr.decode()
    refused = 0
    for name, found in pickle.loads(ran.stdout).items():
        for (refusal, one), other in zip(found, wanted[name], strict=True):
            if refusal:  # no graph for types for which Python raises, or a call left to Python
                assert refusal != "SignatureError" or other.error is not None, name
                refused += other.error is None
                continue
            try:
                check_same(pickle.loads(one), other, same_exactly)
            except AssertionError as error:
                raise AssertionError(f"{name}: {error}") from error
    return len(wanted), refused, reasons


def test_every_file_of_programs_is_a_collection_or_listed():
    for module in COLLECTIONS:
        assert every_collection.programs_of(module), f"{module} has programs of a new kind"


def test_some_programs_of_each_collection_run_in_another_process(tmp_path):
    programs, chance = every_collection.every_program(), random.Random(1)
    by_module = collections.defaultdict(list)
    for name in programs:
        by_module[name.partition(".")[0]].append(name)
    names = [chance.choice(found) for found in by_module.values()]
    count, refused, _ = check_in_another_process(names, programs, tmp_path)
    assert count > len(names) * 0.7 and refused < count / 10


@pytest.mark.thorough
@pytest.mark.parametrize("module", COLLECTIONS)
def test_every_program_runs_in_another_process(module, tmp_path):
    programs = every_collection.programs_of(module)
    count, refused, reasons = check_in_another_process(list(programs), programs, tmp_path)
    print(f"\n{module}: {count} of {len(programs)} are saved; {refused} calls are refused")
    for reason, number in reasons.most_common():
        print(f"{number:5}  {reason or 'saved'}")
    assert refused <= max(3, sum(len(calls) for _, calls in programs.values()) / 10)
