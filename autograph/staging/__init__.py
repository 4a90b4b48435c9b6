"""What every backend needs in order to stage Python, independent of graphs and arrays."""
