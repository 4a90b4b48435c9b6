"""Objects that are not functions are refused where they are decorated, with what to write instead."""

import asyncio
import functools
import re

import numpy as np
import pytest

import runtime as rt


class Model:
    def __call__(self, x):
        return x * 2


def nothing():
    return None


@pytest.mark.parametrize(
    "given, remedy",
    [
        (3, r"Write rt.function\(f\)\(x\) in place of rt.function\(f\(x\)\)"),
        (np.ones(3), r"Write rt.function\(f\)\(x\)"),
        (rt.Variable(1.0), r"Pass a function"),
        (nothing(), "Return the function"),
        ([rt.TensorSpec(())], r"@rt.function\(input_signature="),
        ("f", "A str cannot be called"),
        (Model, "Decorate the methods"),
        (property(Model.__call__), "Write @property above @rt.function"),
        (staticmethod(nothing), "Write @staticmethod above @rt.function"),
        (classmethod(Model.__call__), "Write @classmethod above @rt.function"),
        (np, "A module cannot be called"),
    ],
)
def test_an_object_that_is_not_a_function_is_refused_with_a_remedy(given, remedy):
    with pytest.raises(TypeError, match=remedy):
        rt.function(given)
    with pytest.raises(TypeError, match=remedy):
        rt.function(reduce_retracing=True)(given)


@pytest.mark.parametrize(
    "transform", [rt.grad, rt.value_and_grad, rt.vmap, rt.jacobian, rt.hessian]
)
def test_a_transformation_of_a_value_names_itself(transform):
    with pytest.raises(TypeError, match=rf"rt.{transform.__name__} is applied to a value: float"):
        transform(9.0)


@pytest.mark.parametrize(
    "fn",
    [
        Model(),
        Model().__call__,
        np.sin,
        functools.partial(np.add, 1.0),
        rt.function(lambda x: x + 1),
        lambda x: x,
    ],
    ids=["object", "method", "ufunc", "partial", "function of rt", "lambda"],
)
def test_every_callable_object_is_accepted(fn):
    np.testing.assert_array_equal(rt.function(fn)(np.ones(2)), fn(np.ones(2)))


def test_too_many_positional_arguments_are_answered_with_the_names_of_options():
    with pytest.raises(TypeError, match="by their names: input_signature=..."):
        rt.function(np.sin, [rt.TensorSpec(())])
    with pytest.raises(TypeError, match="They are fn, in_axes, out_axes."):
        rt.vmap(np.sin, 0, 0, 0)


# -- functions that return before their body has run -----------------------------------------------


async def waits(x):
    return x * 2


async def streams(x):
    yield x * 2


def generates(x):
    yield x * 2


class Waiting:
    async def __call__(self, x):
        return x

    async def wait(self, x):
        return x


@pytest.mark.parametrize("apply", [rt.function, rt.grad, rt.vmap, rt.jacobian])
@pytest.mark.parametrize(
    ("fn", "kind"),
    [
        (waits, "waits, an `async def`"),
        (streams, "streams, an `async def` with `yield`"),
        (generates, "generates, a generator function"),
        (Waiting(), "Waiting.__call__, an `async def`"),
        (Waiting().wait, "Waiting.wait, an `async def`"),
        (functools.partial(waits, 1), "waits, an `async def`"),
    ],
    ids=["coroutine", "async generator", "generator", "object", "method", "partial"],
)
def test_functions_that_return_before_they_run_are_refused_by_name(apply, fn, kind):
    with pytest.raises(TypeError, match=f"is applied to {re.escape(kind)}\n"):
        apply(fn)


def test_coroutines_and_generators_may_call_graphs():
    double = rt.function(lambda x: x * 2)

    async def served(x):
        return double(x), await asyncio.to_thread(double, x + 1)

    def generated(xs):
        for x in xs:
            yield double(x)

    assert asyncio.run(served(3)) == (6, 8)
    assert list(generated([1, 2])) == [2, 4]


def test_graphs_may_use_generators():
    @rt.function
    def total(x):
        def multiples():
            for k in range(3):
                yield x * k

        return sum(multiples())

    assert total(np.ones(2)).tolist() == [3.0, 3.0]
