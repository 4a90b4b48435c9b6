"""The global variables that code looks up in `globals()`.

    globals()["rate"] = x               the name `rate`
    globals().get("rate", 1)            the name `rate`
    globals()[name]                     any name

Searches follow the names that code can read, and no others: what other variables of the module lead
to, other threads may change at any time.
"""

import dis
from types import CodeType

from autograph.functions.code_tables import once_per_code

_SILENT = frozenset({"CACHE", "EXTENDED_ARG", "NOP", "PRECALL", "PUSH_NULL", "RESUME", "NOT_TAKEN"})
_SUBSCRIPTS = frozenset({"BINARY_SUBSCR", "STORE_SUBSCR", "DELETE_SUBSCR", "COPY", "BINARY_OP"})
_READERS = frozenset({"get", "__getitem__", "__contains__"})


@once_per_code
def looked_up_globals(code: CodeType) -> frozenset[str | None]:
    """The names that a code object, or one nested in it, looks up in `globals()`; with None if it
    computes some, or hands the dictionary on."""
    found: set[str | None] = set()
    if "globals" in code.co_names:
        steps = [step for step in dis.get_instructions(code) if step.opname not in _SILENT]
        for i, step in enumerate(steps):
            if step.argval == "globals" and step.opname.startswith("LOAD"):
                found.add(_key(steps, i))
    nested = [one for one in code.co_consts if isinstance(one, CodeType)]
    return frozenset(found).union(*map(looked_up_globals, nested))


def _key(steps, i):
    """The constant by which the code looks up a name in the dictionary that is loaded at `i`; None
    for other uses.  In converted code an operator is between the dictionary and its use."""
    after = steps[i + 1 : i + 6]
    if len(after) < 3 or after[0].opname != "CALL" or after[0].arg != 0:
        return None
    after = after[1:]
    is_converted = after[0].opname == "CALL" and after[0].arg == 1
    if is_converted and steps[i - 1].argval == "indexed":
        after = after[1:]
    if after[0].opname == "CONTAINS_OP" or after[0].opname == "CALL" and _is_asked(steps, i):
        return _text(steps[i - 1])
    if after[0].opname in ("LOAD_ATTR", "LOAD_METHOD") and after[0].argval in _READERS:
        after = after[2:] if after[1].opname == "CALL" else after[1:]
        return _text(after[0])
    return _text(after[0]) if len(after) > 1 and after[1].opname in _SUBSCRIPTS else None


def _is_asked(steps, i):
    """Whether a call is that of the operator for `key in globals()`."""
    return i > 1 and steps[i - 2].argval in ("in_", "not_in") and steps[i + 2].arg == 2


def _text(step):
    is_text = step.opname.startswith("LOAD") and type(step.argval) is str and "CONST" in step.opname
    return step.argval if is_text else None
