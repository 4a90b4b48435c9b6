"""The intermediate representation: types, values, nodes, graphs, op records and their text."""
