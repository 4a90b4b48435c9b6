"""Replacements for builtins, NumPy functions and methods that receive staged values."""
