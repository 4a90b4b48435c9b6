"""What a function asks the outside after an effect of the run, it asks in the run."""

import contextlib
import io
import os
import shutil

import numpy as np
import pytest

import runtime as rt
from tests.support.loading import load

PRELUDE = """
import collections, glob, json, os, pathlib, queue

import numpy as np

import runtime as rt

Q = queue.Queue()
"""
EFFECTS = {
    "file": "pathlib.Path(d, 'a').write_text('abc')",
    "open": "open(d + '/a', 'w').close()",
    "folder": "os.makedirs(d + '/a')",
    "environment": "os.environ['EFX_AFTER'] = 'on'",
    "queue": "Q.put(3)",
    "host_call": "rt.host_call(os.mkdir, d + '/a')",
}
READS = {
    "exists": "os.path.exists(d + '/a')",
    "path": "pathlib.Path(d, 'a').exists()",
    "names": "len(os.listdir(d))",
    "glob": "len(glob.glob(d + '/*'))",
    "get": "os.environ.get('EFX_AFTER') == 'on'",
    "getenv": "os.getenv('EFX_AFTER', 'off') == 'on'",
    "size": "Q.qsize()",
    "empty": "Q.empty()",
}
PLACES = {
    "branch": "if x > 1:\n        {0}\n    y = {1}\n    return x * y",
    "test": "if x > 1:\n        {0}\n    if {1}:\n        x = x * 7\n    return x",
    "loop": "for i in range(n):\n        if i == 2:\n            {0}\n    y = {1}\n    return x * y",
    "helper": "def act():\n        {0}\n    if x > 1:\n        act()\n    return x * (lambda: {1})()",
    "twice": "y = {1}\n    if x > 1:\n        {0}\n    return x * ({1}) - y",
}


def run(function, module, folder, x):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    os.environ.pop("EFX_AFTER", None)
    while not module.Q.empty():
        module.Q.get()
    with contextlib.redirect_stdout(io.StringIO()):
        return float(function(np.float64(x), np.int64(x * 2), str(folder)))


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::runtime.TracingWarning")
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("effect", EFFECTS)
def test_a_read_after_an_effect_of_the_run_sees_it(effect, place, tmp_path):
    number = list(PLACES).index(place) + list(EFFECTS).index(effect)
    for read in list(READS)[number % 2 :: 2]:
        text = PLACES[place].format(EFFECTS[effect], READS[read])
        module = load(f"{PRELUDE}\ndef f(x, n, d):\n    {text}\n", f"<{effect} {read} {place}>")
        staged = rt.function(module.f)
        for x in (2.0, 0.5, 2.0):
            expected = run(module.f, module, tmp_path / "d", x)
            assert run(staged, module, tmp_path / "d", x) == expected, (read, x)
    os.environ.pop("EFX_AFTER", None)
