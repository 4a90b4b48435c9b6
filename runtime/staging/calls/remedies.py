"""The remedy for each function of Python that takes no staged value.

A pattern is the name of a function as users write it, or one with `*`; the first that fits holds.
`{name}` is that name, `{value}` the argument.
"""

from fnmatch import fnmatchcase

AFTER_RUN = "Return {value}, and call {name} on the result of the function"
EACH_RUN = "rt.host_call({name}, ...) calls it in each run"

REMEDIES = (
    ("json.*", AFTER_RUN + ": json knows the arrays of a run by .tolist()."),
    ("pickle.*", AFTER_RUN + "."),
    ("marshal.*", AFTER_RUN + "."),
    ("copyreg.*", AFTER_RUN + "."),
    ("open", "A path is known before the run: pass it as a Python string, not as a staged one."),
    ("getattr", "Choose with `if`: found = obj.a if {value} == 0 else obj.b"),
    ("setattr", "Choose with `if`: each branch sets an attribute that is written out."),
    ("hasattr", "Whether an attribute exists must be known: pass its name as a string."),
    ("delattr", "Whether an attribute exists must be known: pass its name as a string."),
    ("bytes", AFTER_RUN + "; {value}.view(np.uint8) is an array of the bytes."),
    ("bytearray", AFTER_RUN + "; {value}.view(np.uint8) is an array of the bytes."),
    ("memoryview", AFTER_RUN + "."),
    ("int.to_bytes", AFTER_RUN + "."),
    ("pow", "Write the operators: (a ** b) % m"),
    ("divmod", "Write {value} // n and {value} % n."),
    ("ord", AFTER_RUN + "."),
    ("hash", "Use the value itself, or a key that is known."),
    ("isinstance", "The second argument is a class: isinstance({value}, np.ndarray)."),
    ("issubclass", "The arguments are classes: isinstance({value}, np.ndarray)."),
    ("slice.*", "Write the slice as a subscript: x[a:b]"),
    ("sorted", "Use np.sort for arrays; a key function must return staged values."),
    ("list.sort", "Use np.sort for arrays."),
    ("list.*", "Use an array, which takes staged indices: np.insert, np.delete, np.take."),
    ("dict.*", "A key is known before the run; choose the value with `if`."),
    ("str.*", "Write an f-string, or call it on the result of the function."),
    ("int", "Use {value}.astype(int), which rounds toward zero as int() does."),
    ("float", "Use {value}.astype(float)."),
    ("range", "A range takes staged ints; convert: {value}.astype(int)."),
    ("type", "A class is known before the run."),
    ("math.*", "Use NumPy's function of this name, or write it with NumPy's operations."),
    ("cmath.*", "Use NumPy's function of this name: np.exp, np.sqrt take complex numbers."),
    ("statistics.*", "Use np.mean, np.median, np.std or np.var."),
    ("random.*", "Use rt.random, whose functions take staged values."),
    ("decimal.*", "Graphs compute with floats and ints: keep float64, or " + EACH_RUN + "."),
    ("fractions.*", "Graphs compute with floats and ints: keep numerator and denominator as ints."),
    ("datetime.*", "Compute with np.int64 seconds or days, and convert the result."),
    (
        "time.sleep",
        "Call it outside of the function, or in each run: rt.host_call(time.sleep, ...)",
    ),
    ("time.*", AFTER_RUN + "."),
    ("calendar.*", AFTER_RUN + "."),
    ("struct.*", AFTER_RUN + "; np.ravel({value}).view(np.uint8) is an array of the bytes."),
    ("array.*", "Use a NumPy array."),
    ("re.*", AFTER_RUN + "; " + EACH_RUN + "."),
    ("os.*", "A path is known before the run: pass it as a Python string, not as a staged one."),
    ("pathlib.*", "A path is known before the run: pass it as a Python string."),
    ("string.*", "Write an f-string."),
    ("textwrap.*", AFTER_RUN + "."),
    ("base64.*", AFTER_RUN + "."),
    ("binascii.*", AFTER_RUN + "."),
    ("hashlib.*", AFTER_RUN + "."),
    ("zlib.*", AFTER_RUN + "."),
    ("bisect.*", "Use np.searchsorted."),
    ("heapq.*", "Use np.sort, or np.partition for the smallest elements."),
    ("itertools.*", "Use a `for` loop over a range: range takes staged values."),
    ("collections.*", "Use a list or a dict with keys that are known."),
    ("operator.index", "Use {value} itself: subscripts and ranges take staged ints."),
    ("operator.*", "Write the operator itself."),
    ("uuid.*", AFTER_RUN + "."),
    ("ipaddress.*", AFTER_RUN + "."),
    (
        "np.poly1d",
        "Keep the coefficients in an array c: np.polyval(c, x), np.polyder(c), np.polymul(c, d).",
    ),
    ("scipy.*", "Write it with NumPy's operations, or call it on the result; " + EACH_RUN + "."),
)
DEFAULT = AFTER_RUN + "; " + EACH_RUN + "."


def remedy_for(name: str, value: str) -> str:
    """The remedy for a function that has been given a staged value."""
    fitting = (remedy for pattern, remedy in REMEDIES if fnmatchcase(name, pattern))
    return next(fitting, DEFAULT).format(name=name, value=value)
