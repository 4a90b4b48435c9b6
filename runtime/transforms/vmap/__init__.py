"""Functions that are mapped over batches: `rt.vmap`."""
