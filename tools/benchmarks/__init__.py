"""What `tools/bench.py` times."""
