"""Writes docs/coverage.md: the functions of NumPy and SciPy that graphs know, from the records.

    python tools/coverage_page.py

How a function gets into a graph and whether it has a derivative follow from the record of its op
(`runtime/ir/op.py`) and from the tables of functions that stand for others.
"""

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import scipy

import runtime.staging.calls.registered
import runtime.transforms.libraries  # noqa: F401  (both fill tables)
from runtime.ir.derivative import NoDerivative, Partials
from runtime.ir.op import Op
from runtime.ops.library import LIBRARY
from runtime.ops.special import special_function
from runtime.ops.updates import AFTER
from runtime.staging.calls.registry import replacement
from runtime.tracing.numpy_api.registry import COMPOSED, functions_with_ops
from runtime.transforms.libraries.table import stand_ins

PAGE = Path(__file__).parents[1] / "docs" / "coverage.md"

# Functions that make texts and write files: each run calls them, in order with prints.
OUTPUT = set(
    [
        "array2string",
        "array_repr",
        "array_str",
        "datetime_as_string",
        "save",
        "savetxt",
        "savez",
        "savez_compressed",
    ]
)

INTRODUCTION = f"""\
# NumPy and SciPy in graphs

`tools/coverage_page.py` makes this page from the records of the library, with NumPy
{np.__version__} and SciPy {scipy.__version__}; a test compares it. On plain values all
functions work: there a converted function is Python.

| in a graph | meaning |
|---|---|
| operation | an operation of its own: optimised, fused, compiled |
| call | each run calls the function of NumPy |
| composed | written with other functions of the table |
| write | changes its argument: the graph goes on with the changed array |
| converted | a function of this library takes its place |

| derivative | meaning |
|---|---|
| yes | `rt.grad`, `rt.jvp` and the others pass through it |
| constant | the result is integers or bools, or piecewise constant |
| no | differentiating it is an error, with the line; the reason is in the table |

Operators, subscripts, slices and methods of arrays are in graphs, too. Random numbers of
`np.random`, of its generators and of `rt.random` are drawn in each run. A function that is not in
graphs is refused where it is given a staged array, with the line; each run
can call it by `rt.library_call`.
"""

SCIPY = """\
## SciPy

A function of SciPy that is given a staged array is called by each run, with its exact result; its
functions are known to be pure, apart from those that draw, read files or change their object. The
functions of the table have derivatives, too. `@rt.custom_gradient(of=function)` gives one to any
other function, and `rt.function(convert_packages=["scipy"])` converts the Python code of SciPy
itself.
"""


def public(module: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The functions of a module of NumPy that take arrays: ufuncs, and those with dispatch."""
    for name in sorted(set(module.__all__)):
        function = getattr(module, name)
        if isinstance(function, np.ufunc) or hasattr(function, "_implementation"):
            yield name, function


def how(function: Callable[..., Any]) -> str:
    """How a function of NumPy gets into a graph; "" if it does not."""
    if function in COMPOSED:
        return "composed"
    if function in AFTER and not isinstance(function, np.ufunc) and function is not np.nan_to_num:
        return "write"
    if function in functions_with_ops():
        return "operation"
    if function in LIBRARY:
        return "call"
    return "converted" if replacement(function) is not function else ""


def derivative(function: Callable[..., Any]) -> str:
    """Whether a function has a derivative, by the record of its op."""
    if how(function) in ("composed", "converted"):
        return "that of its parts"
    tables: list[dict[Any, Op]] = [functions_with_ops(), LIBRARY, AFTER]
    return of_record(next(table[function] for table in tables if function in table))


def of_record(op: Op) -> str:
    rule = op.derivative
    if isinstance(rule, NoDerivative):
        return f"no: {rule.why}"
    if isinstance(rule, Partials) and all(map(rule.is_zero, range(len(rule.formulas)))):
        return "constant"
    return "constant" if rule is None else "yes"


def numpy_table(module: Any, path: str) -> list[str]:
    known = [(name, function) for name, function in public(module) if how(function)]
    rows = [f"| `{name}` | {how(function)} | {derivative(function)} |" for name, function in known]
    missing = [name for name, function in public(module) if not how(function)]
    output = ", ".join(f"`{name}`" for name in missing if name in OUTPUT)
    others = ", ".join(f"`{name}`" for name in missing if name not in OUTPUT)
    text = [
        f"## `{path}`",
        "",
        "| function | in a graph | derivative |",
        "|---|---|---|",
        *rows,
        "",
    ]
    if output:
        text += [f"Texts and files, which each run writes: {output}.", ""]
    if others:
        text += [f"Not in graphs: {others}.", ""]
    return text


def special_functions() -> Iterator[str]:
    """The functions of `scipy.special` that have derivatives."""
    module = importlib.import_module("scipy.special")
    for name in sorted(module.__all__):
        op = special_function(getattr(module, name))
        if op is not None and of_record(op) == "yes":
            yield f"`{name}`"


def scipy_tables() -> list[str]:
    by_module: dict[str, list[str]] = {"scipy.special": list(special_functions())}
    methods = []
    for name in stand_ins():
        module, _, function = name.rpartition(".")
        if module.startswith("scipy."):
            names = by_module.setdefault(module, [])
            names += [f"`{function}`"] * (f"`{function}`" not in names)
        elif not module.startswith(("numpy", "_")):
            methods.append(f"`{module.removesuffix('_gen')}.{function}`")
    by_module["methods of its objects"] = methods
    text = ["| module | functions with derivatives |", "|---|---|"]
    text += [
        f"| {module} | {', '.join(sorted(names))} |" for module, names in sorted(by_module.items())
    ]
    return [*text, ""]


def page() -> str:
    """The text of the page."""
    text = [INTRODUCTION]
    for path in ("numpy", "numpy.linalg", "numpy.fft"):
        text += numpy_table(importlib.import_module(path), path.replace("numpy", "np", 1))
    return "\n".join([*text, SCIPY, *scipy_tables()]).rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
