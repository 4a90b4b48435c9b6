"""Dicts and sets whose keys are known only at run time."""
