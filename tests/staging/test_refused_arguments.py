"""A staged value that is given to a function that takes none: the function, argument and remedy."""

import numpy as np
import pytest

import runtime as rt
from tests.support.loading import load

PRELUDE = """
import array, ast, base64, bisect, calendar, cmath, collections, csv, datetime, decimal
import fractions, hashlib, heapq, io, ipaddress, itertools, json, locale, operator, os, pathlib
import pickle, random, re, string, struct, textwrap, time, unicodedata
import urllib.parse, uuid, zlib
import numpy as np

class Model: pass
MODEL = Model()
"""

# The call, for x: f64, n: i64, m: f64[2, 2], s: str, and the argument that the message names.
CALLS = {
    "json.dumps(x)": "json.dumps is given the staged value `x` (f64) as argument 1, `obj`",
    'json.dumps({"a": [x]})': "a dict with the staged value `x` (f64) as argument 1, `obj`",
    "json.dumps([1], indent=n)": "json.dumps is given the staged value `n` (i64) as",
    "pickle.dumps(x)": "pickle.dumps is given the staged value `x` (f64) as argument 1, `obj`",
    "getattr(np, s)": "getattr is given the staged value `s` (str) as argument 2",
    "hasattr(np, s)": "hasattr is given the staged value `s` (str) as argument 2",
    "setattr(MODEL, s, 1)": "setattr is given the staged value `s` (str) as argument 2",
    "bytes(n)": "bytes is given the staged value `n` (i64) as argument 1",
    "bytearray(n)": "bytearray is given",
    "memoryview(m)": "memoryview is given the staged value `m` (f64[2, 2]) as argument 1",
    "operator.index(n)": "operator.index is given",
    "[1, 2].insert(n, 0)": "list.insert is given the staged value `n` (i64) as argument 1, `index`",
    "[1, 2].pop(n)": "list.pop is given",
    "issubclass(int, x)": "issubclass is given the staged value `x` (f64) as argument 2",
    'struct.pack("d", x)': "struct.pack is given the staged value `x` (f64) as argument 2",
    're.match(s, "abc")': "re.match is given the staged value `s` (str) as argument 1, `pattern`",
    're.sub("a", s, "abc")': "re.sub is given the staged value `s` (str) as argument 2, `repl`",
    "datetime.date(2020, n, 1)": "datetime.date is given",
    "datetime.timedelta(days=n)": "datetime.timedelta is given .* as the argument `days`",
    "decimal.Decimal(x)": "decimal.Decimal is given",
    "fractions.Fraction(n, 3)": "fractions.Fraction is given .* as argument 1, `numerator`",
    'os.path.join("a", s)': "os.path.join is given the staged value `s` (str) as argument 2",
    "pathlib.Path(s)": "pathlib.Path is given",
    'textwrap.wrap("abc", n)': "textwrap.wrap is given .* as argument 2, `width`",
    "base64.b64encode(x)": "base64.b64encode is given",
    "hashlib.sha256(x)": "hashlib.sha256 is given",
    "zlib.compress(x)": "zlib.compress is given",
    "collections.deque([1], n)": "collections.deque is given",
    'array.array("d", [x])': "array.array is given a list with the staged value `x` (f64)",
    "ipaddress.ip_address(n)": "ipaddress.ip_address is given",
    'string.Template("$a").substitute(a=x)': "Template.substitute is given .* argument `a`",
    "calendar.isleap(n)": "calendar.isleap is given",
    "uuid.UUID(int=n)": "uuid.UUID is given",
    'compile(s, "a", "eval")': "compile is given",
    "str.encode(s)": "str.encode is given",
    "ast.literal_eval(s)": "ast.literal_eval is given",
    "csv.writer(x)": "csv.writer is given",
    "io.StringIO(s)": "io.StringIO is given",
    "urllib.parse.quote(s)": "urllib.parse.quote is given",
    "unicodedata.name(s)": "unicodedata.name is given",
}

ARGUMENTS = np.float64(2.0), np.int64(3), np.eye(2)


def pattern(text):
    return text.replace("(", r"\(").replace(")", r"\)").replace("[", r"\[").replace("]", r"\]")


@pytest.mark.parametrize("call", CALLS)
def test_the_message_names_the_function_the_argument_the_line_and_a_remedy(call):
    text = f"def f(x, n, m):\n    s = f'{{x}}'\n    return {call}\n"
    with pytest.raises(rt.errors.ArgumentError, match=pattern(CALLS[call])) as error:
        rt.function(load(PRELUDE + text, f"call {call}.py").f)(*ARGUMENTS)
    what, place, code, *_, remedy = str(error.value).splitlines()
    assert place.endswith(f"line {len(PRELUDE.splitlines()) + 3}, in f")
    assert code.strip() == f"return {call}"
    assert len(remedy) > 20 and remedy.endswith("[AG102]")


@pytest.mark.parametrize("call", CALLS)
def test_no_handler_swallows_the_refusal(call):
    text = f"""
def f(x, n, m):
    s = f'{{x}}'
    try:
        found = {call}
    except (TypeError, ValueError, AttributeError, struct.error):
        x = x * 0
    return x
"""
    with pytest.raises(rt.errors.ArgumentError):
        rt.function(load(PRELUDE + text, f"handled {call}.py").f)(*ARGUMENTS)


# -- exceptions of the program ---------------------------------------------------------------------


class Tensor:
    """A class of the program that is called like one of the library's."""

    def __add__(self, other):
        raise TypeError("Tensor + View is not Text")


def own_words(x):
    if x.shape == (2,):
        raise TypeError("a Tensor, not a Text or a View: 'Tensor' object, StagedString, Alias")
    return x


def own_class(x):
    return Tensor() + x


def own_class_in_python(x):
    return len(x) + len(Tensor())


def own_callback(x):
    def key(v):
        raise TypeError(f"no Tensor {v}")

    return x * sorted([2, 1], key=key)[0]


def own_conversion(x):
    return x * int("Tensor")


def through_library(x):
    import functools

    def step(a, b):
        raise ValueError(f"TraceList {a}")

    return x * functools.reduce(step, [1, 2, 3])


@pytest.mark.parametrize(
    "function",
    [own_words, own_class, own_class_in_python, own_callback, own_conversion, through_library],
)
def test_an_exception_of_the_program_is_not_replaced(function):
    x = np.ones(2)
    with pytest.raises((TypeError, ValueError)) as expected:
        function(x)
    with pytest.raises(type(expected.value)) as found:
        rt.function(function)(x)
    assert type(found.value) is type(expected.value)
    assert str(found.value) == str(expected.value)


def handled(x):
    try:
        own_words(x)
    except TypeError as error:
        return x * len(str(error))


def test_a_handler_gets_an_exception_of_the_program():
    x = np.ones(2)
    assert np.array_equal(rt.function(handled)(x), handled(x))
