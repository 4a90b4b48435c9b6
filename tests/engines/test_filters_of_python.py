"""Warnings of runs under the filters with which Python starts: their parts are plain texts."""

import subprocess
import sys

import numpy as np
import pytest

SCRIPT = """
import numpy as np
import runtime as rt

def crossed(x):
    return np.cross(x, x)  # of 2 elements, which NumPy deprecates

staged = rt.function(crossed)
crossed(np.array([1.0, 2.0]))
print([float(staged(np.array([1.0, 2.0]))) for _ in range(2)])
"""


@pytest.mark.skipif(
    np.lib.NumpyVersion(np.__version__) >= "2.5.0", reason="NumPy refuses vectors of 2 elements"
)
def test_a_filter_that_names_a_module_is_compared(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    found = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert found.stdout == "[0.0, 0.0]\n", found.stderr
