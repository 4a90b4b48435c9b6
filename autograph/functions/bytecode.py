"""Reads from bytecode what the source of a function may no longer tell.

    bound_names(code)           free variables that the code binds or deletes
    used_names(code)            every name that an instruction of the code mentions
    global_names(code)          names that the code, or code nested in it, may look up in the module
    looked_up_globals(code)     those that it looks up in `globals()` (`looked_up_globals.py`)
    handlers(code)              the exception table: which instructions a handler protects
    last_binding(code, name)    the instruction that binds a variable last
    Instructions.of(code)       source positions, and the variable that an instruction binds

The tables are computed once per code object.
"""

import dis
import sys
import weakref
from array import array
from types import CodeType
from typing import NamedTuple

from autograph.functions.code_tables import once_per_code
from autograph.functions.looked_up_globals import looked_up_globals

_BINDING = ("STORE_DEREF", "DELETE_DEREF")
_SETTING = {dis.opmap["STORE_ATTR"], dis.opmap["DELETE_ATTR"]}


@once_per_code
def bound_names(code: CodeType) -> frozenset[str]:
    """The variables of enclosing functions that a code object binds or deletes."""
    bound = {step.argval for step in dis.get_instructions(code) if step.opname in _BINDING}
    return frozenset(bound.intersection(code.co_freevars))


@once_per_code
def used_names(code: CodeType) -> frozenset[str]:
    """The names that instructions mention; a free variable that is only visible is not among
    them."""
    return frozenset(
        name
        for step in dis.get_instructions(code)
        for name in (step.argval if isinstance(step.argval, tuple) else (step.argval,))
        if isinstance(name, str)
    )


@once_per_code
def global_names(code: CodeType) -> frozenset[str]:
    """The names that a code object, or one nested in it, may look up in the module."""
    nested = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    looked_up = looked_up_globals(code) if "globals" in code.co_names else ()
    named = (name for name in looked_up if name is not None)
    return frozenset(code.co_names).union(named, *map(global_names, nested))


@once_per_code
def stored_attributes(code: CodeType) -> frozenset[tuple[str, str]]:
    """The attributes that a code object, or one nested in it, sets or deletes: each with the name
    of the variable or attribute that holds the object, "" if it is another expression."""
    nested = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    found = set() if _SETTING.isdisjoint(code.co_code[::2]) else _stored_in(instructions(code))
    if not {"setattr", "delattr"}.isdisjoint(code.co_names):
        found |= {("", constant) for constant in code.co_consts if isinstance(constant, str)}
    return frozenset(found).union(*map(stored_attributes, nested))


def _stored_in(steps):
    return {
        (_holder(steps, i), step.argval) for i, step in enumerate(steps) if step.opcode in _SETTING
    }


def _holder(steps, i):
    """The name that holds the object whose attribute an instruction stores; "" if none does."""
    if steps[i - 1].opname != "SWAP":
        return _loaded(steps[i - 1])
    for j in range(i - 1, 1, -1):  # `x.n += 1` loads x once, and copies it
        is_read = steps[j].opname == "LOAD_ATTR" and steps[j].argval == steps[i].argval
        if is_read and steps[j - 1].opname == "COPY":
            return _loaded(steps[j - 2])
    return ""


def _loaded(step):
    """The name that an instruction loads last; "" if it loads none."""
    names = step.argval if isinstance(step.argval, tuple) else (step.argval,)  # 3.13: two at once
    is_name = "LOAD" in step.opname and isinstance(names[-1], str)
    return names[-1] if is_name else ""


@once_per_code
def operates_in_place(code: CodeType) -> bool:
    """Whether a code object, or one nested in it, contains an operator such as `+=`."""
    nested = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    steps = (step for step in instructions(code) if step.opname == "BINARY_OP")
    return any(step.argrepr.endswith("=") for step in steps) or any(map(operates_in_place, nested))


# -- exception handlers ----------------------------------------------------------------------------


class Handler(NamedTuple):
    """A row of the exception table: offsets of the protected instructions and of the handler."""

    start: int
    end: int
    target: int


@once_per_code
def handlers(code: CodeType) -> list[Handler]:
    """The exception table of a code object."""
    table = dis._parse_exception_table(code)  # type: ignore[attr-defined]
    return [Handler(entry.start, entry.end, entry.target) for entry in table]


@once_per_code
def instructions(code: CodeType) -> list[dis.Instruction]:
    """The instructions of a code object, without caches and argument prefixes."""
    return [i for i in dis.get_instructions(code) if i.opname not in ("CACHE", "EXTENDED_ARG")]


def opname_at(code: CodeType, offset: int) -> str:
    """The name of the instruction at an offset, which may be that of one of its caches."""
    while code.co_code[offset] == _CACHE:  # where a call of a Python function returns to
        offset -= 2
    return dis.opname[code.co_code[offset]]


def is_result_unused(code: CodeType, offset: int) -> bool:
    """Whether the result of the call at an offset is dropped: the call is a statement."""
    instructions = code.co_code
    for at in range(offset + 2, len(instructions), 2):
        if instructions[at] != _CACHE:
            return dis.opname[instructions[at]] == "POP_TOP"
    return False


def is_result_entered(code: CodeType, offset: int) -> bool:
    """Whether a `with` enters the result of the call at an offset, which an operator gets first."""
    found = [dis.opname[one] for one in code.co_code[offset + 2 :: 2] if one != _CACHE][:3]
    return "BEFORE_WITH" in found and set(found) <= {
        "PRECALL",
        "CALL",
        "BEFORE_WITH",
        "POP_TOP",
        "STORE_FAST",
        "STORE_DEREF",
        "STORE_NAME",
    }


def last_binding(code: CodeType, name: str, end: int | None = None) -> int | None:
    """The offset of the instruction that binds a variable last; `""` stands for the value of
    a lambda.  None if there is no such instruction.

    In converted code, a branch or loop that binds the variable counts by its names of variables.
    With `end`, the statement whose instruction is there and all later ones do not count.
    """
    if handlers(code):
        return None
    steps = instructions(code)
    if not name:
        return steps[-1 if steps[-1].opname == "RETURN_CONST" else -2].offset
    last = sys.maxsize if end is None else end
    found = [one for one in steps if one.offset < last and _binds(one, name)]
    if end is not None and found and isinstance(found[-1].argval, tuple):
        found.pop()  # the names of the variables of the statement at `end`
    return found[-1].offset if found else None


def _binds(step, name):
    if step.opname == "LOAD_CONST":
        return isinstance(step.argval, tuple) and name in step.argval
    return name in _stored(step)


def _stored(step):
    """The variables that an instruction binds."""
    match step.opname:
        case "STORE_DEREF" | "STORE_FAST" | "STORE_NAME" | "STORE_GLOBAL":
            return (step.argval,)
        case "STORE_FAST_STORE_FAST":  # two in one, since 3.13
            return step.argval
        case "STORE_FAST_LOAD_FAST":
            return step.argval[:1]
    return ()


# -- source positions ------------------------------------------------------------------------------

NOWHERE = -1  # the line or column of an instruction that has none
_CACHE = dis.opmap["CACHE"]  # room that an instruction reserves for the interpreter


class Instructions:
    """The instructions of a code object: their source positions and the variables they bind."""

    def __init__(self, code: CodeType):
        # As plain integers: tens of thousands of tuples would keep the garbage collector busy.
        self._positions = array("i")
        for position in code.co_positions():
            self._positions.extend([NOWHERE if n is None else n for n in position])
        self._bytes = code.co_code
        shared = tuple(name for name in code.co_cellvars if name not in code.co_varnames)
        self._locals = (*code.co_varnames, *shared, *code.co_freevars)
        self._names = code.co_names

    @staticmethod
    def of(code: CodeType) -> "Instructions":
        """The instructions of a code object.

        They are cached by identity: since 3.12, hashing a code object takes time linear in its
        length.
        """
        found = _known.get(id(code))
        if found is None:
            key = id(code)
            gone = weakref.ref(code, lambda _: _known.pop(key, None))
            found = _known[key] = gone, Instructions(code)
        return found[1]

    def position(self, offset: int) -> array:
        """Line, last line, first and last column of the instruction at an offset."""
        first = offset // 2 * 4
        return self._positions[first : first + 4]

    def variable_after(self, offset: int) -> str | None:
        """The variable that is bound by the instruction that follows the one at `offset`."""
        argument = 0
        for at in range(offset + 2, len(self._bytes), 2):
            opcode, low = self._bytes[at : at + 2]
            if opcode != _CACHE:
                argument = argument << 8 | low
                if opcode != dis.EXTENDED_ARG:
                    name = self._variable(dis.opname[opcode], argument)
                    return name if name and name.isidentifier() else None  # `.0`, `@py_assert1`
        return None

    def _variable(self, name: str, argument: int) -> str | None:
        match name:
            case "STORE_FAST" | "STORE_DEREF":
                return self._locals[argument]
            case "STORE_NAME" | "STORE_GLOBAL":
                return self._names[argument]
            case "STORE_FAST_STORE_FAST" | "STORE_FAST_LOAD_FAST":  # two in one, since 3.13
                return self._locals[argument >> 4]
        return None


_known: dict[int, tuple[weakref.ref, Instructions]] = {}
