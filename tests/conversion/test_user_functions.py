"""`to_code` and `explain` show the user's function, whatever object holds it."""

import functools

import numpy as np
import pytest

import autograph
import runtime as rt


def absolute(x):
    if x > 0:
        return x
    return -x


staged = rt.function(absolute)


class Model:
    def __call__(self, x):
        return x if x > 0 else -x

    @rt.function
    def step(self, x):
        return x if x > 1 else -x

    def method(self, x):
        return x if x > 2 else -x

    @classmethod
    def of_class(cls, x):
        return x if x > 3 else -x

    @staticmethod
    def static(x):
        return x if x > 4 else -x

    @property
    def sign(self):
        return 1 if self.value > 5 else -1

    @functools.cached_property
    def cached(self):
        return 1 if self.value > 6 else -1

    added = functools.partialmethod(method, 1)


model = Model()

HOLDERS = {
    "function": staged,
    "grad": rt.grad(absolute),
    "value_and_grad": rt.value_and_grad(absolute),
    "vmap": rt.vmap(absolute),
    "jacobian": rt.jacobian(absolute),
    "hessian": rt.hessian(absolute),
    "nested": rt.vmap(rt.grad(absolute)),
    "of decorated": rt.grad(staged),
    "twice": rt.function(staged),
    "concrete": staged.get_concrete_function(np.float64(1)),
    "partial": functools.partial(absolute, 1.0),
    "partial of decorated": functools.partial(staged, 1.0),
    "checkpoint": rt.checkpoint(absolute),
    "custom_gradient": rt.custom_gradient(absolute),
    "lru_cache": functools.lru_cache(absolute),
    "converted": autograph.to_graph(absolute),
    "converted twice": autograph.to_graph(autograph.to_graph(absolute)),
    "eager": rt.eager(staged),
    "staticmethod": staticmethod(absolute),
}
METHODS = {
    "decorated": (Model.step, "step"),
    "bound and decorated": (model.step, "step"),
    "bound": (model.method, "method"),
    "of a class": (Model.method, "method"),
    "classmethod": (Model.of_class, "of_class"),
    "static": (model.static, "static"),
    "property": (Model.sign, "sign"),
    "cached_property": (vars(Model)["cached"], "cached"),
    "partialmethod": (vars(Model)["added"], "method"),
    "object": (model, "__call__"),
    "gradient of a method": (rt.grad(model.method), "method"),
    "gradient of an object": (rt.grad(model), "__call__"),
}


@pytest.mark.parametrize("holder", HOLDERS.values(), ids=HOLDERS)
def test_an_object_that_holds_a_function_shows_that_function(holder):
    assert autograph.to_code(holder) == autograph.to_code(absolute)
    assert str(autograph.explain(holder)) == str(autograph.explain(absolute))
    assert "(tests/conversion/test_user_functions.py, line 12)" in str(autograph.explain(holder))


@pytest.mark.parametrize("holder, name", METHODS.values(), ids=METHODS)
def test_a_method_is_shown_wherever_it_is_found(holder, name):
    assert autograph.to_code(holder).startswith(f"def {name}(")
    assert str(autograph.explain(holder)).startswith(f"Model.{name} (")


def test_a_class_shows_its_methods():
    code = autograph.to_code(Model)
    names = ["__call__", "step", "method", "of_class", "static", "sign", "cached"]
    assert [name for name in names if f"    def {name}(" not in code] == []
    assert code.startswith("class Model:") and "ag__.if_expr" in code
    compile(code, "model", "exec")
    report = autograph.explain(Model)
    assert [finding.code for finding in report.findings][0] == "x if x > 0 else -x"
    assert len(report.findings) == 7


def test_a_class_without_methods_is_refused_by_name():
    class Empty:
        pass

    for shown in (autograph.to_code, autograph.explain):
        with pytest.raises(
            autograph.ConversionError, match="Empty has no methods written in Python"
        ):
            shown(Empty)


def test_a_function_that_is_not_written_in_python_is_refused_by_name():
    for holder in (len, np.sin, rt.function(np.sin), functools.partial(max, 1)):
        with pytest.raises(autograph.ConversionError, match="has no source in Python"):
            autograph.to_code(holder)


@pytest.mark.parametrize("name", ["function", "grad", "concrete", "checkpoint", "custom_gradient"])
def test_an_object_of_the_library_is_not_converted_itself(name):
    assert autograph.to_graph(HOLDERS[name]) is HOLDERS[name]


def test_a_wrapper_written_by_the_user_shows_the_wrapper():
    @functools.wraps(absolute)
    def wrapper(x):
        return absolute(x) if x > 9 else 0

    assert "x > 9" in autograph.to_code(wrapper)
