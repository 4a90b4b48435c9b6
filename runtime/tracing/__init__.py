"""Tracing: staged values and the graph that is being recorded."""
