"""Builtins, and methods of builtin types, that are given a staged value.

A call is recorded, refused by an error that names the user's line, or raises the exception of
Python, whose text names the classes that the user knows.
"""

import contextlib
import io
import re
import sys

import numpy as np
import pytest
from loading import load
from while_recording import while_recording
from wrong_calls import wrong_calls

import runtime as rt

CALLS = """
next(x) ; range(x) ; "a".join(x) ; bytes(x) ; bytearray(x) ; slice(x) ; chr(x) ; int(x, 2) ;
ord(x) ; hash(x) ; reversed(x) ; enumerate(x) ; zip(x) ; map(str, x) ; filter(None, x) ; list(x)
; tuple(x) ; set(x) ; frozenset(x) ; dict(x) ; sum(x) ; any(x) ; all(x) ; sorted(x) ; min(x) ;
max(x) ; hex(x) ; oct(x) ; bin(x) ; len(x) ; eval(x) ; exec(x) ; compile(x, "", "eval") ;
getattr(x, x) ; hasattr(x, x) ; isinstance(1, x) ; issubclass(int, x) ; callable(x) ; format(x,
x) ; divmod("a", x) ; pow(2, x, 5) ; round(2.5, x) ; memoryview(x) ; super(x) ; type(x, (), {})
; __import__(x) ; vars(x) ; dir(x) ; ascii(x) ; str(b"a", x) ; complex("1", x) ; float("a", x) ;
property(x) ; staticmethod(x) ; classmethod(x) ; globals(x) ; id(x, x) ; object(x) ; aiter(x) ;
anext(x) ; bool(x, x) ; "a".split(x) ; "a".join([x]) ; "a".replace(x, "b") ; "abc".find(x) ;
"abc".index(x) ; "abc".count(x) ; "a".center(x) ; "a".ljust(x) ; "a".rjust(x) ; "a".zfill(x) ;
"a".startswith(x) ; "a".endswith(x) ; "a".strip(x) ; "a".partition(x) ; "a".encode(x) ;
"a".translate(x) ; "a".expandtabs(x) ; "a".splitlines(x) ; "a".removeprefix(x) ;
"{}".format_map(x) ; "%s %s" % x ; "a" + x ; "a" * x ; "a"[x] ; x in "abc" ; "abc".rfind("b", x)
; [].append(x, x) ; [1].extend(x) ; [1].insert(x, x) ; [1].pop(x) ; [1].remove(x) ; [1].index(x)
; [1].count(x) ; [1].sort(key=x) ; [1].copy(x) ; [1].clear(x) ; [1] + x ; [1] * x ; [1][x] ;
list.append(x) ; list.append(x, 1) ; list.pop(x) ; list.sort(x) ; {}.get(x) ; {}.pop(x) ;
{}.update(x) ; {}.setdefault(x, 1) ; dict.fromkeys(x) ; {1: 2}[x] ; {}.popitem(x) ; {x: 1} ; {x}
; {1}.add(x) ; {1}.remove(x) ; {1}.discard(x) ; {1}.union(x) ; {1}.update(x) ; x in {1: 2} ;
dict.get(x, 1) ; set.add(x, 1) ; b"a".join(x) ; b"a".find(x) ; b"a" + x ; b"a".decode(x) ;
bytes.fromhex(x) ; int.from_bytes(x, "big") ; (5).to_bytes(x, "big") ; (1.5).hex(x) ;
float.fromhex(x) ; (1, 2).index(x) ; (1, 2).count(x) ; (1, 2)[x] ; (1, 2) + x ; (1, 2) * x ;
str.upper(x) ; str.join(x, []) ; int.bit_length(x) ; float.is_integer(x) ; tuple.index(x, 1)
"""


def cases():
    return " ".join(CALLS.split()).split(" ; ")


@pytest.fixture(scope="module")
def module():
    functions = [f"def f{i}(x):\n    y = {one}\n    return x" for i, one in enumerate(cases())]
    return load("\n\n".join(functions), "given_to_builtins")


def outcome(function, value):
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            function(value)
        except Exception as error:
            return error
    return None


@pytest.mark.parametrize("kind", ["array", "scalar"])
def test_an_error_about_a_staged_argument_tells_the_user_where_and_what(module, kind):
    value = np.array([1.0, 2.0]) if kind == "array" else np.float64(2.0)
    refused = 0
    for i, call in enumerate(cases()):
        if i % 2 == (kind == "array") and call[:2] not in ("ne", '"a'):
            continue  # each kind takes one half
        function = getattr(module, f"f{i}")
        found = outcome(rt.function(function), value)
        if isinstance(found, rt.StagingError):
            refused += 1
            assert "given_to_builtins" in str(found) and "line" in str(found), (call, found)
            assert f"in f{i}" in str(found), (call, found)
        elif found is not None:
            wanted = outcome(function, value)
            assert type(wanted) is type(found), (call, found, wanted)
            assert "Tensor" not in str(found), (call, found)
    assert refused > 20


def test_an_exception_of_python_names_the_class_that_the_user_knows():
    with pytest.raises(TypeError, match="'numpy.float64' object is not an iterator"):
        rt.function(lambda x: next(x))(np.float64(1.0))
    with pytest.raises(TypeError, match="expected str instance, numpy.ndarray found"):
        rt.function(lambda x: "a".join([x]))(np.zeros(2))


@pytest.mark.parametrize("value", [np.float64(2.0), np.ones(2)])
def test_a_staged_value_that_is_called_is_refused_as_not_callable(value):
    with pytest.raises(rt.StagingError, match="Python says: a staged value is not callable"):
        rt.function(lambda x: x(3))(value)


# Python calls the method of a subclass first, so the operands have changed places.
OPERANDS_EXCHANGED = {
    "max([i for i in (1, 2)], [[1], 2])",
    "min([i for i in (1, 2)], [[1], 2])",
    "([[1], 2]) < ([i for i in (1, 2)])",
    "([[1], 2]) <= ([i for i in (1, 2)])",
    "('ab') * ([i for i in (1, 2)])",
}
# Since Python 3.13, some texts have the qualified name of a class, which is our own.
QUALIFIED = {"str('ab', [])", "str([[1], 2], [i for i in (1, 2)])"}
KNOWN = OPERANDS_EXCHANGED | QUALIFIED if sys.version_info >= (3, 13) else OPERANDS_EXCHANGED
BLOCK = 60  # calls in a function
ADDRESS = re.compile("0x[0-9a-f]+")


def noting(name, calls):
    """The source of a function that returns the text of each call's exception."""
    tried = "".join(
        f"    try:\n        {call}\n        noted.append(None)\n"
        "    except Exception as error:\n"
        "        noted.append(f'{type(error).__name__}: {error}')\n"
        for call in calls
    )
    return f"def {name}():\n    noted = []\n{tried}    return noted\n"


def differences(calls, name):
    """The calls of plain values whose exceptions have other texts while a graph is recorded."""
    blocks = [calls[i : i + BLOCK] for i in range(0, len(calls), BLOCK)]
    source = "\n".join(noting(f"f{i}", block) for i, block in enumerate(blocks))
    module = load(f"import collections\n{source}", name)
    found = {}
    for i, block in enumerate(blocks):
        function = getattr(module, f"f{i}")
        for call, wanted, text in zip(block, function(), while_recording(function)(), strict=True):
            if ADDRESS.sub("", wanted or "") != ADDRESS.sub("", text or ""):
                found[call] = (wanted, text)
    return found


@pytest.mark.filterwarnings("ignore::SyntaxWarning")  # "[1]() is not callable"
def test_exceptions_about_plain_values_have_the_texts_of_python_while_a_graph_is_recorded():
    found = differences(list(wrong_calls())[::11], "some_wrong_calls")
    assert found.keys() <= KNOWN


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_every_exception_about_plain_values_has_the_text_of_python():
    assert differences(list(wrong_calls()), "all_wrong_calls").keys() <= KNOWN
