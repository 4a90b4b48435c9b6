"""The guard of a graph as machine code: the same records that the Python guard prints.

    global     g0  'W'       v0 = PyDict_GetItemWithError(g0, 'W')     null: the call is left
    array      v0  f64[2]    class, dtype, number of dimensions and sizes by their fields
    code       c1            the field of the function
    any other                a Python function of the same expression

A condition may be narrower here than in Python, never wider: a call that is left takes the Python
guard.  Every object that a read returns is owned until the call is over.
"""

import gc
import struct
import sys
from types import FunctionType, MappingProxyType
from typing import Any

import numpy as np

from runtime.engines.entry import Step
from runtime.engines.native import python_objects as objects
from runtime.engines.native.exits import Exit
from runtime.engines.native.kinds import NotLowered
from runtime.engines.native.text import Text

# Kinds of steps that count, or look at something outside, which a call must not do twice.
ONCE = frozenset({"answer", "counted", "never"})
MOST_ABSENT = 12  # names that are looked up one by one


class GuardCode:
    """Writes the steps of a guard."""

    def __init__(self, text: Text, constants: dict[str, Any], variables: dict[str, str]) -> None:
        """`variables` are the registers of the arguments; reads add theirs."""
        self.text, self.variables = text, variables
        self.known = dict(constants)  # names whose object is always the same
        self.classes: dict[str, type] = {}
        self.checked: set[tuple[str, Any]] = set()  # arrays whose types the entry checks anyway

    def write(self, step: Step) -> None:
        """Writes one step.  Raises `NotLowered` for one that must not be evaluated twice."""
        if step.kind in ONCE:
            raise NotLowered(f"the guard looks at something outside ({step.kind})")
        writer = getattr(self, f"_{step.kind}", None)
        if writer is None or writer(step) is False:
            self._evaluated(step)

    # -- the pieces of steps -----------------------------------------------------------------------

    def function(self, name: str, result: str, types: str) -> str:
        """A symbol for a C function of Python."""
        address = objects.python_function(name)
        return self.text.declare(name, f"declare {result} @{name}({types})", address)

    def object(self, value: Any) -> str:
        """The symbol for an object."""
        return self.text.object(f"object_{len(self.text.objects)}", value)

    def named(self, source: str) -> str:
        """The register of a variable, or the symbol of a constant."""
        if source in self.variables:
            return self.variables[source]
        if source == "None":
            return self.object(None)
        return self.object(self.known[source])

    def need(self, bit: str) -> None:
        """Leaves the call unless a bit is set."""
        self.text.leave_if(self.text.register(f"xor i1 {bit}, true"), Exit.ARGUMENT)

    def is_(self, register: str, value: Any) -> None:
        """Leaves the call unless a register holds an object."""
        self.need(self.text.register(f"icmp eq ptr {register}, {self.object(value)}"))

    def found(self, register: str) -> str:
        """Leaves the call if there is no object; that clears the exception which says so."""
        self.text.leave_if(self.text.register(f"icmp eq ptr {register}, null"), Exit.ARGUMENT)
        return register

    def own(self, register: str) -> str:
        """Keeps a new reference until the call is over."""
        slot = self.text.local("ptr")
        self.text.slots.append(slot)
        self.text.line(f"store ptr {register}, ptr {slot}")
        return register

    def borrow(self, register: str) -> str:
        """Counts a reference to a borrowed object, and keeps it until the call is over."""
        self.text.line(f"call void {self.function('Py_IncRef', 'void', 'ptr')}(ptr {register})")
        return self.own(register)

    def field(self, kind: str, address: str, place: int) -> str:
        """A field of an object."""
        where = self.text.register(f"getelementptr i8, ptr {address}, i64 {place}")
        return self.text.register(f"load {kind}, ptr {where}")

    def _bind(self, step: Step, register: str) -> None:
        self.variables[step.target] = register

    def _evaluated(self, step: Step) -> None:
        """Calls the Python function that does the same."""
        text = self.text
        function, names = step.evaluated()
        values = [self.named(name) for name in names]
        where = text.local(f"[{len(values) + 1} x ptr]")
        for i, value in enumerate(values):
            place = text.register(f"getelementptr ptr, ptr {where}, i64 {i + 1}")
            text.line(f"store ptr {value}, ptr {place}")
        first = text.register(f"getelementptr ptr, ptr {where}, i64 1")
        call = self.function("PyObject_Vectorcall", "ptr", "ptr, ptr, i64, ptr")
        given = f"ptr {self.object(function)}, ptr {first}, i64 {len(values)}, ptr null"
        result = self.own(self.found(text.register(f"call ptr {call}({given})")))
        if step.target:
            self._bind(step, result)
        else:
            self.is_(result, True)

    # -- reads -------------------------------------------------------------------------------------

    def _from_dict(self, step: Step, dictionary: str) -> None:
        look = self.function("PyDict_GetItemWithError", "ptr", "ptr, ptr")
        name = self.object(sys.intern(step.constant))
        found = self.text.register(f"call ptr {look}(ptr {dictionary}, ptr {name})")
        self._bind(step, self.borrow(self.found(found)))

    def _global(self, step: Step) -> bool:
        if type(self.known.get(step.source)) is not dict or type(step.constant) is not str:
            return False
        self._from_dict(step, self.named(step.source))
        return True

    def _dict_item(self, step: Step) -> bool:
        held = self._dictionary(step.source)
        if held is None or type(step.constant) is not str:
            return False
        self._from_dict(step, self.object(held))
        return True

    def _attribute(self, step: Step) -> None:
        get = self.function("PyObject_GetAttr", "ptr", "ptr, ptr")
        given = f"ptr {self.named(step.source)}, ptr {self.object(sys.intern(step.constant))}"
        self._bind(step, self.own(self.found(self.text.register(f"call ptr {get}({given})"))))

    def _cell(self, step: Step) -> bool:
        function = self.known.get(step.source)
        if type(function) is not FunctionType or function.__closure__ is None:
            return False
        get = self.function("PyCell_Get", "ptr", "ptr")
        cell = self.object(function.__closure__[step.constant])
        found = self.text.register(f"call ptr {get}(ptr {cell})")
        self._bind(step, self.own(self.found(found)))
        return True

    def _item(self, step: Step) -> bool:
        kind, index = self.classes.get(step.source), step.constant
        if kind is tuple and type(index) is int and index >= 0:
            get = self.function("PyTuple_GetItem", "ptr", "ptr, i64")
            given = f"ptr {self.named(step.source)}, i64 {index}"
        elif kind is dict and type(index) is str:
            get = self.function("PyDict_GetItemWithError", "ptr", "ptr, ptr")
            given = f"ptr {self.named(step.source)}, ptr {self.object(sys.intern(index))}"
        else:
            return False
        found = self.text.register(f"call ptr {get}({given})")
        self._bind(step, self.borrow(self.found(found)))
        return True

    def _dictionary(self, source: str) -> dict[str, Any] | None:
        """The dict inside `__dict__` of an object that is always the same, if it stays the same."""
        owner = self.known.get(source)
        if not isinstance(owner, type):
            return None
        shown = type.__dict__["__dict__"].__get__(owner)  # whatever a metaclass says
        if type(owner).__getattribute__ is not type.__getattribute__ or (
            type(shown) is not MappingProxyType
        ):
            return None
        inside = gc.get_referents(shown)
        is_known = len(inside) == 1 and type(inside[0]) is dict and inside[0] == dict(shown)
        return inside[0] if is_known else None

    # -- conditions --------------------------------------------------------------------------------

    def _same(self, step: Step) -> None:
        if step.source in self.variables:
            self.is_(self.variables[step.source], step.constant)
            self.known[step.source] = step.constant
        elif self.known.get(step.source) is not step.constant:
            raise NotLowered("a condition of the guard never holds")

    def _same_address(self, step: Step) -> None:
        found = self.text.address(f"address_{len(self.text.symbols)}", step.constant)
        self.need(self.text.register(f"icmp eq ptr {self.named(step.source)}, {found}"))

    def _same_variable(self, step: Step) -> None:
        pair = f"{self.named(step.source)}, {self.named(step.constant)}"
        self.need(self.text.register(f"icmp eq ptr {pair}"))

    def _class(self, step: Step) -> None:
        self.is_(self.field("ptr", self.named(step.source), objects.TYPE), step.constant)
        self.classes[step.source] = step.constant

    def _code(self, step: Step) -> bool:
        if type(self.known.get(step.source)) is not FunctionType:
            return False
        place = objects.FUNCTION_CODE
        self.is_(self.field("ptr", self.named(step.source), place), step.constant)
        return True

    def _value(self, step: Step) -> bool:
        """The same object, or an equal number of the same class."""
        text, known, register = self.text, step.constant, self.named(step.source)
        kind = type(known)
        is_short = kind is int and -(1 << 63) <= known < 1 << 63
        if kind not in (float, bool, type(None)) and not is_short:
            return False
        if kind in (bool, type(None)):
            self.is_(register, known)
            return True
        other, join = text.label("other"), text.label("joined")
        is_same = text.register(f"icmp eq ptr {register}, {self.object(known)}")
        text.line(f"br i1 {is_same}, label %{join}, label %{other}")
        text.start(other)
        self.is_(self.field("ptr", register, objects.TYPE), kind)
        if kind is float:
            bits = struct.unpack("<q", struct.pack("<d", known))[0]
            found = self.field("i64", register, objects.HEADER)
            self.need(text.register(f"icmp eq i64 {found}, {bits}"))
        else:
            overflow = text.local("i32")
            convert = self.function("PyLong_AsLongLongAndOverflow", "i64", "ptr, ptr")
            number = text.register(f"call i64 {convert}(ptr {register}, ptr {overflow})")
            is_wide = text.register(f"load i32, ptr {overflow}")
            self.need(text.register(f"icmp eq i32 {is_wide}, 0"))
            self.need(text.register(f"icmp eq i64 {number}, {known}"))
        text.line(f"br label %{join}")
        text.start(join)
        return True

    def _array(self, step: Step) -> None:
        known, register = step.constant, self.named(step.source)
        if (step.source, known) in self.checked:
            return
        self.is_(self.field("ptr", register, objects.TYPE), np.ndarray)
        self.is_(self.field("ptr", register, objects.ARRAY_DTYPE), known.dtype)
        count = self.field("i32", register, objects.ARRAY_NDIM)
        self.need(self.text.register(f"icmp eq i32 {count}, {len(known.shape)}"))
        shape = self.field("ptr", register, objects.ARRAY_SHAPE)
        for axis, size in enumerate(known.shape):
            if isinstance(size, int):
                found = self.field("i64", shape, 8 * axis)
                self.need(self.text.register(f"icmp eq i64 {found}, {size}"))

    def _scalar_or_array(self, step: Step) -> None:
        found = self.field("ptr", self.named(step.source), objects.TYPE)
        self.is_(found, step.constant.dtype.type)

    def _length(self, step: Step) -> bool:
        if self.classes.get(step.source) is not tuple:
            return False
        found = self.field("i64", self.named(step.source), objects.HEADER)
        self.need(self.text.register(f"icmp eq i64 {found}, {step.constant}"))
        return True

    def _absent(self, dictionary: str, names: frozenset[str]) -> None:
        contains = self.function("PyDict_Contains", "i32", "ptr, ptr")
        for name in sorted(names):
            given = f"ptr {dictionary}, ptr {self.object(sys.intern(name))}"
            found = self.text.register(f"call i32 {contains}({given})")
            self.need(self.text.register(f"icmp eq i32 {found}, 0"))

    def _absent_globals(self, step: Step) -> bool:
        is_dict = type(self.known.get(step.source)) is dict
        if not is_dict or len(step.constant) > MOST_ABSENT:
            return False
        self._absent(self.named(step.source), step.constant)
        return True

    def _absent_attributes(self, step: Step) -> bool:
        if len(step.constant) > MOST_ABSENT:
            return False
        held = self._dictionary(step.source)
        if held is not None:
            self._absent(self.object(held), step.constant)
            return True
        get = self.function("PyObject_GetAttr", "ptr", "ptr, ptr")
        given = f"ptr {self.named(step.source)}, ptr {self.object('__dict__')}"
        found = self.own(self.found(self.text.register(f"call ptr {get}({given})")))
        self.is_(self.field("ptr", found, objects.TYPE), dict)
        self._absent(found, step.constant)
        return True
