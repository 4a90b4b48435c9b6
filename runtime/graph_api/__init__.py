"""Explicit graphs and sessions."""
