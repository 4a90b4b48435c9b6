"""Tools that show graphs and runs to people: explanations, GraphDef, profiles."""
