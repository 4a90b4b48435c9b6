"""One op, one record: everything there is to say about an operation stands in one place.

    tanh = Op("tanh", "Hyperbolic tangent.", infer=..., eval="xp.tanh(x)", numpy=np.tanh)

Rules receive what they work with (`eval` its array namespace `xp`), so a record imports no engine.

An `eval` that is a text is inlined into generated programs.  Operands are x, y, z in it, in that
order, attributes go by their names, and `...` stands for all of them by keyword:

    "x + y"        "xp.sum(x, ...)"  ->  np.sum(values, axis=0)        "x.shape[axis]"

An `eval` that is a function is called by the program, with the namespace, the operands and the
attributes.

From the records follow the functions that trace them, the NumPy functions that staged values
answer, the programs that engines generate, and the tests.
"""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from runtime.ir.derivative import Rule
from runtime.ir.graph import Node, operand_type
from runtime.ir.pytree import flatten
from runtime.ir.regions import ControlFlow
from runtime.ir.traits import VIEWS, Effect, NoTraits, Traits
from runtime.ir.types import PythonType, TensorType, Type

OPERANDS = ("x", "y", "z")

# The traits of a record that does not say any: a test refuses it.
UNSAID = NoTraits()

_registry: dict[str, "Op"] = {}


@dataclass(frozen=True, eq=False)
class Op:
    """An operation on staged values.

    infer     (types of the operands, attributes) -> the type of the result, or a tuple of types;
              raises TypeError or ValueError as NumPy would
    eval      the value, as a text in x, y, z, xp and the attributes, or a function
              (xp, operands, attributes); None for ops that engines know by name
    numpy     the NumPy function that the op implements, None where there is none
    arity     how many operands it takes; None for any number
    inline    (texts of the operands, attributes) -> the value's text in a generated program, where
              `eval` does not say it
    traits    what passes and engines may assume about it (`traits.py`), or `NoTraits` with a reason
    derivative   how it is differentiated (`derivative.py`); None where results are never floats
    examples  () -> calls with which tests try the op, as pairs (operands, attributes); None if the
              type rule accepts operands of a common pool (`ops/examples.py`)
    control_flow   how control and values pass through its regions (`regions.py`); None for an op
              without regions
    """

    name: str
    doc: str
    infer: Callable[..., Any]
    eval: str | Callable[..., Any] | None
    numpy: Callable[..., Any] | None = None
    arity: int | None = 1
    inline: Callable[..., str] | None = None
    traits: Traits = UNSAID
    derivative: Rule | None = None
    examples: Callable[[], list[tuple[tuple[Any, ...], dict[str, Any]]]] | None = None
    control_flow: ControlFlow | None = None

    def __post_init__(self):
        if _registry.setdefault(self.name, self) is not self:
            raise ValueError(f"there are two ops called {self.name}")

    @property
    def effect(self) -> Effect | None:
        """What the op does besides computing its results; None for most ops."""
        return self.traits.effect

    @property
    def shares(self) -> bool:
        """Whether the result may be the first operand, or a view of it."""
        return self.traits.aliases in VIEWS

    @property
    def updates(self) -> int | None:
        """The operand whose memory the result may take if nobody needs the operand any more."""
        return self.traits.updates

    def infer_types(
        self, types: tuple[Type, ...], attributes: dict, regions: dict
    ) -> tuple[Type, ...]:
        """The types of the results.

        Raises what NumPy raises for such operands, where their shapes are known.
        """
        try:
            result = self.infer(*types, **attributes, **regions)
        except (TypeError, ValueError, IndexError) as error:
            raise self._numpys_error(types, attributes, error) from None
        return result if isinstance(result, tuple) else (result,)

    def _numpys_error(self, types, attributes, error):
        examples = tuple(map(example, types))
        if self.eval is not None and all(example is not None for example in examples):
            try:
                self.evaluate(np, examples, attributes)
            except (TypeError, ValueError, IndexError) as numpys:
                return numpys.with_traceback(None)
            except AttributeError:  # `x.copy()` of a number of Python's
                return error
        return error

    def infer_node(self, node: Node) -> tuple[Type, ...]:
        """The types that the outputs of a node have by the op's rule."""
        return self.infer_types(
            tuple(map(operand_type, node.inputs)), node.attributes, node.regions
        )

    def __call__(self, *operands, **attributes) -> Any:
        """The value for some operands; where one of them is staged, a node that makes it.

        Rules of differentiation call the ops that no function of NumPy's stands for.
        """
        for leaf in flatten(operands)[0]:
            if hasattr(leaf, "__record__"):
                return leaf.__record__(self, operands, attributes)
        return self.evaluate(np, operands, attributes)

    def evaluate(self, xp, operands: tuple, attributes: dict) -> Any:
        """The value that the op has for some operands, in the array namespace `xp`.

        Raises `NotImplementedError` for structural ops, which engines lower themselves: those with
        regions or calls have no value without their graph.
        """
        if self.eval is None:
            raise NotImplementedError(
                f"{self.name} is a structural op: only an engine that runs its graph has its value"
            )
        if callable(self.eval):
            return self.eval(xp, operands, attributes)
        return _function_of(self)(xp, attributes, *operands)

    def __repr__(self):
        return f"<op {self.name}>"


def example(type: Type) -> Any:
    """A value of a type, without memory of its own; None where a size is not known."""
    if isinstance(type, PythonType):
        return type.kind(1)
    if isinstance(type, TensorType) and all(isinstance(size, int) for size in type.shape):
        return np.broadcast_to(np.ones((), type.dtype), type.shape)
    return None


@cache
def _function_of(op):
    """The function that an `eval` in text form stands for."""
    accepted = inspect.signature(op.infer).parameters

    def fill(match):
        word = match.group()
        named = word in accepted and word not in OPERANDS
        return f"_attributes[{word!r}]" if named else word

    text = re.sub(r"(?<![\w.])[a-z]\w*", fill, op.eval.replace(", ...", ", **_attributes"))
    parameters = ", ".join(OPERANDS[: op.arity])
    return eval(f"lambda xp, _attributes, {parameters}: {text}")


_families: dict[str, Callable[[str], None]] = {}


def add_family(prefix: str, make: Callable[[str], None]) -> None:
    """Lets `make` make the op of a name that begins with `prefix`, when it is first asked for."""
    _families[prefix] = make


def find(name: str) -> Op:
    """The op of that name.  Raises `KeyError`."""
    if name not in _registry:
        for prefix, make in _families.items():
            if name.startswith(prefix):
                make(name)
    return _registry[name]


def names() -> set[str]:
    """The names of all ops."""
    return set(_registry)


def records() -> list[Op]:
    """All ops, in the order of their definition."""
    return list(_registry.values())
