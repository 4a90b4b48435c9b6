"""Staged lists."""
