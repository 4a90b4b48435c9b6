"""Whether a call may run a graph that is there: a generated function that looks at the arguments.

    def entry(x, n):                                    recorded as f(f64[3], 2)
        if not (x.__class__ is ndarray and ...): return None
        if not (n is k0 or same_value(n, k0)): return None
        v0 = g0['W']                                    its other reads (environment.py)
        if not (v0.__class__ is ndarray and ...): return None
        return x, v0                                    the inputs of the graph

It is straight code, because it runs in front of every call.  The same steps, taken one by one, tell
which of them does not hold: why a call needed a graph of its own.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.function.guards.environment import CONDITIONS, Reach, Step
from runtime.ir.pytree import Structure
from runtime.ir.types import PythonType, TensorType
from runtime.tracing.signature import Constant, Identity, Signature, array_condition

# What reading a variable, attribute or item raises that is not there any more.
GONE = (AttributeError, KeyError, IndexError, ValueError, TypeError)


class Entry:
    """The check of one graph.  `find(*bound)` gives the graph's inputs, None for another call."""

    def __init__(self, signature: Signature, parameters: list[str]):
        self._steps: list[Step] = []
        self._constants: dict[str, Any] = {
            **CONDITIONS,
            "ndarray": np.ndarray,
            "memmap": np.memmap,
            "generic": np.generic,
        }
        self.containers: dict[tuple, str] = {}  # variables, by the way to what they hold
        self.known: dict[int, str] = {}  # what else the check looks at, by identity
        self._sizes: dict[str, str] = {}
        self.leaves: list[str] = []  # the variable of each leaf
        self.paths: list[str] = []  # what the user would write for it
        self.ways: list[tuple] = []  # how to get there: the parameter's number, then keys
        self._variables = [f"p{i}" for i in range(len(parameters))]
        keys = iter(signature.keys)
        children = zip(signature.structure.children, self._variables, parameters, strict=True)
        for i, (child, variable, name) in enumerate(children):
            self._visit(child, variable, name, keys, (i,))
        self._own = len(self._steps)
        self.captured: list[str] = []  # the arrays among the inputs that are no arguments
        self.find: Callable[..., tuple | None] = lambda *bound: None

    def add(self, reach: Reach) -> None:
        """Adds what else the function reads, which must be as it was."""
        self._constants.update(reach.constants)
        self.known = reach.known
        self._steps += reach.steps

    def returning(self, variables: list[str], captured: list[str]) -> None:
        """Makes `find`, which gives what some variables hold; the last ones are `captured`."""
        self.captured = captured
        self.find = self._compiled("(" + "".join(f"{v}, " for v in variables) + ")")

    def variable(self, value: Any) -> tuple[str, str]:
        """The variable of the check that holds an object, and what the user would write for it;
        one that the check does not come by is a constant of it."""
        known = self.known.get(id(value))
        if known is None:
            return self._constant(value), value.name or "a variable"
        paths = [step.path for step in self._steps if step.target == known]
        return known, paths[0] if paths else dict(zip(self.leaves, self.paths, strict=True))[known]

    def held(self, variables: list[str], bound: tuple) -> list:
        """What some variables hold for the arguments of a call, whether or not all is as it was."""
        names = {**self._constants, **dict(zip(self._variables, bound, strict=True))}
        for step in self._steps:
            if step.target is not None and variables:
                names[step.target] = eval(step.text, names)
        return [names[variable] for variable in variables]

    def _compiled(self, result):
        lines = [f"def entry({', '.join(self._variables)}):", "    try:"]
        for step in self._steps:
            if step.target is not None:
                lines.append(f"        {step.target} = {step.text}")
            else:
                lines.append(f"        if not ({step.text}): return None")
        lines += [f"        return {result}", "    except GONE:", "        return None"]
        names = {**self._constants, "GONE": GONE}
        exec("\n".join(lines), names)
        return names["entry"]

    def difference(self, bound: tuple, own: bool = True) -> str | None:
        """The first thing that is not as it was, in words; None where all is.

        Without `own`, the arguments themselves are not looked at, only what else is read.
        """
        names = {**self._constants, **dict(zip(self._variables, bound, strict=True))}
        for i, step in enumerate(self._steps):
            if not own and i < self._own and step.target is None:
                continue
            try:
                found = eval(step.text, names)
            except GONE:
                return f"{step.path} is not there any more"
            if step.target is not None:
                names[step.target] = found
            elif not found:
                return _in_words(step, names)
        return None

    # -- arguments ---------------------------------------------------------------------------------

    def _visit(self, structure: Structure, variable, path, keys, way):
        if structure.kind is None:
            self.ways.append(way)
            self._leaf(next(keys), variable, path)
            return
        self.containers[way] = variable
        kind = self._constant(structure.kind)
        shown = structure.kind.__name__
        self._require(f"{variable}.__class__ is {kind}", path, variable, shown)
        count = len(structure.children)
        if structure.kind is dict:
            held = self._constant(structure.keys)
            self._require(
                f"same_items({variable}, {held})",
                path,
                variable,
                f"a dict with the keys {structure.keys}",
            )
        else:
            self._require(f"len({variable}) == {count}", path, variable, f"{shown} of {count}")
        for i, child in enumerate(structure.children):
            key = structure.keys[i] if structure.keys else i
            item = f"{variable}_{i}"
            shown = repr(key) if isinstance(key, (int, str)) else self._constant(key)
            self._steps.append(Step(f"{variable}[{shown}]", f"{path}[{key!r}]", target=item))
            self._visit(child, item, f"{path}[{key!r}]", keys, (*way, key))

    def _leaf(self, key, variable, path):
        self.leaves.append(variable)
        self.paths.append(path)
        match key:
            case TensorType():
                self._require(self._array(key, variable), path, variable, str(key))
                for axis, size in enumerate(key.shape):
                    if isinstance(size, str):
                        text = f"{variable}.shape[{axis}]"
                        known = self._sizes.setdefault(size, text)
                        if known != text:
                            self._require(f"{text} == {known}", path, variable, str(key))
            case PythonType():
                kind = key.kind.__name__
                self._require(f"{variable}.__class__ is {kind}", path, variable, str(key))
            case Constant():
                known = self._constant(key.value)
                condition = f"{variable} is {known} or same_value({variable}, {known})"
                self._require(condition, path, variable, key.text)
            case Identity():
                kind = self._constant(key.kind)
                condition = f"id({variable}) == {key.address} and {variable}.__class__ is {kind}"
                self._require(condition, path, variable, f"another {key.kind.__name__}")

    def _array(self, key, variable):
        """A condition for an array, or a number of NumPy's, among the arguments."""
        dtype = self._constant(key.dtype)
        exact = array_condition(variable, key, dtype, "ndarray")
        if key.shape:
            return exact
        number = array_condition(variable, key, dtype, self._constant(key.dtype.type))
        alias = f"isinstance({variable}, generic) and {variable}.dtype == {dtype}"
        return f"{number} or {exact} or {alias}"

    def _require(self, condition, path, subject, before):
        self._steps.append(Step(condition, path, subject=subject, before=before))

    def _constant(self, value):
        name = f"c{len(self._constants)}"
        self._constants[name] = value
        return name


def _in_words(step, names):
    if step.names:
        held = eval(step.holder, names)
        name = min(step.names & held.keys())
        return f"{step.path}{name} was not there, and is {_short(repr(held[name]))}"
    now = names[step.subject]
    if isinstance(now, (np.ndarray, np.generic)):
        shown = str(TensorType(now.dtype, now.shape)) if now.dtype.kind in "biufc" else repr(now)
    else:
        shown = repr(now)
    return f"{step.path} was {_short(step.before)}, and is {_short(shown)}"


def _short(text, most=80):
    return text if len(text) <= most else text[: most - 3] + "..."
