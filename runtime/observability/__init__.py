"""Inspection of graphs and runs: explanations, GraphDef, profiles."""
