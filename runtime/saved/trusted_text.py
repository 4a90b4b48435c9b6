"""The text of a graph that is not trusted: which names it may use, and how large it may be.

    kinds        Python's exceptions and containers, from fixed lists
    functions    of packages: those that the caller allows, by their full names
    ops          no call of a function of the host; attributes within the limits

The text is parsed, never executed (`ir/parsing.py`).  Ops whose attributes name a function of NumPy
or a method check the name themselves, since the text of any graph may have it.
"""

import builtins
import functools
import importlib
import math
import re
from collections.abc import Iterator
from typing import Any

from runtime.errors import LoadError
from runtime.ir.graph import Graph
from runtime.ir.host import described
from runtime.ir.op import Op
from runtime.ir.parsing import Names, parse_with
from runtime.ir.types import ListType, TensorType, TupleType, Type
from runtime.ops.example_costs import Allowance, allowed
from runtime.ops.library import length_of
from runtime.saved.classes import KINDS
from runtime.saved.collected import library_functions, version_of
from runtime.saved.limits import Limits, OverLimit

REFUSED = ("host_call", "native_piece")
SPECIAL = "scipy_special_"
TOKEN = re.compile(r"\w+|[^\w\s]")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f]")


class TrustedText(Names):
    """What the names in the graphs of one file stand for, and the checks of its graphs."""

    def __init__(self, allow: tuple[str, ...], limits: Limits):
        self.limits, self.nodes, self.tokens, self.bytes = limits, 0, 0, 0
        self.examples = Allowance(limits.example_elements, limits.example_work)
        self.functions = {described(one): one for name in allow for one in _named(name)}
        self.functions["functools.partial"] = functools.partial  # the function in it is checked
        self.functions[described(length_of)] = length_of
        self.refusal: LoadError | None = None

    def graph(self, files: dict[str, bytes], number: Any) -> tuple[Graph, str]:
        """A graph of a program, and its text.  Raises exceptions of several kinds."""
        if type(number) is not int or f"graph_{number}.txt" not in files:
            raise ValueError("a graph is missing")
        data = files[f"graph_{number}.txt"]
        self.bytes += len(data)
        if self.bytes > self.limits.text_bytes:
            raise OverLimit(f"the graphs are larger than {self.limits.text_bytes} bytes")
        text = data.decode("utf-8")
        self._count_tokens(text)
        if CONTROL.search(text):
            raise ValueError("a graph has control characters")
        if re.search(rf"\b{SPECIAL}", text):
            importlib.import_module("scipy.special")
        try:
            with allowed(self.examples):
                return parse_with(text, self), text
        except SyntaxError:
            if self.examples.refused:
                self.refusal = _too_large(self.examples.refused)
            if self.refusal is not None:
                raise self.refusal from None
            raise

    def _count_tokens(self, text: str) -> None:
        """Bounds the memory of the parser, in which two bytes of text may take a kilobyte."""
        for _ in TOKEN.finditer(text):
            self.tokens += 1
            if self.tokens > self.limits.tokens:
                raise OverLimit(f"the graphs have more than {self.limits.tokens} tokens")

    # -- names -------------------------------------------------------------------------------------

    def function(self, name: str) -> Any:
        if name not in self.functions:
            public = ".".join(part for part in name.split(".") if not part.startswith("_"))
            self.refusal = LoadError.about(
                f"the program calls {public[:200]}",
                None,
                "It is a function of a package, which loading does not call unless you allow it.",
                f"If you trust it: rt.load(path, allow=[{public[:200]!r}]).",
            )
            raise LookupError(name)
        return self.functions[name]

    def kind(self, path: list[str]) -> type:
        return KINDS[".".join(path)]

    def check_calls(self, graph: Graph, calls: Any) -> None:
        """Raises `LoadError` if a package has another version than the one that was saved."""
        if calls != {name: calls.get(name) for name in library_functions(graph)}:
            raise ValueError("a graph calls other functions than its record says")
        for name, version in calls.items():
            if version != version_of(name):
                raise LoadError.about(
                    f"the program was saved with version {version} of {name.partition('.')[0]}, "
                    f"and {version_of(name) or 'another one'} is installed",
                    None,
                    f"{name} may return other results.",
                    "Install that version, or save the program again with this one.",
                )

    # -- sizes -------------------------------------------------------------------------------------

    def check_type(self, kind: Type) -> None:
        if isinstance(kind, ListType):
            self.check_type(kind.element)
        elif isinstance(kind, TupleType):
            for place in kind.places:
                self.check_type(place)
        elif isinstance(kind, TensorType):
            known = math.prod(size for size in kind.shape if isinstance(size, int) and size)
            if known > self.limits.elements or kind.ndim > 32:
                raise ValueError(f"an array of {known} elements exceeds the limit")

    def check_node(self, op: Op, attributes: dict[str, Any], depth: int) -> None:
        self.nodes += 1
        if self.nodes > self.limits.nodes:
            raise ValueError(f"the graphs have more than {self.limits.nodes} operations")
        if depth > self.limits.nesting:
            raise ValueError(f"regions are nested more than {self.limits.nesting} deep")
        if op.name in REFUSED:
            raise ValueError("it calls a Python function, which no file can hold")
        if "found" in attributes:  # a parameter of type rules, which no text gives
            raise ValueError("it has an unknown attribute")
        self._check_values(attributes.values(), 0)
        if op.name != "constant":
            self._check_numbers(attributes)
        if op.name == "text":
            self._check_width(_widths(attributes.get("parts", ())))
        elif op.name == "text_call":
            self._check_width(sum(map(abs, one)) for one in _integers(tuple(attributes.values())))
        error = attributes.get("error", ValueError)
        if not (isinstance(error, type) and issubclass(error, Exception)):
            raise ValueError("it raises something that is no exception")

    def check_file(self, name: str) -> None:
        if "/" in name or "\\" in name:  # the text of a graph has no folders (`Location.short`)
            raise ValueError("an operation comes from a file of another folder")

    def _check_values(self, values: Any, depth: int) -> None:
        if depth > self.limits.nesting:
            raise ValueError("an attribute is nested too deeply")
        for value in values:
            if isinstance(value, (str, bytes)) and len(value) > self.limits.text_length:
                raise ValueError("a string is too long")
            if isinstance(value, (tuple, list)):
                self._check_values(value, depth + 1)

    def _check_width(self, numbers: Iterator[int]) -> None:
        """Strings are formatted and padded for examples, as wide as a graph says."""
        if any(number > self.limits.text_length for number in numbers):
            raise ValueError("a string would be longer than the limit")

    def _check_numbers(self, attributes: dict[str, Any]) -> None:
        """The numbers of one tuple may be sizes: their product is the number of elements."""
        for numbers in _integers(tuple(attributes.values())):
            sizes = [abs(one) for one in numbers if one]
            if len(sizes) < 32 and math.prod(sizes) > max(self.limits.elements, *sizes, 1):
                raise ValueError("its numbers exceed the limit of elements")
            if any(size > 2**64 for size in sizes):
                raise ValueError("a number has more than 64 bits")


def _named(name: str) -> list[Any]:
    """The functions that a caller allows by a name: one, or with `.*` all that a module shows.

    Raises `LoadError` if there is none.
    """
    module, _, last = name.rpartition(".")
    try:
        found = importlib.import_module(module) if module else builtins
        names = dir(found) if last == "*" else [last]
        values = [getattr(found, one) for one in names if not one.startswith("_")]
    except (ImportError, AttributeError) as error:
        raise LoadError.about(
            f"allow names {name}, which is not there",
            None,
            f"{error}.",
            "Install the package, or correct the name.",
        ) from error
    return [one for one in values if callable(one)]


def _widths(parts: Any) -> Iterator[int]:
    """The numbers in the format specifications of some parts of a string."""
    for part in parts:
        if isinstance(part, tuple) and len(part) == 3:
            spec = part[2]
            if isinstance(spec, tuple):  # with fields of its own
                yield from _widths(spec)
                spec = "".join(one for one in spec if isinstance(one, str))
            if isinstance(spec, str):
                yield from (int(number) for number in re.findall(r"\d+", spec))


def _too_large(name: str) -> LoadError:
    return LoadError.about(
        f"the program calls {name} for arrays that exceed a limit of the loader",
        None,
        "The types of its results are found by examples of the sizes that the program states.",
        "If you trust the file: rt.load(path, limits=rt.saved.Limits(example_elements=2**28, "
        "example_work=2**48)).",
    )


def _integers(value: Any) -> Iterator[list[int]]:
    """The integers in each tuple of an attribute."""
    yield [part for part in value if type(part) is int]
    for part in value:
        if isinstance(part, (tuple, list)):
            yield from _integers(part)
