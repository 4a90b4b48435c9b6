"""A user's program for type checkers: `test_typing.py` runs mypy and pyright on it.

`# reveals: T` is the type that both show in that line; `# error` is a line in which both find an
error.  They find none elsewhere.  This file is not run.
"""

from typing import Any, reveal_type

import numpy as np

import autograph
import runtime as rt


def scaled(x: float, factor: int = 2) -> float:
    return x * factor


# -- rt.function, called ---------------------------------------------------------------------------

area = rt.function(scaled)
reveal_type(area)  # reveals: Function[(x: float, factor: int = ...), float]
reveal_type(area(1.0))  # reveals: float
reveal_type(area(1.0, factor=3))  # reveals: float
area("one")  # error
area()  # error
area(1.0, 2, 3)  # error
area(1.0, scale=2)  # error
reveal_type(rt.eager(area)(1.0))  # reveals: float
reveal_type(area.graphs)  # reveals: list[ConcreteFunction]
reveal_type(area.source())  # reveals: str

# -- as a decorator, with and without arguments ----------------------------------------------------


@rt.function
def plain(x: int, *rest: int, name: str = "") -> str:
    return name * x


reveal_type(plain(1, 2, 3, name="a"))  # reveals: str
plain(1, "2")  # error
plain(1, name=2)  # error


@rt.function(reduce_retracing=True, cache_size=3)
def relaxed(x: int) -> list[int]:
    return [x]


reveal_type(relaxed)  # reveals: Function[(x: int), list[int]]
reveal_type(relaxed(1))  # reveals: list[int]
relaxed([1])  # error


@rt.function(cache_size="3")  # error
def refused(x: int) -> int:
    return x


# -- methods ---------------------------------------------------------------------------------------


class Model:
    @rt.function
    def step(self, x: float, rate: float = 0.1) -> tuple[float, int]:
        return x * rate, 1

    @rt.function(reduce_retracing=True)
    def __call__(self, x: float) -> float:
        return self.step(x)[0]


model = Model()
reveal_type(model.step)  # reveals: Function[(x: float, rate: float = ...), tuple[float, int]]
reveal_type(model.step(1.0))  # reveals: tuple[float, int]
reveal_type(model.step(1.0, rate=0.5))  # reveals: tuple[float, int]
reveal_type(Model.step(model, 1.0))  # reveals: tuple[float, int]
reveal_type(model(1.0))  # reveals: float
model.step()  # error
model.step("1")  # error
model.step(1.0, 0.1, 2)  # error
model("1")  # error

# -- derivatives -----------------------------------------------------------------------------------


def loss(w: float, x: float = 1.0) -> float:
    return w * x


def with_count(w: float) -> tuple[float, int]:
    return w * w, 3


slope = rt.grad(loss)
reveal_type(slope)  # reveals: Function[(w: float, x: float = ...), Any]
slope("1")  # error
reveal_type(rt.grad(loss, (0, 1))(1.0, 2.0))  # reveals: tuple[Any, ...]
reveal_type(rt.grad(with_count, has_aux=True)(1.0))  # reveals: tuple[Any, int]
reveal_type(rt.grad(rt.grad(loss))(1.0))  # reveals: Any
reveal_type(rt.value_and_grad(loss)(1.0))  # reveals: tuple[float, Any]
reveal_type(rt.value_and_grad(loss, argnums=[0])(1.0))  # reveals: tuple[float, tuple[Any, ...]]
both = rt.value_and_grad(with_count, has_aux=True)(1.0)
reveal_type(both)  # reveals: tuple[tuple[float, int], Any]
rt.value_and_grad(loss)(1.0, y=1.0)  # error
value, pullback = rt.vjp(loss, 1.0, 2.0)
reveal_type(value)  # reveals: float
reveal_type(pullback(1.0))  # reveals: tuple[Any, ...]
rt.vjp(loss, "1", 2.0)  # error
reveal_type(rt.jvp(loss, (1.0, 2.0), (1.0, 0.0)))  # reveals: tuple[float, Any]
reveal_type(rt.jvp(loss, [1.0, 2.0], [1.0, 0.0]))  # reveals: tuple[float, Any]
rt.jvp(loss, ("1", 2.0), (1.0, 0.0))  # error
reveal_type(rt.jacobian(loss))  # reveals: Function[(w: float, x: float = ...), Any]
reveal_type(rt.hessian(loss))  # reveals: Function[(w: float, x: float = ...), Any]
rt.jacobian(loss)(None)  # error
rt.hessian(3)  # error


@rt.grad
def decorated(x: float) -> float:
    return x * x


reveal_type(decorated)  # reveals: Function[(x: float), Any]
decorated("1")  # error


@rt.checkpoint
def remembered(x: float) -> list[float]:
    return [x]


reveal_type(remembered(1.0))  # reveals: list[float]
remembered("1")  # error


@rt.custom_gradient
def log1pexp(x: float) -> tuple[float, Any]:
    return x, lambda d: d


reveal_type(log1pexp(1.0))  # reveals: float
log1pexp("1")  # error


@rt.custom_gradient(of=np.hypot)
def hypot(x: float, y: float) -> tuple[float, Any]:
    return x, lambda d: (d, y)


reveal_type(hypot(1.0, 2.0))  # reveals: float
hypot("1", 2.0)  # error
reveal_type(rt.stop_gradient([1.0]))  # reveals: list[float]

# -- vmap ------------------------------------------------------------------------------------------


def clipped(x: np.ndarray, limit: float) -> np.ndarray:
    return x if limit else -x


many = rt.vmap(clipped, in_axes=(0, None))
many(np.ones(3), 1.0)
many(np.ones(3))  # error
many(np.ones(3), "1")  # error

# -- autograph -------------------------------------------------------------------------------------

reveal_type(autograph.to_graph(scaled)(1.0))  # reveals: float
autograph.to_graph(scaled)("1")  # error
autograph.to_graph(3)  # error


@autograph.convert
def converted(x: int) -> str:
    return str(x)


@autograph.convert(recursive=False)
def alone(x: int) -> str:
    return str(x)


@autograph.do_not_convert
def kept(x: int) -> str:
    return str(x)


reveal_type(converted(1))  # reveals: str
reveal_type(alone(1))  # reveals: str
reveal_type(kept(1))  # reveals: str
converted("1")  # error
alone("1")  # error
kept("1")  # error
reveal_type(autograph.to_graph(Model)())  # reveals: Model
