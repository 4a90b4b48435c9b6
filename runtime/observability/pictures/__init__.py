"""Pictures of graphs: `graph.to_svg()`, and `graph.to_dot()` for Graphviz."""
