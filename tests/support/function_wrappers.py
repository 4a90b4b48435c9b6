"""Every way to call a function through the runtime's own callables, and through other objects.

Each wrapper takes a function of one scalar, and returns another one with the same values: a helper
of an outer graph, which may not read anything that the outer graph does not know.
"""

import contextlib
import functools
import operator
import weakref

import numpy as np

import autograph
import runtime as rt


def as_it_is(f):
    return f


def by_value_and_grad(f):
    g = rt.value_and_grad(f)
    return lambda x: g(x)[0]


def by_grad(f):
    g = rt.grad(lambda x: (x * x, f(x)), has_aux=True)
    return lambda x: g(x)[1]


def by_vmap(f):
    g = rt.vmap(f)
    return lambda x: g(np.stack([x, x]))[0]


def by_jvp(f):
    return lambda x: rt.jvp(f, (x,), (1.0,))[0]


def by_jvp_of_a_function(f):
    g = rt.function(f)
    return lambda x: rt.jvp(g, (x,), (1.0,))[0]


def by_vjp(f):
    g = rt.function(f)
    return lambda x: rt.vjp(g, x)[0]


def by_jacobian(f):
    g = rt.jacobian(lambda x, y: x * f(y))
    return lambda x: g(x, x)


def by_hessian(f):
    g = rt.hessian(lambda x, y: 0.5 * x * x * f(y))
    return lambda x: g(x, x)


def by_custom_gradient(f):
    return rt.custom_gradient(lambda x: (f(x), lambda d: d))


def by_checkpoint_of_a_function(f):
    return rt.checkpoint(rt.function(f))


def by_gradient_of_a_function(f):
    g = rt.value_and_grad(rt.function(f))
    return rt.function(lambda x: g(x)[0])


def by_three_levels(f):
    a = rt.function(f)
    b = rt.function(lambda x: a(x))
    return rt.function(lambda x: b(x))


def by_partial(f):
    return functools.partial(rt.function(lambda x, n: f(x)), n=3)


def by_list(f):
    held = [rt.function(f)]
    return lambda x: held[0](x)


def by_dict(f):
    held = {"f": (rt.function(f),)}
    return lambda x: held["f"][0](x)


def by_default(f):
    def call(x, g=rt.function(f)):
        return g(x)

    return call


def by_keyword_default(f):
    def call(x, *, g=rt.function(f)):
        return g(x)

    return call


def by_static_method(f):
    class Holder:
        g = staticmethod(rt.function(f))

    return lambda x: Holder.g(x)


def by_attribute(f):
    class Holder:
        def __init__(self):
            self.f = rt.function(f)

        def __call__(self, x):
            return self.f(x)

    return Holder()


def by_method(f):
    class Model:
        @rt.function
        def predict(self, x):
            return f(x)

        def loss(self, x):
            return self.predict(x)

    return Model().loss


def by_bound_method(f):
    class Model:
        @rt.function
        def predict(self, x):
            return f(x)

    return Model().predict


def by_property(f):
    class Model:
        @property
        def predict(self):
            return g

    g, model = rt.function(f), Model()
    return lambda x: model.predict(x)


def by_call_operator(f):
    return rt.function(f).__call__


def by_context_manager(f):
    @contextlib.contextmanager
    def value(x):
        yield f(x)

    def call(x):
        with value(x) as found:
            return found

    return call


def by_method_caller(f):
    class Model:
        def predict(self, x):
            return f(x)

    model, predict = Model(), operator.methodcaller("predict", 1)
    model.predict = lambda _: f
    return lambda x: predict(model)(x)


def by_weak_reference(f):
    g = rt.function(f)
    by_weak_reference.kept = g
    reference = weakref.ref(g)
    return lambda x: reference()(x)


def by_decorator(f):
    @functools.wraps(f)
    def call(*args, **kwargs):
        return f(*args, **kwargs)

    return rt.function(call)


# The wrappers that map: a write of the function is refused in them.
MAPPED = [by_vmap]

WRAPPERS = [
    as_it_is,
    rt.function,
    rt.checkpoint,
    autograph.to_graph,
    autograph.convert(),
    autograph.do_not_convert,
    *(value for name, value in list(globals().items()) if name.startswith("by_")),
]

# The public callables that take a function, and how the list above uses them.
USED = {
    rt.function: rt.function,
    rt.Function: rt.function,
    rt.checkpoint: rt.checkpoint,
    rt.custom_gradient: by_custom_gradient,
    rt.eager: as_it_is,
    rt.grad: by_grad,
    rt.value_and_grad: by_value_and_grad,
    rt.hessian: by_hessian,
    rt.jacobian: by_jacobian,
    rt.jvp: by_jvp,
    rt.vjp: by_vjp,
    rt.vmap: by_vmap,
}
