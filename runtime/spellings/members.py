"""Names that users look for in our objects: variables, staged values, tapes, optimizers, graphs."""

# ruff: noqa: E501

from typing import TYPE_CHECKING, Any, ClassVar

from autograph.spellings import Spelling, answer, missing, table

ARRAYS = table("""
numpy eval           | TensorFlow      | x | A staged value becomes a NumPy array when the function returns it.
detach               | PyTorch         | rt.stop_gradient(x)
cpu cuda to block_until_ready | PyTorch and JAX | x | All arrays are NumPy arrays.
backward             | PyTorch         | rt.grad(f)(x), or tape.gradient(loss, variables)
grad requires_grad requires_grad_ retain_grad | PyTorch | rt.grad(f)(x), or tape.gradient(y, tape.watch(x))
at                   | JAX             | x[i] = y | A write into a staged array is recorded.
get_shape set_shape  | TensorFlow      | x.shape
dim rank             | PyTorch and TensorFlow | x.ndim
numel                | PyTorch         | x.size
unsqueeze expand_dims | PyTorch and TensorFlow | x[np.newaxis]
permute              | PyTorch         | x.transpose(axes)
float double half    | PyTorch         | x.astype(np.float32)
long int type bool   | PyTorch         | x.astype(np.int64)
append extend        | lists           | z = [], z.append(y), or np.append(x, y)
length len           | other languages | len(x)
add_ mul_ sub_ div_ copy_ zero_ fill_ | PyTorch | x += y, x *= y or x[...] = y
assign assign_add assign_sub | rt.Variable | x[...] = y | Only variables have this method, and this is an array.
set                  | JAX             | x[i] = y
matmul mm bmm        | PyTorch         | x @ y
abs exp log sqrt tanh sin cos | PyTorch | np.abs(x), np.exp(x), ...
map apply            | pandas          | np.vectorize(f)(x), or rt.vmap(f)(x)
""")

OWN = ("assign", "assign_add", "assign_sub", "numpy")
VARIABLE = {name: row for name, row in ARRAYS.items() if name not in OWN} | table("""
read_value           | TensorFlow      | v.value | Or use v itself: it works like its array.
value_ get_value     | Keras           | v.value | Or use v itself: it works like its array.
set set_value load update | Keras and TensorFlow | v.assign(x)
initializer initialized_value is_initialized | TensorFlow | v | A variable has its value as soon as it is created.
scatter_update scatter_nd_update scatter_add | TensorFlow | v[i] = x, or v[i] += x
assign_mul           | TensorFlow      | v *= x
assign_moving_average | TensorFlow     | v += (x - v) * (1 - decay)
zero_grad            | PyTorch         | tape.gradient(loss, variables) | Gradients are returned, not stored in variables.
""")

TAPE = table("""
batch_jacobian       | TensorFlow      | rt.vmap(rt.jacobian(f))(x)
backward             | PyTorch         | tape.gradient(loss, variables)
stop_recording pause | TensorFlow      | rt.stop_gradient(x)
reset                | TensorFlow      | another tape: with rt.GradientTape() as tape:
watched_variables    | TensorFlow      | rt.nn.parameters(model) | A tape watches all variables.
grad gradients compute_gradients | TensorFlow | tape.gradient(loss, variables)
""")

OPTIMIZER = table("""
apply_gradients      | TensorFlow      | optimizer.apply(gradients, variables) | It takes two lists, not pairs.
minimize             | TensorFlow      | optimizer.apply(tape.gradient(loss, variables), variables), after `with rt.GradientTape() as tape: loss = ...`
step                 | PyTorch         | optimizer.apply(gradients, variables)
zero_grad            | PyTorch         | optimizer.apply(gradients, variables) | Gradients are not stored, so there is nothing to reset.
lr                   | PyTorch         | optimizer.learning_rate
get_weights state_dict weights iterations | Keras and PyTorch | optimizer.kept and optimizer.steps
compute_gradients get_gradients | TensorFlow | tape.gradient(loss, variables)
param_groups         | PyTorch         | optimizer.variables
""")

FUNCTION = table("""
lower                | JAX             | f.get_concrete_function(x).graph
trace                | JAX and PyTorch | f.get_concrete_function(x)
py_func python_func | numba | f.python_function
signatures           | numba           | f.pretty_printed_concrete_signatures()
inspect_types inspect_llvm inspect_asm code | numba | f.source(x)
clear_cache          | JAX             | rt.function(f.python_function), a function without graphs
experimental_get_tracing_count tracing_count | TensorFlow | len(f.graphs)
experimental_get_compiler_ir | TensorFlow | f.source(x)
get_compiler_ir      | TensorFlow      | f.source(x)
""")

CONCRETE = table("""
structured_outputs outputs | TensorFlow | concrete.graph.outputs
structured_input_signature inputs | TensorFlow | concrete.signature, and concrete.captured
captured_inputs      | TensorFlow      | concrete.captured
as_text              | JAX             | str(concrete.graph), or concrete.source
pretty_printed_signature | TensorFlow  | concrete.signature
""")

GRAPH = table("""
run                  | TensorFlow      | rt.Session(graph=graph).run(value, feed_dict)
get_operations get_tensor_by_name get_operation_by_name | TensorFlow | graph.explain(name), or rt.Session(graph=graph).run(name)
finalize             | TensorFlow      | rt.Session(graph=graph).run(value, feed_dict) | A graph needs no end: each run uses it as it is then.
inputs nodes outputs | the class of traced graphs | graph.graph.inputs, graph.graph.nodes or graph.graph.outputs
""")

SESSION = table("""
close                | TensorFlow      | with rt.Session() as session: | Sessions hold nothing that must be closed.
partial_run make_callable | TensorFlow | session.run(value, feed_dict)
""")

SPEC = table("""
from_tensor          | TensorFlow      | rt.TensorSpec(x.shape, x.dtype)
ndim rank            | TensorFlow      | len(spec.shape)
""")


class Answers:
    """Base of classes whose missing attributes are answered by a table."""

    __slots__ = ()

    _spellings: ClassVar[dict[str, Spelling]] = {}

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            kind = type(self)
            what = f"{kind.__name__!r} object has no attribute {name!r}"
            if name.startswith("__") and name.endswith("__"):
                raise AttributeError(what, name=name, obj=None)
            raise missing(what, name, answer(name, kind._spellings, dir(kind), "."))


def noted(error: AttributeError, name: str, known: dict[str, Spelling], ours: Any = ()) -> None:
    """Adds the answer to an error that Python would raise, whose message stays the same."""
    text = answer(name, known, ours, ".")
    if text:
        error.add_note(text)
