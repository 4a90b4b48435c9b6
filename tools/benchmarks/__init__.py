"""The benchmarks of `tools/bench.py`.

Functions that name no engine run on the NumPy engine, so that no figure is that of two engines.
"""

import os

os.environ.setdefault("AUTOGRAPH_ENGINE", "numpy")  # before `runtime` is imported
