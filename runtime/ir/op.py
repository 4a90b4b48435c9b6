"""Records of ops: everything about an operation is in one record.

    tanh = Op("tanh", "Hyperbolic tangent.", infer=..., eval="xp.tanh(x)", numpy=np.tanh)

`eval` receives its array namespace `xp`, so a record imports no engine.

An `eval` that is a string is inlined into generated programs.  Its operands are x, y, z, in that
order, attributes are used by name, and `...` stands for all attributes as keyword arguments:

    "x + y"        "xp.sum(x, ...)"  ->  np.sum(values, axis=0)        "x.shape[axis]"

An `eval` that is a function is called by the program with the namespace, the operands and the
attributes.

The functions that trace ops, the NumPy functions that accept staged values, the programs that
engines generate, and the tests are derived from the records.
"""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from runtime.ir.derivative import Rule
from runtime.ir.graph import Graph, Node, operand_type
from runtime.ir.pytree import flatten
from runtime.ir.regions import ControlFlow
from runtime.ir.traits import VIEWS, Effect, NoTraits, Traits
from runtime.ir.types import PythonType, TensorType, Type
from runtime.ir.unions import without_options

OPERANDS = ("x", "y", "z")

# The traits of a record that does not say any: a test refuses it.
UNSAID = NoTraits()

_registry: dict[str, "Op"] = {}


# The parts of op names: NumPy's function `linalg.inv` is the op `linalg_inv`.
UNNEEDED = re.compile(r"^(?:np|python)_|_after$")
MODULE = re.compile(r"^(math|cmath|linalg|fft)_")
METHOD = re.compile(r"_(at|outer|reduce|accumulate|reduceat)$")


@dataclass(frozen=True, eq=False)
class Op:
    """An operation on staged values.

    infer     (types of the operands, attributes) -> the type of the result, or a tuple of types;
              raises TypeError or ValueError as NumPy would
    eval      the value, as an expression in x, y, z, xp and the attributes, or as a function
              (xp, operands, attributes); None for structural ops, which engines lower themselves
    numpy     the NumPy function that the op implements, None where there is none
    arity     how many operands it takes; None for any number
    inline    (expressions of the operands, attributes) -> the expression in a generated program,
              if `eval` is a function
    traits    what passes and engines may assume about it (`traits.py`), or `NoTraits` with a reason
    derivative   its rule of differentiation (`derivative.py`); None if results are never floats
    examples  () -> calls with which tests try the op, as pairs (operands, attributes); None if the
              type rule accepts operands of a common pool (`ops/examples.py`)
    exponent  (operands) -> k if the result is the first operand to the power k, else None
    root      (k, operands, attributes) -> the result to the power k, in terms that are smooth where
              the result itself is not; None if there are none
    control_flow   how control and values pass through its regions (`regions.py`); None for an op
              without regions
    called    the name that users know it by, if that does not follow from `numpy`; "" if messages
              about it need no name
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
    exponent: Callable[..., Any] | None = None
    root: Callable[..., Any] | None = None
    control_flow: ControlFlow | None = None
    called: str | None = None

    def __post_init__(self) -> None:
        if _registry.setdefault(self.name, self) is not self:
            raise ValueError(f"there are two ops called {self.name}")

    @property
    def effect(self) -> Effect | None:
        """The effect of the op besides its results; None for most ops."""
        return self.traits.effect

    @property
    def users_name(self) -> str | None:
        """The name that users know the op by: `matmul`, `math.gcd`, `add.at`; None for the
        library's own ops, "" for those whose messages need no name."""
        if self.called is not None or self.numpy is None:
            return self.called
        name = UNNEEDED.sub("", self.name)
        return METHOD.sub(r".\1", MODULE.sub(r"\1.", name))

    @property
    def shares(self) -> bool:
        """Whether the result may be the first operand, or a view of it."""
        return self.traits.aliases in VIEWS

    @property
    def updates(self) -> int | None:
        """The operand whose memory the result may take if the operand is not used later."""
        return self.traits.updates

    def infer_types(
        self, types: tuple[Type, ...], attributes: dict[str, Any], regions: dict[str, Graph]
    ) -> tuple[Type, ...]:
        """The types of the results.

        For operands that do not match, raises the exception of NumPy if all shapes are known; that
        of the rule for an op with an effect, which is not evaluated.
        """
        try:
            result = self.infer(*types, **attributes, **regions)
        except (TypeError, ValueError, IndexError) as error:
            error.__context__ = None
            failure = error
        else:
            return result if isinstance(result, tuple) else (result,)
        # Outside of the handler: the contexts are NumPy's, and the exception that the user handles.
        found = self._numpy_error(types, attributes, failure)
        context = found.__context__
        try:
            raise found
        finally:
            if context is not None:
                found.__context__ = context

    def _numpy_error(
        self, types: tuple[Type, ...], attributes: dict[str, Any], error: Exception
    ) -> Exception:
        operands = tuple(map(example, types))
        if (
            self.eval is not None
            and self.traits.effect is None
            and all(operand is not None for operand in operands)
        ):
            try:
                self.evaluate(np, operands, attributes)
            except (TypeError, ValueError, IndexError) as raised:
                return raised.with_traceback(None)
            except AttributeError:  # `x.copy()` of a Python scalar
                return error
        return error

    def infer_node(self, node: Node) -> tuple[Type, ...]:
        """The types of the outputs of a node, by the type rule of the op."""
        return self.infer_types(
            tuple(map(operand_type, node.inputs)), node.attributes, node.regions
        )

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return find, (self.name,)

    def __call__(self, *operands: Any, **attributes: Any) -> Any:
        """Evaluates the op, or traces it if an operand is staged.

        Rules of differentiation call ops that have no NumPy function.
        """
        for leaf in flatten(operands)[0]:
            if hasattr(leaf, "__record__"):
                return leaf.__record__(self, operands, attributes)
        return self.evaluate(np, operands, attributes)

    def evaluate(self, xp: Any, operands: tuple[Any, ...], attributes: dict[str, Any]) -> Any:
        """The value of the op for some operands, in the array namespace `xp`.

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

    def __repr__(self) -> str:
        return f"<op {self.name}>"


def example(type: Type) -> Any:
    """A value of a type, without memory for each element; None if a size is not known."""
    type = without_options(type)
    if isinstance(type, PythonType):
        return type.kind(1)
    if isinstance(type, TensorType):
        sizes = [size for size in type.shape if isinstance(size, int)]
        if len(sizes) == type.ndim:
            return np.broadcast_to(np.ones((), type.dtype), sizes)
    return None


@cache
def _function_of(op: Op) -> Callable[..., Any]:
    """The function of an `eval` that is a string."""
    assert isinstance(op.eval, str)
    accepted = inspect.signature(op.infer).parameters

    def fill(match: re.Match[str]) -> str:
        word = match.group()
        named = word in accepted and word not in OPERANDS
        return f"_attributes[{word!r}]" if named else word

    expression = re.sub(r"(?<![\w.])[a-z]\w*", fill, op.eval.replace(", ...", ", **_attributes"))
    parameters = ", ".join(OPERANDS[: op.arity])
    # Its warnings are shown for the user's line (`engines/run_warnings.py`), which has a registry.
    code = compile(f"lambda xp, _attributes, {parameters}: {expression}", "<graph op>", "eval")
    function: Callable[..., Any] = eval(code, {**globals(), "__warningregistry__": None})
    return function


_families: dict[str, Callable[[str], None]] = {}


def add_family(prefix: str, make: Callable[[str], None]) -> None:
    """Registers ops that are made on demand: `make` defines the op of a name with the prefix."""
    _families[prefix] = make


def find(name: str) -> Op:
    """The op of that name.  Raises `KeyError` if there is none."""
    if name not in _registry:
        for prefix, make in _families.items():
            if name.startswith(prefix):
                make(name)
    return _registry[name]


def named(name: str) -> Op:
    """The op that an attribute names.  Raises `ValueError` if there is none, or if it has an effect
    on something outside of the graph."""
    try:
        found = find(name)
    except KeyError:
        raise ValueError(f"there is no op {name!r}") from None
    if found.effect in (Effect.EXTERNAL, Effect.CALL):
        raise ValueError(f"{name} has effects, and is no part of another op")
    return found


def names() -> set[str]:
    """The names of all ops."""
    return set(_registry)


def records() -> list[Op]:
    """The records of all ops, in the order of their definition."""
    return list(_registry.values())
