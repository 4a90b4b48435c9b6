"""Staged branches, loops, recursion, `match` and `try`."""
