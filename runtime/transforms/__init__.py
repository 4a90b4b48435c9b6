"""Functions made of functions, while their graphs are recorded: gradients, tangents, batches."""
