"""Analyses that read graphs and change nothing."""
