"""Names of TensorFlow, JAX, PyTorch and numba, answered with ours: `modules.py`, `members.py`,
`options.py`."""
