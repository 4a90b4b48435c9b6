"""The guard of a graph: decides whether a cached graph is valid for a call.

    def match(x, n):                                    traced as f(f64[3], 2)
        try:
            if not (type(x) is ndarray and ...): return None
            if not (n is _c3 or ...): return None
            _v0 = _c4['W']                              other reads (environment.py)
            if not (type(_v0) is ndarray and ...): return None
            return x, _v0                               the inputs of the graph
        except GONE: return None

A guard is a list of records (`records.py`): those of the arguments, then those of the environment.
They are printed as straight code, which runs before every call.  Evaluated one by one, the same
records tell which condition fails: why a call was retraced.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from runtime.function.guards.contents import is_plain_key, values_of
from runtime.function.guards.environment import Environment
from runtime.function.guards.records import GONE, Names, Record, python, subject
from runtime.ir.pytree import Structure
from runtime.ir.types import PythonType, TensorType
from runtime.staging.calls.cached_functions import CachedResults
from runtime.staging.calls.outside_answers import Answer, OutsideAnswers
from runtime.tracing.descriptions import described
from runtime.tracing.numpy_api.memory_layout import Layout
from runtime.tracing.signature import Constant, Identity, Signature

Path = tuple[Any, ...]


class Guard:
    """The guard of one graph.

    `match(*bound)` returns the inputs of the graph for the arguments of a call, None if the graph
    is not valid for them.
    """

    def __init__(self, signature: Signature, parameters: list[str]):
        self.records: list[Record] = []
        self.names = Names(_prefix(parameters))
        self.parameters = parameters  # the variables of the arguments
        self.inputs: list[str] = []  # the variables, or expressions, of the graph's inputs
        self.captured: list[str] = []  # the paths of inputs that are not arguments
        self.containers: dict[Path, str] = {}  # the variables of containers among the arguments
        self.variables: dict[int, str] = {}  # of other reads, by the identity of the value
        self.leaves: list[str] = []  # the variable of each leaf of the arguments
        self.paths: list[str] = []  # how the user writes it
        self.keys: list[Path] = []  # its position: the parameter's number, then keys
        self._sizes: dict[str, tuple[str, int]] = {}
        keys = iter(signature.keys)
        children = zip(signature.structure.children, parameters, strict=True)
        for i, (child, name) in enumerate(children):
            self._visit(child, name, name, keys, (i,))
        self._own = len(self.records)
        self.results = CachedResults()
        self.is_fleeting = False  # it is valid for the call that it was recorded for, and no other
        self.match: Callable[..., tuple | None] = lambda *bound: None

    def add(self, environment: Environment) -> None:
        """Adds the guards on everything else that the function reads."""
        own = {record.key for record in self.records}
        self.variables = environment.variables
        self.records += [record for record in environment.records if record.key not in own]

    def add_answers(self, asked: OutsideAnswers, read: list[Answer]) -> None:
        """Adds the answers of the outside to what a call must find again, also `read` ones."""
        for answer in (*asked.answers, *read):
            expected = described(answer.again())
            self.records.append(Record("answer", "", answer, answer.shown(), expected=expected))
        if asked.fleeting:
            self.records.insert(0, Record("never", "", None, asked.fleeting[0]))
            self._own += 1
            self.is_fleeting = True

    def add_results(self, results: CachedResults) -> None:
        """Adds the constants that functions with a cache have returned."""
        self.results = results
        for one in results.constants():
            self.records.append(
                Record("answer", "", one, one.shown(), expected=described(one.result))
            )
        if results.found:  # the last condition, which counts
            self.records.append(Record("counted", "", results, results.found[0].shown()))

    def add_layouts(self, layouts: list[tuple[str, str, Layout]]) -> None:
        """Requires the memory layout of arrays: the variable of each, its path and its layout."""
        for variable, path, layout in layouts:
            self.records.append(Record("layout", variable, layout, path))

    def add_lost(self, changed: list[str]) -> None:
        """Makes the graph one for a single call: the function has changed, while it was recorded,
        something at these paths that no run changes."""
        if changed:
            record = Record("never", "", None, changed[0], expected="changed")
            self.records.insert(0, record)
            self._own += 1

    def add_identities(self, values: list[Any]) -> None:
        """Requires that each call finds these objects, which the function returns or stores."""
        for value in values:
            variable, path = self.variable(value)
            self.records.append(Record("same", variable, value, path, expected="another object"))

    def compile(self, inputs: list[str], captured: list[str]) -> None:
        """Makes `match`, which returns the values of `inputs`; `captured` are the paths of the last
        ones."""
        self.inputs, self.captured = inputs, captured
        result = "(" + "".join(f"{variable}, " for variable in inputs) + ")"
        gone = self.names.of(GONE)
        lines = [f"def match({', '.join(self.parameters)}):", "    try:"]
        lines += [f"        {line}" for line in self.statements("return None")]
        lines += [f"        return {result}", f"    except {gone}:", "        return None"]
        namespace = dict(self.names.constants)
        exec("\n".join(lines), namespace)
        self.match = namespace["match"]

    def statements(self, otherwise: str) -> list[str]:
        """The records as lines of Python; where a condition fails, the statement `otherwise`."""
        lines = []
        for record in self.records:
            expression = python(record, self.names)
            if record.target:
                lines.append(f"{record.target} = {expression}")
            else:
                lines.append(f"if not ({expression}): {otherwise}")
        return lines

    def variable(self, value: Any) -> tuple[str, str]:
        """The variable of the guard that holds a variable, and its path; a constant if the guard
        does not read it."""
        known = self.variables.get(id(value))
        if known is None:
            return self.names.of(value), value.name or "a variable"
        paths = [record.path for record in self.records if record.target == known]
        return known, paths[0] if paths else dict(zip(self.leaves, self.paths, strict=True))[known]

    def values(self, variables: list[str], bound: tuple) -> list:
        """The values of some variables for a call, whether or not the conditions hold; None for a
        place that the recording has deleted."""
        if not variables:
            return []
        namespace, expressions = self._printed(bound)
        with self.results.uncounted():
            for record, expression in expressions:
                # A NameError: of a place inside of one that the recording has deleted.
                with suppress(*GONE, NameError):
                    if record.target:
                        namespace[record.target] = eval(expression, namespace)
        return [namespace.get(variable) for variable in variables]

    def difference(self, bound: tuple, own: bool = True) -> str | None:
        """The first condition that fails for a call, as a sentence; None if all hold.

        Without `own`, conditions on the arguments themselves are skipped.
        """
        with self.results.uncounted():
            return self._difference(bound, own)

    def _difference(self, bound, own):
        namespace, expressions = self._printed(bound)
        for i, (record, expression) in enumerate(expressions):
            is_skipped = not own and i < self._own and not record.target
            if is_skipped or record.kind == "counted":
                continue
            try:
                found = eval(expression, namespace)
            except GONE:
                return f"{record.path} is not there any more"
            if record.target:
                namespace[record.target] = found
            elif not found:
                return record.explanation(self._subject(record, namespace))
        return None

    def _subject(self, record, namespace):
        expression = subject(record, self.names)
        return eval(expression, namespace | self.names.constants)

    def _printed(self, bound):
        """The records with their expressions, and a namespace to evaluate them in."""
        expressions = [(record, python(record, self.names)) for record in self.records]
        arguments = dict(zip(self.parameters, bound, strict=True))
        return arguments | self.names.constants, expressions

    # -- arguments ---------------------------------------------------------------------------------

    def _visit(self, structure: Structure, variable, path, keys, position):
        if structure.kind is None:
            self.keys.append(position)
            self._leaf(next(keys), variable, path)
            return
        self.containers[position] = variable
        shown, count = structure.kind.__name__, len(structure.children)
        self._require("class", variable, structure.kind, path, shown)
        if structure.kind is dict:
            expected = f"a dict with the keys {described(structure.keys)}"
            self._require("keys", variable, structure.keys, path, expected)
        else:
            self._require("length", variable, count, path, f"{shown} of {count}")
        held, by_place = self._held(structure, variable, path)
        for i, child in enumerate(structure.children):
            key = structure.keys[i] if structure.keys else i
            item, inside = f"{self.names.prefix}{variable}_{i}", f"{path}[{described(key)}]"
            self.records.append(Record("item", held, i if by_place else key, inside, target=item))
            self._visit(child, item, inside, keys, (*position, key))

    def _held(self, structure, variable, path):
        """The variable that items are read from, and whether by their places: the user's keys are
        not hashed."""
        if structure.kind is not dict or all(map(is_plain_key, structure.keys)):
            return variable, False
        values = f"{self.names.prefix}{variable}_values"
        self.records.append(Record("contents", variable, values_of, path, target=values))
        return values, True

    def _leaf(self, key, variable, path):
        self.leaves.append(variable)
        self.paths.append(path)
        match key:
            case TensorType():
                kind = "array" if key.shape else "scalar_or_array"
                self._require(kind, variable, key, path, str(key))
                self._named_sizes(key, variable, path)
            case PythonType():
                self._require("class", variable, key.kind, path, str(key))
            case Constant():
                value = key.value
                is_singleton = value is None or value is True or value is False or value is ...
                self._require("same" if is_singleton else "value", variable, value, path, key.text)
            case Identity():
                another = f"another {key.kind.__name__}"
                self._require("same_address", variable, key.address, path, another)
                self._require("class", variable, key.kind, path, another)

    def _named_sizes(self, key, variable, path):
        """Sizes of one name are equal."""
        for axis, size in enumerate(key.shape):
            if isinstance(size, str):
                known = self._sizes.setdefault(size, (variable, axis))
                if known != (variable, axis):
                    self._require("same_size", variable, (axis, *known), path, str(key))

    def _require(self, kind, variable, constant, path, expected):
        self.records.append(Record(kind, variable, constant, path, expected=expected))


def _prefix(parameters):
    """A prefix that no parameter has, for the variables and constants of the guard."""
    prefix = "_"
    while any(name.startswith(prefix) for name in parameters):
        prefix += "_"
    return prefix
