"""All collections of programs: the functions of every file of `tests/programs`, with their calls.

    for name, (function, calls) in every_program().items(): ...       "data_none.first": (f, [...])

The files are found, so a new one belongs to these collections from its first day.  Those that hold
something else are listed: texts of programs, changes of the outside world, values of JAX.
"""

import importlib
import inspect
from pathlib import Path

import numpy_usages
from collection import Collection
from programs import PROGRAMS, Program
from support.engine_runs import Cases
from support.every_mode import Programs

FOLDER = Path(__file__).parents[1] / "programs"
# Modules whose programs are no functions with arguments, and why.  Those of `outside_` are changes
# of the world between two calls.
OTHERS = {
    "batch_expressions": "expressions of batches, as texts",
    "effects": "texts of programs",
    "handlers": "texts of programs",
    "jax_programs": "functions of JAX's arrays",
    "own_numbers": "classes of numbers",
    "package_programs": "calls of packages, with their objects",
    "plain_comprehensions": "functions of plain values",
    "plain_programs": "functions of plain values",
    "real_modules": "texts of modules of the standard library",
    "recursive_counters": "functions of plain values",
    "recursive_searches": "functions of plain values",
    "recursive_structures": "functions of plain values",
    "scipy_calls": "calls of a package",
    "scipy_data": "calls of a package",
    "scipy_equations": "calls of a package",
    "scipy_gradients": "calls of a package",
    "scipy_options": "calls of a package",
    "swallowing": "texts of programs",
    "table_programs": "texts of programs",
}


def modules():
    """The names of all modules of programs."""
    return sorted(path.stem for path in FOLDER.glob("*.py"))


def collections():
    """The names of the modules whose programs are functions with arguments."""
    return [one for one in modules() if one not in OTHERS and not one.startswith("outside_")]


def programs_of(name):
    """The programs of a module: by their names a function and the arguments of its calls."""
    module = importlib.import_module(name)
    found = {}
    for held in vars(module).values():
        if isinstance(held, Programs):
            found |= {key: (one.function, [one.arguments]) for key, one in held.items()}
        elif isinstance(held, Collection):
            found |= {repr(one): (one.function, [one.arguments]) for one in held}
        elif isinstance(held, Cases):
            found |= {key: (one.function, list(one.calls)) for key, one in held.items()}
    if name == "batch_programs":
        found |= {one.__name__: (one, _rows(batches)) for one, batches in module.BATCHES.items()}
    elif name.startswith("numpy_usages"):
        found |= dict(_usages(module))
    elif name == "programs" or name.startswith("language_"):
        found |= {key: (one.function, one.staged) for key, one in _registered(module)}
    return {key: one for key, one in found.items() if one[1]}


def _rows(batches):
    """The arguments for the first two elements of batches."""
    return [tuple(batch[i] for batch in batches) for i in range(2)]


def _usages(module):
    values, found = numpy_usages.values, numpy_usages.USAGES
    for topic, functions in found.items():
        for number, function in enumerate(functions):
            if function.__module__ != module.__name__:
                break
            names = inspect.signature(function).parameters
            yield f"{topic}_{number}", (function, [tuple(values()[one] for one in names)])


def _registered(module):
    for key, one in PROGRAMS.items():
        if isinstance(one, Program) and one.function.__module__ == module.__name__:
            yield key, one


def every_program():
    """All programs, by the names of their modules and their own."""
    return {
        f"{module}.{key}": one
        for module in collections()
        for key, one in programs_of(module).items()
    }
