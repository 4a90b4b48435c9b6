"""Functions of JAX and PyTorch from graphs, and back.

    g = rt.to_jax(f)        the graph of f, recorded by JAX: jax.jit, grad, vmap, export
    op = rt.from_jax(g)     a function of JAX as an operation of graphs, with its derivative
    h = rt.to_torch(f)      a torch.autograd.Function around the graphs of f and of its derivative
    rt.function(f, engine="xla", device=d)      a program of XLA, whose arrays stay on the device

| file | contents |
|---|---|
| `conversion.py` | the public functions |
| `jax_function.py` | `to_jax`: arguments, graphs, results |
| `jax_evaluation.py`, `jax_control_flow.py` | operations, as JAX differentiates them |
| `jax_functions.py` | functions of NumPy that graphs call as they are |
| `jax_lists.py` | the capacities of lists, which are known before the run |
| `jax_operation.py` | `from_jax` |
| `jax_placement.py`, `shardings.py` | functions whose arrays stay on devices |
| `torch_function.py` | `to_torch` |

Each library is imported when its function is called.
"""
