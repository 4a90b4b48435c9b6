"""Options that users of other libraries pass to our functions, answered with ours."""

# ruff: noqa: E501

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, ParamSpec, TypeVar

from autograph.spellings import Spelling, answer, table
from runtime.spellings.members import Answers

P = ParamSpec("P")
R = TypeVar("R")

FUNCTION = table("""
jit_compile experimental_compile | TensorFlow | @rt.function | A graph runs as a compiled program, and as machine code if it runs long; engine= chooses how.
autograph            | TensorFlow      | @rt.function | Functions are always converted; @autograph.do_not_convert excludes one.
experimental_relax_shapes reduce_retracing_ | TensorFlow | @rt.function(reduce_retracing=True)
experimental_implements experimental_autograph_options experimental_attributes experimental_follow_type_hints | TensorFlow | @rt.function
signature            | numba           | @rt.function(input_signature=[rt.TensorSpec((None, 3), np.float32)])
func fn f            | other libraries | rt.function(f)
static_argnums static_argnames | JAX   | f(x, 3) | Plain Python numbers, texts and objects are constants of the graph without any option.
donate_argnums donate_argnames | JAX   | @rt.function | The program reuses memory where nothing else needs it.
backend target | JAX and numba  | @rt.function(engine="numpy")
inline keep_unused abstracted_axes | JAX | @rt.function
nopython forceobj nogil cache fastmath locals boundscheck error_model | numba | @rt.function | A function that graphs cannot express is refused, with its line.
parallel             | numba           | rt.config.use_threads(4)
fullgraph dynamic mode options | PyTorch | @rt.function | Code that no graph can express is always refused, with its line.
name                 | TensorFlow      | @rt.function | The function keeps its own name.
""")

DIFFERENTIATE = table("""
argnum wrt           | HIPS autograd and numba | argnums=0
argnames             | Tangent         | argnums=(0, 1) | Positions, counted from 0.
holomorphic          | JAX             | rt.vjp(f, z), or rt.jacobian(f) | grad takes functions with one real scalar as their result.
allow_int            | JAX             | x.astype(float)
reduce_axes          | JAX             | np.sum in the function
create_graph retain_graph | PyTorch    | rt.grad(rt.grad(f)) | Gradients can be differentiated again.
has_auxiliary aux    | other libraries | has_aux=True
""")

BATCH = table("""
in_dims in_axis      | PyTorch         | in_axes=0
out_dims out_axis    | PyTorch         | out_axes=0
axis_name axis_size spmd_axis_name | JAX | rt.vmap(f) | Functions of a batch see one element, and no axis has a name.
randomness           | PyTorch         | rt.vmap(f) | Random numbers are drawn for each element.
chunk_size           | PyTorch         | rt.vmap(f), called on parts of the batch
""")

VARIABLE = table("""
initial_value value data init | TensorFlow and PyTorch | rt.Variable(initial)
shape                | TensorFlow      | rt.Variable(np.zeros(shape)) | The initial value has the shape.
requires_grad        | PyTorch         | rt.Variable(initial, trainable=True)
validate_shape caching_device variable_def import_scope constraint synchronization aggregation | TensorFlow | rt.Variable(initial)
""")

TAPE = table("""
watch_accessed_variables | TensorFlow  | rt.GradientTape() | A tape watches all variables; rt.stop_gradient(v) excludes one.
""")

OPTIMIZER = table("""
lr rate step_size    | PyTorch and optax | learning_rate=0.1
betas b1 b2          | PyTorch and optax | beta_1=0.9, beta_2=0.999
eps                  | PyTorch and optax | epsilon=1e-8
params parameters var_list | PyTorch and TensorFlow | variables=rt.nn.parameters(model)
weight_decay clipnorm clipvalue | PyTorch and Keras | rt.optimizers.clip_by_global_norm(gradients, limit), or a term of the loss
name                 | TensorFlow      | rt.optimizers.Adam(learning_rate)
""")

LAYER = table("""
in_features input_dim input_shape inputs | PyTorch and Keras | rt.nn.Dense(units) | The number of inputs is that of the first array.
out_features features output_dim | PyTorch and Flax | units=10
use_bias kernel_initializer bias_initializer kernel_regularizer | Keras | rt.nn.Dense(units)
bias                 | PyTorch         | rt.nn.Dense(units)
eps                  | PyTorch         | epsilon=1e-5
p                    | PyTorch         | rate=0.5
num_embeddings       | PyTorch         | count=1000
embedding_dim        | PyTorch         | units=16
rng key seed         | JAX and Keras   | generator=rt.random.Generator(0)
""")

SPEC = table("""
size                 | other libraries | rt.TensorSpec(shape, dtype)
tensor_shape         | TensorFlow      | shape=(None, 3)
""")

SESSION = table("""
config target        | TensorFlow      | rt.Session(graph=graph) | rt.config has the settings of runs.
""")


def answers_options(
    shown: str, known: dict[str, Spelling]
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator: a call with an option that the function does not have raises `TypeError` with
    the option to write instead.  `shown` is the name by which users call the function."""

    def decorate(fn: Callable[P, R]) -> Callable[P, R]:
        names = _names(fn)
        kinds = [p.kind for p in inspect.signature(fn).parameters.values()]
        most = sum(kind is inspect.Parameter.POSITIONAL_OR_KEYWORD for kind in kinds)

        @functools.wraps(fn)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            if kwargs and not kwargs.keys() <= names:
                raise _unknown(shown, kwargs, names, known)
            if len(args) > most:
                raise _too_many(shown, fn, most, len(args))
            return fn(*args, **kwargs)

        return checked

    return decorate


class AnswersOptions(Answers):
    """Base of classes whose unknown options are answered by a table, like missing attributes."""

    __slots__ = ()

    _options: ClassVar[dict[str, Spelling]] = {}

    if not TYPE_CHECKING:

        def __new__(cls, *args: Any, **kwargs: Any) -> Any:
            if kwargs:
                names = _names(cls.__init__)
                if names is not None and not kwargs.keys() <= names:
                    raise _unknown(cls.__name__, kwargs, names, cls._options)
            return super().__new__(cls)


def _names(fn):
    """The names of a function's parameters; None if it takes any."""
    parameters = inspect.signature(fn).parameters.values()
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return None
    return {p.name for p in parameters if p.kind is not p.POSITIONAL_ONLY}


def _too_many(shown, fn, most, count):
    parameters = list(inspect.signature(fn).parameters)
    named = ", ".join(f"{name}=..." for name in parameters[most:])
    rest = (
        f"Pass options by their names: {named}" if named else f"They are {', '.join(parameters)}."
    )
    return TypeError(
        f"{shown} is called with {count} positional arguments, and takes {most}\n{rest}"
    )


def _unknown(shown, given, names, known):
    name = next(name for name in given if name not in names)
    text = answer(name, known, names - {"self"})
    return TypeError(f"{shown} has no option {name!r}\n{text}".strip())
