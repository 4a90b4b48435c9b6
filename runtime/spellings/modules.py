"""Names that users look for in `rt`, `rt.config`, `rt.nn`, `rt.optimizers` and `rt.random`."""

import numpy as np

from autograph.spellings import table

# ruff: noqa: E501

RT = table("""
jit                  | JAX, numba and PyTorch | @rt.function
njit vectorize guvectorize | numba     | @rt.function | Graphs that run long become machine code; engine="native" makes it at once.
compile script       | PyTorch         | @rt.function
pmap xmap shard_map  | JAX             | rt.vmap(f), and rt.config.use_threads(4)
print                | TensorFlow      | print(x) | Python's print of a staged value prints in each run.
debug                | JAX             | print(x), assert x > 0, or rt.config.check_numerics(True)
Assert assert_equal  | TensorFlow      | assert x > 0, "message" | An assertion of a staged value is checked in each run.
cond                 | TensorFlow and JAX | if x > 0: ... else: ... | An `if` on a staged value becomes a branch of the graph.
case switch_case switch select_n | TensorFlow and JAX | if, elif and else, or match
while_loop           | TensorFlow and JAX | while x > 0: ... | A `while` on a staged value becomes a loop of the graph.
fori_loop foldl foldr | JAX and TensorFlow | for i in range(n): ... | A `for` over a staged range or array becomes a loop of the graph.
scan associative_scan | JAX and TensorFlow | for x in xs: ys.append(...), and then autograph.stack(ys)
lax                  | JAX             | if, while and for | Control flow on staged values is written in Python.
prange               | numba           | range(n) | rt.config.use_threads(4) computes independent parts of a run at the same time.
map_fn vectorized_map | TensorFlow     | rt.vmap(f)(xs)
TensorArray          | TensorFlow      | ys = [], ys.append(y), and then autograph.stack(ys)
tensor Array as_tensor convert_to_tensor from_numpy device_put | PyTorch, JAX and TensorFlow | np.asarray(x) | Functions take and return NumPy arrays.
block_until_ready    | JAX             | f(x) | A call returns when its result is computed.
make_jaxpr           | JAX             | print(f.get_concrete_function(x).graph) | It shows the graph; f.source(x) shows the program.
xla_computation      | JAX             | print(f.source(x))
linearize            | JAX             | y, dy = rt.jvp(f, (x,), (dx,)) | A call with another tangent uses the same graph.
jacfwd jacrev        | JAX             | rt.jacobian(f)
gradients            | TensorFlow      | rt.grad(f), or rt.GradientTape
autograd             | PyTorch         | rt.grad(f), or rt.GradientTape
no_grad inference_mode set_grad_enabled enable_grad | PyTorch | f(x) | Nothing is recorded for gradients outside of rt.grad and rt.GradientTape; rt.stop_gradient(x) stops one.
no_gradient          | TensorFlow      | rt.stop_gradient(x)
custom_jvp custom_vjp | JAX            | @rt.custom_gradient
remat recompute_grad | JAX and TensorFlow | rt.checkpoint(f)
nest tree tree_map tree_util tree_flatten pytree | TensorFlow and JAX | rt.vmap, rt.grad and rt.function on nested lists, tuples and dicts | They take them as they are.
pure_callback io_callback py_function numpy_function py_func | JAX and TensorFlow | @autograph.do_not_convert | A function without staged arguments can be called as it is.
objmode              | numba           | @autograph.do_not_convert
disable_jit run_functions_eagerly enable_eager_execution disable_eager_execution compat | JAX and TensorFlow | rt.config.run_functions_eagerly(True)
executing_eagerly    | TensorFlow      | rt.config.functions_run_eagerly()
Module               | TensorFlow and PyTorch | class Model: ... | Models are plain Python objects; rt.nn.parameters(model) finds their variables.
keras layers losses  | TensorFlow      | rt.nn, rt.optimizers
optim train optax    | PyTorch, TensorFlow and JAX | rt.optimizers.SGD(0.1) or rt.optimizers.Adam(1e-3)
data                 | TensorFlow and PyTorch | for x, y in batches: step(x, y) | Any Python iterable supplies the arrays.
Parameter get_variable | PyTorch and TensorFlow | rt.Variable(initial, name="w")
global_variables_initializer initialize_all_variables | TensorFlow | rt.Variable(initial) | A variable has its value as soon as it is created.
trainable_variables  | TensorFlow      | rt.nn.parameters(model)
manual_seed set_random_seed PRNGKey | PyTorch, TensorFlow and JAX | rt.random.seed(0), or rng = rt.random.Generator(0)
saved_model save_model | TensorFlow and Keras | rt.save(path, model)
load_model           | TensorFlow and Keras | rt.load(path)
device cuda          | TensorFlow, PyTorch and numba | rt.config.use_engine(name) | The engine decides how graphs run.
get_default_graph default_graph | TensorFlow | with rt.Graph().as_default() as graph:
gfile io             | TensorFlow      | open(path) outside of the function
py_print tensor_scatter_nd_update scatter_nd | TensorFlow | x[i] = y | A write into a staged array is recorded.
reduce_sum           | TensorFlow      | np.sum(x, axis=0)
reduce_mean          | TensorFlow      | np.mean(x, axis=0)
reduce_max           | TensorFlow      | np.max(x, axis=0)
reduce_min           | TensorFlow      | np.min(x, axis=0)
reduce_prod reduce_any reduce_all | TensorFlow | np.prod(x), np.any(x) or np.all(x)
reduce_logsumexp     | TensorFlow      | np.logaddexp.reduce(x)
concat cat           | TensorFlow and PyTorch | np.concatenate([x, y], axis=0)
cast                 | TensorFlow      | x.astype(np.float32)
gather               | TensorFlow      | np.take(x, indices, axis=0)
boolean_mask         | TensorFlow      | x[mask]
one_hot              | TensorFlow and JAX | rt.nn.one_hot(classes, count)
relu sigmoid softmax gelu | TensorFlow, JAX and PyTorch | rt.nn.relu(x), rt.nn.sigmoid(x), rt.nn.softmax(x) or rt.nn.gelu(x)
identity             | TensorFlow      | x.copy()
group no_op control_dependencies | TensorFlow | the statements in their order | Effects of a function happen in the order in which they are written.
int32 int64 float32 float64 float16 bool uint8 complex64 complex128 | TensorFlow, JAX and PyTorch | np.float32, np.int64, ...
string               | TensorFlow      | Python's str | Texts are constants of a graph, except f-strings of staged values.
TensorShape          | TensorFlow      | x.shape, a tuple
ShapeDtypeStruct Spec | JAX            | rt.TensorSpec((None, 3), np.float32)
ConcreteFunction_    | TensorFlow      | f.get_concrete_function(x)
numpy                | TensorFlow and JAX | import numpy as np | NumPy's own functions work on staged values.
to_graph to_code do_not_convert explain stack | the package autograph | autograph.to_graph(f), autograph.to_code(f), ..., after `import autograph`
static_argnums       | JAX             | f(x, 3) | Plain Python numbers, texts and objects are constants of the graph.
exceptions           | TensorFlow      | except rt.StagingError
""")

CONFIG = table("""
run_eagerly set_run_eagerly enable_eager | TensorFlow | rt.config.run_functions_eagerly(True)
jax_disable_jit update | JAX | rt.config.run_functions_eagerly(True)
jax_debug_nans debug_nans enable_check_numerics | JAX and TensorFlow | rt.config.check_numerics(True)
jax_enable_x64 enable_x64 | JAX | np.float64 | Arrays keep the dtypes that NumPy gives them.
set_num_threads num_threads threading set_threads | PyTorch, numba and TensorFlow | rt.config.use_threads(4)
set_engine backend platform device list_physical_devices | JAX and TensorFlow | rt.config.use_engine("numpy")
experimental optimizer | TensorFlow | rt.config.use_threads, rt.config.check_numerics or rt.config.use_engine
""")

NN = table("""
Linear               | PyTorch         | rt.nn.Dense(units) | The number of inputs is that of the first array.
Module Sequential Model | PyTorch and Keras | class Model: ... | Models are plain objects that call their layers; rt.nn.parameters(model) finds the variables.
functional           | PyTorch         | rt.nn.relu(x), rt.nn.cross_entropy(logits, labels), ...
Parameter            | PyTorch         | rt.Variable(initial)
ReLU Sigmoid Softmax GELU | PyTorch and Keras | rt.nn.relu, rt.nn.sigmoid, rt.nn.softmax or rt.nn.gelu | They are functions.
tanh sin             | PyTorch and TensorFlow | np.tanh(x)
CrossEntropyLoss softmax_cross_entropy_with_logits sparse_softmax_cross_entropy_with_logits SparseCategoricalCrossentropy CategoricalCrossentropy | PyTorch and TensorFlow | rt.nn.cross_entropy(logits, labels)
MSELoss mse_loss MeanSquaredError | PyTorch and Keras | rt.nn.mean_squared_error(predictions, targets)
BCEWithLogitsLoss sigmoid_cross_entropy_with_logits BinaryCrossentropy | PyTorch and TensorFlow | rt.nn.binary_cross_entropy(logits, labels)
LSTM GRU             | PyTorch and Keras | rt.nn.LSTMCell(units) or rt.nn.GRUCell(units), in a `for` over the steps
LayerNormalization   | Keras           | rt.nn.LayerNorm()
trainable_variables  | TensorFlow      | rt.nn.parameters(model)
""")

OPTIMIZERS = table("""
sgd GradientDescentOptimizer | optax and TensorFlow | rt.optimizers.SGD(learning_rate)
adam AdamOptimizer AdamW | optax, TensorFlow and PyTorch | rt.optimizers.Adam(learning_rate)
Momentum MomentumOptimizer | TensorFlow  | rt.optimizers.SGD(learning_rate, momentum=0.9)
RMSprop Adagrad Adadelta Nadam LBFGS | PyTorch and Keras | class RMSprop(rt.optimizers.Optimizer): ... | Its method rule(self, parameter, gradient, kept, step) returns the new parameter and state.
apply_updates        | optax           | parameters, state = optimizer.update(gradients, state, parameters)
clip_by_norm clip_grad_norm_ | optax and PyTorch | rt.optimizers.clip_by_global_norm(gradients, limit)
schedules lr_scheduler | Keras and PyTorch | optimizer.learning_rate = rt.Variable(0.1), and assign to it
""")

RANDOM = table("""
PRNGKey key          | JAX             | rng = rt.random.Generator(0) | A generator keeps its own state; no key is passed around.
fold_in              | JAX             | rng.split(count)[i]
manual_seed set_global_generator | PyTorch and TensorFlow | rt.random.seed(0)
Random RandomState   | NumPy and Python | rt.random.Generator(0)
randn                | NumPy and PyTorch | rt.random.normal(size=(2, 3))
rand random_sample ranf sample | NumPy and PyTorch | rt.random.random((2, 3))
randint random_integers | NumPy and PyTorch | rt.random.integers(0, 10, size=3)
categorical          | TensorFlow and JAX | rt.random.choice(count, p=probabilities)
randperm             | PyTorch         | rt.random.permutation(n)
gauss                | Python          | rt.random.normal(mean, spread)
random_normal        | TensorFlow      | rt.random.normal(size=(2, 3))
get_state set_state  | NumPy           | rt.random.shared_generator().state
""")


def of_numpy(name: str) -> str:
    """The answer about a name that NumPy has: its functions are called as they are."""
    if name.startswith("_") or not callable(getattr(np, name, None)):
        return ""
    return f"Write np.{name}: NumPy's own functions work on staged values."
