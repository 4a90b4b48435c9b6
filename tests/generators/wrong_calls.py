"""Expressions that apply builtins, operators and methods to plain values that they may not take.

abs([])    {1}.union(key=1)    ([1, 2]) ** (None)    (3)[{}]
"""

import collections
import itertools

BUILTINS = """abs all any ascii bin bool bytearray bytes callable chr complex delattr dict divmod
enumerate filter float format frozenset getattr hasattr hash hex int isinstance issubclass iter len
list map max memoryview min next oct ord pow range repr reversed round set setattr slice sorted str
sum tuple type zip""".split()
OPERATORS = "+ - * / // % ** @ << >> & | ^ < <= == in is".split()
VALUES = """[] ; [1, 2] ; [[1], 2] ; [i for i in (1, 2)] ; {'a': 1} ; {i: i for i in (1, 2)} ;
{1, 2} ; (1, 2) ; 'ab' ; None ; 3 ; 1.5 ; (i for i in [1, 2]) ; object()"""
OBJECTS = {
    "[1, 2]": list,
    "[i for i in (1, 2)]": list,
    "{'a': 1}": dict,
    "{1, 2}": set,
    "'ab'": str,
    "(1, 2)": tuple,
    "(3)": int,
    "(1.5)": float,
    "frozenset([1])": frozenset,
    "bytearray(b'a')": bytearray,
    "collections.deque([1])": collections.deque,
    "collections.OrderedDict(a=1)": collections.OrderedDict,
    "collections.defaultdict(list)": collections.defaultdict,
    "collections.Counter('ab')": collections.Counter,
}
SPECIAL = ("__getitem__", "__setitem__", "__delitem__", "__contains__", "__len__", "__add__")
ARGUMENTS = ("", "[]", "{'a': 1}", "None", "3", "'ab'", "[], {}", "[], [], [], []", "nokey=1")


def wrong_calls():
    """The expressions, in a fixed order; some of them are right."""
    values = [one.strip() for one in VALUES.split(";")]
    few = values[:5] + values[6:7] + values[8:11]
    for name in BUILTINS:
        yield f"{name}()"
        yield from (f"{name}({one})" for one in values)
        yield from (f"{name}({one}, {other})" for one, other in itertools.product(few, few))
    for sign, one, other in itertools.product(OPERATORS, few, few):
        yield f"({one}) {sign} ({other})"
    for one in values:
        yield from (f"{sign}({one})" for sign in "-+~")
        yield from (f"({one})[{i}]" for i in ("0", "'k'", "None", "[]", "{}", "1.5", "9"))
        yield from (f"({one})()", f"({one}).nothing", f"dict(**({one}))", f"dict(*({one}))")
    for one, kind in OBJECTS.items():
        for name in dir(kind):
            is_shown = name in SPECIAL and "for" not in one
            if not name.startswith("__") or is_shown:
                yield from (f"{one}.{name}({arguments})" for arguments in ARGUMENTS)
