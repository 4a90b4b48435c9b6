"""The benchmarks of `tools/bench.py`."""
