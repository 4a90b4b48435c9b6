"""Which exceptions Python or a library has raised only because it met a staged value.

    json.dumps(x)               TypeError: Object of type Tensor is not JSON serializable
    ast.literal_eval(text)      ValueError: malformed node or string: <Tensor text: str>
    "abc" < x                   the interpreter's own TypeError
    raise TypeError("Tensor")   the user's own exception, whatever it says

With the value of a run there might be no exception, so such a call is refused.  The evidence is
where the exception was raised, and a staged value there, never its text.
"""

from types import FrameType, TracebackType
from typing import Any

from autograph.functions.bytecode import Instructions, instructions, opname_at
from autograph.functions.policy import is_left_alone, is_users_file
from runtime.staging.staged_values import holds_staged

RAISES = ("RAISE_VARARGS", "RERAISE")
LOADS = (
    "LOAD_FAST",
    "LOAD_FAST_CHECK",
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
    is_library = not is_left_alone(filename) and not is_users_file(filename)
    if not (isinstance(error, TypeError) or is_library and is_raised):
        return False
    if is_left_alone(filename):
        return filename == called_in and not is_raised and holds_staged(arguments)
    if is_users_file(filename):
        return not is_raised and any(map(holds_staged, _operands(frame, offset)))
    return any(holds_staged(value, objects=False) for value in frame.f_locals.values())


def _innermost(entry: TracebackType) -> tuple[FrameType, int]:
    while entry.tb_next is not None:
        entry = entry.tb_next
    return entry.tb_frame, entry.tb_lasti


def _operands(frame: FrameType, offset: int) -> list[Any]:
    """The values of the variables in the expression that an instruction computes."""
    code = frame.f_code
    line, end_line, start, end = Instructions.of(code).position(offset)
    found = []
    for one in instructions(code):
        its_line, its_end, its_start, its_stop = Instructions.of(code).position(one.offset)
        is_inside = (line, start) <= (its_line, its_start) and (its_end, its_stop) <= (
            end_line,
            end,
        )
        if one.opname in LOADS and is_inside:
            for names in (frame.f_locals, frame.f_globals):
                if one.argval in names:
                    found.append(names[one.argval])
                    break
    return found
