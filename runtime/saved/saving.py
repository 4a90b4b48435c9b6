"""`rt.save`: functions and models as files that need no code."""

import inspect
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from types import MethodType
from typing import Any

from autograph.errors import message
from runtime.errors import SaveError, users_location
from runtime.function.concrete_function import ConcreteFunction
from runtime.function.function import Function
from runtime.saved import members
from runtime.saved.collected import States, function_record, state_array, state_record
from runtime.saved.loaded import LoadedFunction, LoadedModel
from runtime.saved.loading import WEIGHTS
from runtime.saved.paths import paths_of
from runtime.saved.tensors import packed


def save(path: Any, target: Any, signatures: Any = None, *, source: bool = False) -> None:
    """Writes a function or a model to a path: its graphs, and the arrays and variables they read.

    `path`: a file that ends in `.zip`, or a directory.  `target`: an `rt.function`, one of its
    graphs (`get_concrete_function`), a method that is one, an object that has such methods, or
    what `rt.load` has returned: its graphs are written again, with the variables as they are now.
    `signatures`: a list of calls, each a tuple of arguments or `TensorSpec`s; for an object a
    dictionary of such lists by the names of methods.  Without them, the graphs of the calls so far
    are saved.  `source`: also write the Python source, for people: loading does not read it.

    Whatever a function reads besides its arguments is saved with the value that it has now; arrays
    and variables stay mutable.  Raises `SaveError`, with the user's line, for functions that need
    Python; `TypeError` if the path is not the first argument.
    """
    if not isinstance(path, (str, PathLike)):
        raise TypeError(
            message(
                f"rt.save is given an object of type {type(path).__name__} as its path",
                users_location(),
                "The path comes first, then the function or model.",
                'Write rt.save("model.zip", f)',
            )
        )
    members.write(Path(path), files_of(target, signatures, source))


def as_bytes(target: Any, signatures: Any = None) -> bytes:
    """A function or model as bytes, which `rt.saved.from_bytes` reads; see `rt.save`."""
    return members.as_bytes(files_of(target, signatures, False))


def files_of(target: Any, signatures: Any, source: bool) -> dict[str, bytes]:
    """The files of a saved program, by name.  Raises `SaveError`."""
    if isinstance(target, (LoadedFunction, LoadedModel)):
        found: dict[str, tuple] = {}
        program, files, states = _loaded_program(target, signatures)
    else:
        found = functions_of(target, signatures)
        program, files, states = program_of(target, found)
    pairs = zip(states, program["states"], strict=True)
    arrays = {record["tensor"]: state_array(value, record) for value, record in pairs}
    if arrays:
        files[WEIGHTS] = packed(arrays)
    if source:
        files["source.py"] = _source(found).encode()
    return members.sealed(program, files)


def _loaded_program(target: Any, signatures: Any) -> tuple[Any, dict[str, bytes], list]:
    """The program that a function or model was loaded from; of a method, without the others.

    Raises `SaveError` for other signatures than it has.
    """
    made_from = target.made_from
    program, name = made_from.program, made_from.called
    if signatures is not None:
        raise SaveError.about(
            f"{name or program['name']} cannot be saved with other signatures",
            None,
            "It was loaded: it has the graphs of the file, and no code to make others from.",
            "Leave out the signatures.",
        )
    if name is None:
        return program, dict(made_from.files), made_from.values
    functions = {name: program["functions"][name]}
    program = {**program, "kind": "function", "name": name, "functions": functions}
    texts = {f"graph_{graph['graph']}.txt" for graph in functions[name]["graphs"]}
    files = {one: text for one, text in made_from.files.items() if one in texts}
    return program, files, made_from.values


def program_of(target: Any, found: dict[str, tuple]) -> tuple[Any, dict[str, bytes], list]:
    """The program as JSON, the texts of its graphs as files, and its states: the variables and
    arrays that the functions read.  Raises `SaveError`."""
    states, graphs, name = States(), [], _name(target)
    functions = {}
    for called, (function, concretes, owner) in found.items():
        if not concretes:
            raise _nothing(called)
        parameters = _parameters(function, concretes)
        shown = called if isinstance(target, (Function, ConcreteFunction)) else f"{name}.{called}"
        record = function_record(shown, parameters, concretes, states, graphs, owner)
        functions[called] = record
    names = paths_of(target) if not _is_function(target) else {}
    records = [
        state_record(i, value, names.get(id(value), path))
        for i, (value, path) in enumerate(states.found)
    ]
    files = {f"graph_{i}.txt": text.encode() for i, text in enumerate(graphs)}
    kind = "function" if _is_function(target) else "model"
    program = {"kind": kind, "name": name, "functions": functions, "states": records}
    return program, files, [value for value, _ in states.found]


def _is_function(target):
    return isinstance(target, (Function, ConcreteFunction, MethodType))


def _name(target):
    found = getattr(target, "__name__", None) if _is_function(target) else None
    if isinstance(target, ConcreteFunction):
        found = target.name
    return _identifier(found or type(target).__name__)


def _identifier(name):
    return name if name.isidentifier() else "function"


def functions_of(target: Any, signatures: Any) -> dict[str, tuple]:
    """By name: the functions to save, the graphs of each, and the object whose method it is."""
    if isinstance(target, ConcreteFunction):
        return {_identifier(target.name): (target.function(), [target], None)}
    if isinstance(target, Function):
        return {_identifier(target.__name__): (target, _graphs(target, signatures, None), None)}
    if isinstance(target, MethodType) and isinstance(target.__func__, Function):
        owner, function = target.__self__, target.__func__
        return {target.__name__: (function, _graphs(function, signatures, owner), owner)}
    wanted = {} if signatures is None else signatures
    if not isinstance(wanted, Mapping):
        raise TypeError(
            "the signatures of an object are a dictionary: {'predict': [(rt.TensorSpec(...),)]}"
        )
    methods = _methods(target)
    for unknown in set(wanted) - set(methods):
        raise SaveError.about(
            f"{type(target).__name__} has no rt.function {unknown!r}", None,
            f"Its functions are {', '.join(methods) or 'none'}.", "Correct the name."
        )  # fmt: skip
    found = {}
    for name, (function, owner) in methods.items():
        if name in wanted or not wanted:
            graphs = _graphs(function, wanted.get(name), owner)
            if graphs or name in wanted:
                found[name] = function, graphs, owner
    if not found:
        raise _nothing(type(target).__name__)
    return found


def _methods(target):
    """The functions of an object: methods of its class, and attributes."""
    found = {}
    for kind in reversed(type(target).__mro__):
        for name, value in vars(kind).items():
            if isinstance(value, Function):
                found[name] = value, target
    for name, value in getattr(target, "__dict__", {}).items():
        if isinstance(value, Function):
            found[name] = value, None
        elif isinstance(value, MethodType) and isinstance(value.__func__, Function):
            found[name] = value.__func__, value.__self__
    return found


def _graphs(function: Function, signatures: Iterable | None, owner: Any) -> list[ConcreteFunction]:
    """The graphs to save: those of some calls, or all that there are."""
    first = () if owner is None else (owner,)
    if signatures is not None:
        calls = [one if isinstance(one, tuple) else (one,) for one in signatures]
        return [function.get_concrete_function(*first, *one) for one in calls]
    if function.input_signature is not None and owner is None:
        return [function.get_concrete_function()]
    known = list(function._concretes)
    return known if owner is None else [one for one in known if _is_for(one, owner)]


def _is_for(concrete, owner):
    if not concrete.signature.keys:
        return False
    reference = getattr(concrete.signature.keys[0], "reference", None)
    return reference is owner or (callable(reference) and _referent(reference) is owner)


def _referent(reference):
    return reference() if type(reference).__name__ == "ReferenceType" else None


def _parameters(function, concretes):
    """The parameters of a function, without annotations."""
    found = concretes[0].parameters._parameters
    return [one.replace(annotation=inspect.Parameter.empty) for one in found]


def _nothing(name):
    return SaveError.about(
        f"{name} cannot be saved: it has no graph yet",
        None,
        "A graph is for the types of arguments, which no call has shown so far.",
        "Call it, or give a signature: rt.save(path, f, signatures=[(rt.TensorSpec((None,)),)]).",
    )


def _source(found):
    """The source of the functions, for people."""
    parts = []
    for function, *_ in found.values():
        try:
            parts.append(inspect.getsource(function.python_function))
        except (OSError, TypeError, AttributeError):
            continue
    return "\n".join(parts)
