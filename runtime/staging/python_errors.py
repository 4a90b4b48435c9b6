"""Which exceptions Python or a library has raised only because it met a staged value.

    json.dumps(x)               TypeError: Object of type Tensor is not JSON serializable
    ast.literal_eval(text)      ValueError: malformed node or string: <Tensor text: str>
    "abc" < x                   the interpreter's own TypeError
    raise TypeError("Tensor")   the user's own exception, whatever it says

With the value of a run there might be no exception, so such a call is refused.  The evidence is
where the exception was raised, and a staged value there, never its text.
"""

import re
from types import BuiltinFunctionType, FrameType, ModuleType, TracebackType
from typing import Any

from autograph.errors import SourceLocation
from autograph.functions.bytecode import Instructions, instructions, opname_at
from autograph.functions.policy import is_left_alone, is_of_named_package, is_users_file
from runtime.errors import users_location
from runtime.ir.pytree import flatten
from runtime.ir.types import PythonType, TensorType, is_array
from runtime.staging.staged_values import holds_staged
from runtime.tracing.locate import location_of
from runtime.tracing.tensor import Tensor

RAISES = ("RAISE_VARARGS", "RERAISE")
ENTERS = ("BEFORE_WITH", "LOAD_SPECIAL")
LOADS = (
    "LOAD_FAST",
    "LOAD_FAST_CHECK",
    "LOAD_FAST_LOAD_FAST",
    "LOAD_DEREF",
    "LOAD_CLASSDEREF",
    "LOAD_GLOBAL",
    "LOAD_NAME",
)


def is_about_staged(error: BaseException, arguments: Any = (), called_in: str = "") -> bool:
    """Whether Python or a library has raised an exception about a staged value.

    `arguments` are those of the call of a compiled function that the file `called_in` makes.
    """
    if not isinstance(error, (TypeError, ValueError)) or error.__traceback__ is None:
        return False
    frame, offset = _innermost(error.__traceback__)
    filename = frame.f_code.co_filename
    is_raised = opname_at(frame.f_code, offset) in RAISES
    is_users = is_users_file(filename) or is_of_named_package(frame)
    is_library = not is_left_alone(filename) and not is_users
    if not (isinstance(error, TypeError) or is_library and is_raised):
        return False
    if is_left_alone(filename):
        return filename == called_in and not is_raised and holds_staged(arguments)
    if is_users:
        return not is_raised and any(map(holds_staged, _operands(frame, offset)))
    return any(holds_staged(value, objects=False) for value in frame.f_locals.values())


def _innermost(entry: TracebackType) -> tuple[FrameType, int]:
    while entry.tb_next is not None:
        entry = entry.tb_next
    return entry.tb_frame, entry.tb_lasti


def _operands(frame: FrameType, offset: int) -> list[Any]:
    """The values of the variables in the expression that an instruction computes."""
    code = frame.f_code
    if opname_at(code, offset) in ENTERS:  # whose place is the whole statement
        offset = max(one.offset for one in instructions(code) if one.offset < offset)
    line, end_line, start, end = Instructions.of(code).position(offset)
    found = []
    for one in instructions(code):
        its_line, its_end, its_start, its_stop = Instructions.of(code).position(one.offset)
        is_inside = (line, start) <= (its_line, its_start) and (its_end, its_stop) <= (
            end_line,
            end,
        )
        if one.opname in LOADS and is_inside:
            for name in one.argval if isinstance(one.argval, tuple) else (one.argval,):
                for names in (frame.f_locals, frame.f_globals):
                    if name in names:
                        found.append(names[name])
                        break
    return found


# -- in messages -----------------------------------------------------------------------------------

CLASSES = re.compile(r"""(['"]?)(Tensor|StagedString|MaybeNone|MaybeUnbound)\1(?: object)?""")

NUMBER_OF_ARGUMENTS = re.compile(
    r"[\w.]+\(\) (takes (?:no keyword arguments|no arguments \(.*|exactly one argument \(.*))"
)


def in_words(error: BaseException) -> str:
    """The text of an exception of Python, without the names of the library's classes."""
    return CLASSES.sub("a staged value", str(error))


def name_classes(error: BaseException, arguments: Any) -> None:
    """Lets an exception of Python, which a run would raise too, name the class of the value that
    a run has: numpy.float64."""
    text = error.args[0] if len(error.args) == 1 else None
    if isinstance(error, (TypeError, AttributeError)) and type(text) is str:
        leaf = next((one for one in flatten(arguments)[0] if isinstance(one, Tensor)), None)
        if leaf is not None and _is_own_code(error):
            error.args = (re.sub(r"\bTensor\b", _class_of(leaf.type), text),)


def name_method(error: TypeError, method: BuiltinFunctionType) -> None:
    """Lets the interpreter's exception about the number of arguments name the class that defines a
    method, as a call `counts.keys(1)` does: dict.keys().  Called in two steps, a method is named by
    the class of its object, or by no class."""
    owner, name = method.__self__, method.__name__
    text = error.args[0] if len(error.args) == 1 else None
    if owner is None or isinstance(owner, (type, ModuleType)) or type(text) is not str:
        return
    defined_by = getattr(getattr(type(owner), name, None), "__objclass__", None)
    counted = NUMBER_OF_ARGUMENTS.fullmatch(text)
    if defined_by is not None and counted is not None and _is_own_code(error):
        error.args = (f"{defined_by.__qualname__}.{name}() {counted[1]}",)


def _is_own_code(error: BaseException) -> bool:
    """Whether code of the library, or of Python called by it, has raised an exception."""
    if error.__traceback__ is None:
        return False
    return is_left_alone(_innermost(error.__traceback__)[0].f_code.co_filename)


def _class_of(kind: Any) -> str:
    if isinstance(kind, PythonType):
        return kind.kind.__name__
    if is_array(kind):
        return "numpy.ndarray"
    return f"numpy.{kind.dtype}" if isinstance(kind, TensorType) else str(kind)


def line_of(error: BaseException) -> SourceLocation | None:
    """The user's innermost line that raised an exception."""
    found = location_of(error)
    if found is None:
        return users_location()
    start, end = found.columns or (None, None)
    return SourceLocation(found.filename, found.lineno, found.function, start, end)


def remedy_of_operator(text: str) -> str:
    """A remedy for an exception of Python about an operator and its operands."""
    if "NoneType" in text:
        return "One operand is None: test it before, `if bias is not None:`, or give it a value."
    if "'str'" in text or "concatenate str" in text:
        return 'Write an f-string to make a text of it, f"loss: {x}", or use numbers.'
    if "not callable" in text:
        return "It is an array or a number: its elements are x[0], x[1] and so on."
    return "Use the result of the graph, or functions and operators that graphs support."
