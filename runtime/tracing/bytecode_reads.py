"""The names that a function's code reads, besides its arguments and local variables.

    def forward(self, x):
        calls.append(1)                 calls: write-only, its contents do not matter
        self.count += 1                 count: write-only, its value does not matter
        return x @ self.w * scale       the attribute w of some object, the global variable scale

The bytecode has the names of global and free variables, and of attributes of any object.  The code
of nested functions is part of their function's.
"""

import dis
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from inspect import getattr_static
from types import CodeType, FunctionType, ModuleType

from autograph.functions.code_tables import once_per_code

GLOBALS = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS")
FREE = ("LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_DEREF")
ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR", "IMPORT_FROM")
JUMPS = frozenset(dis.hasjrel) | frozenset(dis.hasjabs)

# Methods that add to a container without reading it.
ADDING = {"append", "extend", "add", "appendleft", "write"}

# Functions that read attributes whose names are not in the code.
ANY_ATTRIBUTE = {
    *("getattr", "vars", "attrgetter", "__dict__", "__getattribute__", "eval", "exec"),
    *("deepcopy", "dumps"),
}

# Functions and attributes that show which attributes an object has.
LISTING = {"vars", "dir", "__dict__", "getmembers", "getmembers_static", "deepcopy", "dumps"}


# Functions of libraries that read what functions say about themselves.
DESCRIBING = {
    *("signature", "getfullargspec", "get_annotations", "get_type_hints", "getdoc", "unwrap"),
    *("getcallargs", "wraps", "update_wrapper", "Signature", "BoundArguments"),
}

# Functions that tell whether an object has an attribute.
ASKING = {"getattr", "hasattr"}

# Functions and methods that show all attributes of an object, or compare them with another's.
SHOWING = {
    *("repr", "str", "ascii", "format", "pformat", "substitute", "safe_substitute"),
    *("eq", "ne", "contains", "countOf", "indexOf", "index", "count", "remove"),
}


@dataclass(frozen=True)
class Reads:
    """The names that a code object reads, by kind; `*_write_only` are those of which no use reads
    the value."""

    globals: frozenset[str]
    free: frozenset[str]
    attributes: frozenset[str]
    globals_write_only: frozenset[str]
    free_write_only: frozenset[str]
    attributes_write_only: frozenset[str]
    modules: frozenset[str]  # that are imported in the code itself
    pairs: frozenset[tuple[str, str]]  # of a variable and an attribute of its value
    # The names of the entries of `sys.modules` that are read; None if others may be read, too.
    loaded: frozenset[str] | None = frozenset()
    formats: bool = False  # by `f"{x}"`, `%`, or compares by `==` or `in`

    @property
    def asks_for_attributes(self) -> bool:
        """Whether the code may find out that an attribute is absent."""
        return not ASKING.isdisjoint(self.globals)

    @property
    def shows_objects(self) -> bool:
        """Whether the code may show or compare all attributes of an object."""
        return self.formats or not SHOWING.isdisjoint(self.globals | self.attributes)

    @property
    def lists_attributes(self) -> bool:
        """Whether the code may find out which attributes an object has."""
        return not LISTING.isdisjoint(self.globals | self.attributes)

    @property
    def describes_functions(self) -> bool:
        """Whether the code may read what functions say about themselves."""
        return not DESCRIBING.isdisjoint(self.globals | self.free | self.attributes)

    @property
    def any_attribute(self) -> bool:
        """Whether the code may read attributes whose names it does not contain."""
        return not ANY_ATTRIBUTE.isdisjoint(self.globals | self.attributes)


@once_per_code
def reads_of(code: CodeType) -> Reads:
    """The names that a code object and the code objects inside it read."""
    read: dict[str, Counter] = {kind: Counter() for kind in ("global", "free", "attribute")}
    added: dict[str, Counter] = {kind: Counter() for kind in read}
    modules, pairs, loaded, formats = set(), set(), set(), False
    for one in _codes(code):
        instructions = [i for i in dis.get_instructions(one) if i.opname not in _SILENT]
        may_be_skipped = False
        for index, instruction in enumerate(instructions):
            kind = _kind(instruction.opname)
            formats = formats or _formats(instruction)
            may_be_skipped = may_be_skipped or instruction.opcode in JUMPS
            if may_be_skipped and kind is None:
                kind = _kept_by_the_other_path(instruction, one)
            if kind is not None:
                name = instruction.argval
                read[kind][name] += 1
                added[kind][name] += _is_write_only(instructions, index)
                if kind == "attribute" and index:
                    pairs.add((instructions[index - 1].argval, name))
                    if name == "modules":
                        loaded.add(_key_of(instructions, index))
            elif instruction.opname == "MATCH_CLASS":
                read["attribute"]["__match_args__"] += 1
            elif instruction.opname == "IMPORT_NAME":
                modules.add(instruction.argval)
        read["attribute"].update(_names_in(one.co_consts))
    only = {
        kind: frozenset(name for name, count in added[kind].items() if count == read[kind][name])
        for kind in read
    }
    return Reads(
        frozenset(read["global"]),
        frozenset(read["free"]),
        frozenset(read["attribute"]),
        only["global"],
        only["free"],
        only["attribute"],
        frozenset(modules),
        frozenset(pairs),
        None if None in loaded else frozenset(loaded),
        formats,
    )


_SILENT = ("CACHE", "EXTENDED_ARG", "NOP", "RESUME")


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _kind(opname):
    if opname in GLOBALS:
        return "global"
    if opname in FREE:
        return "free"
    return "attribute" if opname in ATTRIBUTES else None


_FORMATTING = ("FORMAT_VALUE", "FORMAT_SIMPLE", "FORMAT_WITH_SPEC", "CONVERT_VALUE", "CONTAINS_OP")


def _formats(instruction):
    """Whether an instruction shows an object in a text, or compares it with others."""
    if instruction.opname == "COMPARE_OP":
        return "=" in instruction.argrepr and not {"<", ">"} & {*instruction.argrepr}
    if instruction.opname == "BINARY_OP":
        return instruction.argrepr.startswith("%")
    return instruction.opname in _FORMATTING


def _kept_by_the_other_path(instruction, code):
    """The kind of name that an instruction stores: where a path does not reach it, the value from
    before stays, so the code reads it."""
    if instruction.opname == "STORE_ATTR":
        return "attribute"
    if instruction.opname == "STORE_GLOBAL":
        return "global"
    is_free = instruction.opname == "STORE_DEREF" and instruction.argval in code.co_freevars
    return "free" if is_free else None


_IN_FIELDS = re.compile(r"\.([^\W\d]\w*)")


def _names_in(constants):
    """Constant strings that may be names of attributes: `getattr(x, 'w')`, class patterns."""
    for constant in constants:
        if isinstance(constant, str) and constant.isidentifier():
            yield constant
        elif isinstance(constant, str) and "{" in constant:  # "{0.name}".format(x)
            yield from _IN_FIELDS.findall(constant)
        elif isinstance(constant, tuple):
            yield from _names_in(constant)


def _is_write_only(instructions, index):
    """Whether an instruction's value is only added to: `log.append(x)`, `count += 1`."""
    following = instructions[index + 1] if index + 1 < len(instructions) else None
    if following is None:
        return False
    if following.opname in ("LOAD_ATTR", "LOAD_METHOD") and following.argval in ADDING:
        return True
    name, depth = instructions[index].argval, 1
    for position, instruction in enumerate(instructions[index + 1 :], index + 1):
        if instruction.opcode in JUMPS or instruction.opname.startswith("RETURN"):
            return False
        if instruction.opname == "BINARY_OP" and depth == 2:
            return instruction.argrepr.endswith("=") and _stores(instructions, position + 1, name)
        depth += dis.stack_effect(instruction.opcode, instruction.arg, jump=False)
        if depth < 2:
            return False
    return False


def _stores(instructions, index, name):
    """Whether the instructions at an index store the value on the stack under a name."""
    if index < len(instructions) and instructions[index].opname == "SWAP":
        index += 1
    if index >= len(instructions):
        return False
    return instructions[index].opname.startswith("STORE") and instructions[index].argval == name


def _key_of(instructions, index):
    """The constant key by which code reads the mapping that an instruction loads, or None.

    `modules["a"]`, `modules.get("a")`, `"a" in modules`, `modules[__name__]`
    """
    following = [i for i in instructions[index + 1 : index + 5] if i.opname != "PUSH_NULL"]
    before = instructions[index - 2] if index > 1 else following[0]
    match [i.opname for i in following]:
        case ["CONTAINS_OP", *_]:
            key = before
        case ["LOAD_CONST" | "LOAD_GLOBAL" | "LOAD_NAME", "BINARY_SUBSCR" | "BINARY_OP", *_]:
            key = following[0]
        case ["LOAD_ATTR" | "LOAD_METHOD", *_] if following[0].argval == "get":
            key = following[1]
        case _:
            return None
    is_own = key.opname in GLOBALS and key.argval == "__name__"
    is_known = key.opname == "LOAD_CONST" and isinstance(key.argval, str) or is_own
    return key.argval if is_known else None


# -- which functions may call themselves -----------------------------------------------------------


def may_call_itself(function: FunctionType) -> bool:
    """Whether a function's code names the function itself, or another one whose code leads to
    it."""
    seen: set[CodeType] = set()
    pending = [function]
    while pending:
        one = pending.pop()
        if one.__code__ in seen:
            continue
        seen.add(one.__code__)
        reads = reads_of(one.__code__)
        if function.__code__.co_name in reads.attributes:
            return True
        for named in _named(one, reads):
            if named.__code__ is function.__code__:
                return True
            pending.append(named)
    return False


def _named(function, reads):
    """The functions that a function's code refers to by variables."""
    held = [function.__globals__.get(name) for name in reads.globals]
    for cell in function.__closure__ or ():
        try:
            held.append(cell.cell_contents)
        except ValueError:
            continue
    for value in held:
        if issubclass(type(value), ModuleType):
            continue  # even `isinstance` imports a lazy one
        value = getattr_static(value, "python_function", value)  # runs no code of staged values
        if type(value) is FunctionType:
            yield value
