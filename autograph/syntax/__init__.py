"""Syntax trees: templates, printing and fast walks."""
