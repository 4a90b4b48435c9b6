"""A typed program that uses every public name; mypy checks it (`make check`), it is not run."""

from collections.abc import Callable

import numpy as np

import autograph
import runtime as rt


def step(x: float) -> float:
    return x + 1 if x > 0 else x


converted: Callable[[float], float] = autograph.to_graph(step)
flat: Callable[[float], float] = autograph.to_graph(step, recursive=False)
asked: Callable[[float], float] = autograph.to_graph(
    step, source="def step(x): ...", convert_packages=["json"]
)
text: str = autograph.to_code(step)
said: str = str(autograph.explain(step))
origins: list[int | None] = [line.lineno for line in autograph.code_lines(step)]
reasons: list[str] = [finding.why for finding in autograph.explain(step).findings]


@autograph.convert(recursive=False)
def decorated(x: float) -> float:
    return x


@autograph.do_not_convert
def kept(x: float) -> float:
    return x


class Mine(autograph.Backend):
    pass


result: float = decorated(kept(1.0))
autograph.register_backend(complex, Mine())
autograph.register_call(abs, np.abs)
numbers: list[int] = []
autograph.set_element_type(numbers, np.int64)
autograph.set_loop_options(max_iterations=10)
stacked = autograph.stack(numbers)

try:
    autograph.to_graph(step)
except autograph.ConversionError as error:
    print(error)


@rt.function
def square(x: object) -> object:
    return x


wrapped: rt.Function[[float], float] = rt.function(step)
value = square(np.float64(3.0))
concrete = square.get_concrete_function(np.float64(3.0))
shown: str = rt.show(concrete.graph)
parsed = rt.parse(shown)
pictures: tuple[str, str] = (concrete.graph.to_dot(), concrete.optimized.to_svg(depth=1))
passes: list[str] = [snapshot.name for snapshot in concrete.passes()]
happened: list[str] = [line.kind for line in concrete.explain().lines]

graph = rt.Graph()
with graph.as_default(), rt.name_scope("scope"):
    given: rt.Tensor = rt.placeholder(np.float64, shape=(None, 2), name="x")
    known = rt.constant([1.0, 2.0], dtype=np.float64)
with rt.Session() as session:
    fetched = session.run([given], feed_dict={given: np.ones((3, 2))})

try:
    square(None)
except rt.StagingError as error:
    print(error)

variable = rt.Variable(np.zeros(2), name="w", trainable=True)
same: rt.Variable = variable.assign(np.ones(2)).assign_add(1)
variable += 1
variable[0] = 2.0
taken_by: list[rt.Variable] = concrete.variables
rng = rt.random.Generator(0)
children: list[rt.random.Generator] = rng.split(2)
rng.shuffle(variable)
rt.random.seed(1)
total: object = rt.array_api.sum(np.ones(2))
noise = rt.random.normal(size=3)

rt.config.run_functions_eagerly(False)
rt.config.check_numerics(False)
rt.config.use_threads(2)
how: tuple[bool, bool, int] = (
    rt.config.functions_run_eagerly(),
    rt.config.numerics_are_checked(),
    rt.config.threads(),
)
original: Callable[[float], float] = rt.eager(wrapped)
with rt.config.temporarily(check_numerics=True), rt.profile() as taken:
    square(np.float64(3.0))
times: rt.Profile = taken
table: str = str(times)
times.save("trace.json")

mapped: rt.Function[[float], float] = rt.vmap(step, in_axes=0, out_axes=0)
value_and_tangent: tuple[object, object] = rt.jvp(step, (1.0,), (1.0,))

in_jax: Callable[..., object] = rt.to_jax(step, checks=False)
of_jax: Callable[..., object] = rt.from_jax(step)
in_torch: Callable[..., object] = rt.to_torch(step)
