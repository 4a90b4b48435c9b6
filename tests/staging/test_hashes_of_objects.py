"""`object in a dict`, where the object has staged parts: Python first calls its `__hash__`."""

import numpy as np
import pytest

import runtime as rt


def made(method):
    class Key:
        def __init__(self, value):
            self.value = value

        def __eq__(self, other):
            return self.value == other

        __hash__ = method

    return Key


METHODS = {
    "an array": lambda self: self.value,
    "a product": lambda self: self.value * 1.5,
    "a text": lambda self: "a",
    "None": lambda self: None,
    "another number": lambda self: 5,
    "the number": lambda self: 4,
    "the int": lambda self: int(self.value),
    "its hash": lambda self: hash(self.value),
}


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("x", (np.float64(4.0), np.int64(4), 4, 4.0, np.float64(3.0)))
def test_a_hash_is_an_integer(name, x):
    key = made(METHODS[name])

    def f(x):
        return key(x) in {1: 2, 4: 5}

    try:
        expected = f(x)
    except TypeError as error:
        text = str(error)
        with pytest.raises(TypeError, match=text) as caught:
            rt.function(f)(x)
        assert type(caught.value) is TypeError
    else:
        assert rt.function(f)(x) == expected
