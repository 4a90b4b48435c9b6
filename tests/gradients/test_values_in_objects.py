"""Values that an object of Python holds for a while: their derivatives are refused, never zero."""

import logging
import queue

import numpy as np
import pytest

import runtime as rt
from runtime.errors import NoDerivativeError, NotDifferentiableError

X = np.array([1.5, 2.0])
SHARED = queue.Queue()


def of_an_own_queue(x):
    jobs = queue.Queue()
    jobs.put(x[0] * 2)
    return float(jobs.get()) * x[1]


def of_a_method(x):
    jobs = queue.Queue()
    put, get = jobs.put, jobs.get
    put(x[0] * 2)
    return float(get()) * x[1]


def of_a_shared_queue(x):
    SHARED.put(x[0] * 2)
    return float(SHARED.get()) * x[1]


def of_a_loop(x):
    jobs = queue.Queue()
    for one in x:
        jobs.put(one * one)
    total = 0.0
    while not jobs.empty():
        total = total + float(jobs.get())
    return total


TRANSFORMS = {
    "grad": lambda f: rt.grad(f)(X),
    "jvp": lambda f: rt.jvp(f, (X,), (np.ones(2),)),
    "vjp": lambda f: rt.vjp(f, X)[1](1.0),
    "jacobian": lambda f: rt.jacobian(f)(X),
    "hessian": lambda f: rt.hessian(f)(X),
}


@pytest.mark.parametrize("transform", TRANSFORMS.values(), ids=TRANSFORMS)
@pytest.mark.parametrize("f", [of_an_own_queue, of_a_method, of_a_shared_queue, of_a_loop])
def test_a_value_that_an_object_has_held_is_refused(f, transform):
    with pytest.raises(NoDerivativeError, match="float cannot be differentiated"):
        transform(f)


@pytest.mark.parametrize("transform", TRANSFORMS.values(), ids=TRANSFORMS)
def test_a_result_that_an_object_has_held_is_refused(transform):
    def f(x):
        jobs = queue.Queue()
        jobs.put(x[0] * 2)
        return jobs.get()

    with pytest.raises(NotDifferentiableError, match="object"):
        transform(f)


def test_objects_that_hold_other_values_have_derivatives():
    def f(x):
        jobs = queue.Queue()
        jobs.put(3.0)
        if x[0] > 0:
            jobs.put(rt.stop_gradient(x[0]))
        return float(jobs.get()) * x[1] + x[0] * float(jobs.qsize())

    value, gradient = rt.value_and_grad(f)(X)
    assert value == f(X) and gradient.tolist() == [1.0, 3.0]
    assert rt.jvp(f, (X,), (np.ones(2),)) == (value, 4.0)


def test_what_a_call_only_reports_does_not_matter(caplog):
    log = logging.getLogger("values")

    def f(x):
        log.warning("at %s", x[0])
        return x[0] * x[1]

    assert rt.grad(f)(X).tolist() == [2.0, 1.5]
    assert caplog.messages == ["at 1.5"]
