"""Functions derived from functions: gradients, Jacobians, tangents, batches."""
