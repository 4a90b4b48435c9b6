"""The shell of a piece: a built-in function of Python around its instructions.

    arguments -> registers        scalars of the expected types; for others, the piece is left
    instructions of the nodes
    floating-point flags          if one is set of which NumPy may warn, the piece is left
    registers -> (True, results)

A piece that is left returns `(False, None, ...)`; nothing else has happened.  Integers are taken
from Python ints and NumPy scalars alike, as a program holds some NumPy integers as Python ints.
"""

import numpy as np

from runtime.engines.native import mixed_objects, tuple_objects
from runtime.engines.native import python_objects as objects
from runtime.engines.native.call_text import (
    ABANDONED,
    CLEARED_FLAGS,
    DROP,
    EXITS,
    LOOK,
    LOOK_FOR_SIGNALS,
    LOOKS,
)
from runtime.engines.native.control_flow import POLLED
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.exits import Exit
from runtime.engines.native.kinds import (
    INTEGER,
    Kind,
    NotLowered,
    is_mixed,
    is_python,
    kind_of,
    part_of,
)
from runtime.engines.native.list_objects import box_list, unbox_list
from runtime.engines.native.storage import dtype_object
from runtime.engines.native.stream_memory import StreamMemory
from runtime.engines.native.text import Text
from runtime.ir.graph import Operand, Value, operand_type
from runtime.ir.types import (
    ListType,
    ObjectType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    is_array,
)


class Shell:
    """Writes the function of a piece around what an emitter writes."""

    def __init__(self, text: Text, emitter: Emitter) -> None:
        self.text, self.emitter = text, emitter
        self.lists: list[tuple[str, Type, str]] = []  # that leave: memory, type, object
        self.generators: dict[Value, int] = {}  # arguments: random generators of the run

    # -- symbols -----------------------------------------------------------------------------------

    def function(self, name: str, result: str, types: str, address: int | None = None) -> str:
        """A symbol for a C function, by default of Python."""
        found = objects.python_function(name) if address is None else address
        return self.text.declare(name, f"declare {result} @{name}({types})", found)

    # -- arguments ---------------------------------------------------------------------------------

    def unbox(self, place: int, value: Value) -> None:
        """Puts an argument into registers."""
        if isinstance(value.type, ObjectType):
            self.generators[value] = place
            self.emitter.held[value] = ()
            return
        slot = self.text.register(f"getelementptr ptr, ptr %args, i64 {place}")
        self.take(value, self.text.register(f"load ptr, ptr {slot}"))

    def take(self, value: Value, argument: str) -> None:
        """Puts what an object holds into registers; where it is of another type, the piece is
        left."""
        if isinstance(value.type, ListType):
            unbox_list(self, value, value.type, argument)
            return
        if isinstance(value.type, TensorType) and is_array(value.type):
            self._array(value, value.type, argument)
            return
        if isinstance(value.type, TupleType):
            self.emitter.held[value] = tuple(tuple_objects.unboxed(self, value.type, argument))
            return
        part = part_of(value.type)
        if is_mixed(value.type):
            self.emitter.held[value] = mixed_objects.unboxed(self, value.type, argument)
        elif part is not None:
            if isinstance(value.type, UnionType):
                raise NotLowered("a complex scalar of which the run decides the type enters")
            found = self.class_of(argument)
            self.emitter.held[value] = self._complex(argument, found, value.type, part)
        elif isinstance(value.type, UnionType):
            self.emitter.held[value] = self._any_of(value.type, argument)
        else:
            self.emitter.held[value] = (self._scalar(value.type, argument),)

    def _scalar(self, type: Type, argument: str) -> str:
        kind = kind_of(type)
        if kind.family == "b":
            return self._truth(argument)
        found = self.class_of(argument)
        if kind.is_float:
            return self._float(argument, found, type, kind)
        return self._integer(argument, found, kind)

    def _any_of(self, type: UnionType, argument: str) -> tuple[str, str]:
        """A scalar of Python or of NumPy, and whether it is NumPy's."""
        text, kind = self.text, kind_of(type)
        if kind.family == "b":
            ours = [text.object(f"NumPy_{np.bool_(t)}", np.bool_(t)) for t in (True, False)]
            yes, no = (text.register(f"icmp eq ptr {argument}, {one}") for one in ours)
            return self._truth(argument), text.register(f"or i1 {yes}, {no}")
        found = self.class_of(argument)
        is_numpys = text.register(f"icmp eq ptr {found}, {self.of_class(_scalar_class(kind))}")
        if not kind.is_float:
            return self._integer(argument, found, kind), is_numpys
        is_pythons = text.register(f"icmp eq ptr {found}, {self.of_class(float)}")
        is_known = text.register(f"or i1 {is_numpys}, {is_pythons}")
        text.leave_if(text.register(f"xor i1 {is_known}, true"), Exit.ARGUMENT)
        return self._content(argument, kind), is_numpys

    def class_of(self, argument: str) -> str:
        """The class of an object."""
        return self.field("ptr", argument, objects.TYPE)

    def _truth(self, argument: str) -> str:
        text = self.text
        bits = []
        for name, truth in (("Python", bool), ("NumPy", np.bool_)):
            yes, no = (self.text.object(f"{name}_{truth(t)}", truth(t)) for t in (True, False))
            bits.append([text.register(f"icmp eq ptr {argument}, {one}") for one in (yes, no)])
        holds = text.register(f"or i1 {bits[0][0]}, {bits[1][0]}")
        fails = text.register(f"or i1 {bits[0][1]}, {bits[1][1]}")
        is_known = text.register(f"or i1 {holds}, {fails}")
        text.leave_if(text.register(f"xor i1 {is_known}, true"), Exit.ARGUMENT)
        return holds

    def _content(self, argument: str, kind: Kind, place: int = 0) -> str:
        """The number inside of a float or NumPy scalar, or a part of a complex one."""
        start = objects.HEADER + place * kind.itemsize
        content = f"getelementptr i8, ptr {argument}, i64 {start}"
        return self.text.register(f"load {kind.memory}, ptr {self.text.register(content)}")

    def _float(self, argument: str, found: str, type: Type, kind: Kind) -> str:
        wanted = self.of_class(float if is_python(type) else _scalar_class(kind))
        self.text.leave_if(self.text.register(f"icmp ne ptr {found}, {wanted}"), Exit.ARGUMENT)
        return self._content(argument, kind)

    def _complex(self, argument: str, found: str, type: Type, part: Kind) -> tuple[str, str]:
        wanted = self.of_class(complex if is_python(type) else _complex_class(part))
        self.text.leave_if(self.text.register(f"icmp ne ptr {found}, {wanted}"), Exit.ARGUMENT)
        return self._content(argument, part, 0), self._content(argument, part, 1)

    def _integer(self, argument: str, found: str, kind: Kind) -> str:
        text = self.text
        numpys, pythons, join = (text.label(stem) for stem in ("numpys", "pythons", "joined"))
        is_numpys = text.register(f"icmp eq ptr {found}, {self.of_class(_scalar_class(kind))}")
        text.line(f"br i1 {is_numpys}, label %{numpys}, label %{pythons}")
        text.start(numpys)
        content = self._content(argument, kind)
        text.line(f"br label %{join}")
        text.start(pythons)
        text.leave_if(text.register(f"icmp ne ptr {found}, {self.of_class(int)}"), Exit.ARGUMENT)
        name = "PyLong_AsLongLongAndOverflow"
        convert, overflow = self.function(name, "i64", "ptr, ptr"), text.local("i32")
        number = text.register(f"call i64 {convert}(ptr {argument}, ptr {overflow})")
        is_wide = text.register(f"load i32, ptr {overflow}")
        text.leave_if(text.register(f"icmp ne i32 {is_wide}, 0"), Exit.ARGUMENT)
        self.emitter.leave_unfit(INTEGER, kind, number)
        narrow = self.emitter.converted(number, INTEGER, kind)
        block = text.block
        text.line(f"br label %{join}")
        text.start(join)
        ways = f"[{content}, %{numpys}], [{narrow}, %{block}]"
        return text.register(f"phi {kind.register} {ways}")

    def _array(self, value: Value, type: TensorType, argument: str) -> None:
        """Takes an array of a dtype, a number of dimensions and sizes, contiguous and aligned."""
        text, dtype = self.text, dtype_object(self.text, type.dtype)
        facts = [
            ("ptr", objects.TYPE, self.of_class(np.ndarray)),
            ("ptr", objects.ARRAY_DTYPE, dtype),
            ("i32", objects.ARRAY_NDIM, str(type.ndim)),
        ]
        for kind, offset, wanted in facts:
            found = self.field(kind, argument, offset)
            text.leave_if(text.register(f"icmp ne {kind} {found}, {wanted}"), Exit.ARGUMENT)
        flags = self.field("i32", argument, objects.ARRAY_FLAGS)
        needed = text.register(f"and i32 {flags}, {objects.CONTIGUOUS_AND_ALIGNED}")
        text.leave_if(
            text.register(f"icmp ne i32 {needed}, {objects.CONTIGUOUS_AND_ALIGNED}"), Exit.ARGUMENT
        )
        shape = self.field("ptr", argument, objects.ARRAY_SHAPE)
        sizes = []
        for axis, size in enumerate(type.shape):
            found = self.field("i64", shape, 8 * axis)
            if isinstance(size, int):
                text.leave_if(text.register(f"icmp ne i64 {found}, {size}"), Exit.ARGUMENT)
            else:
                sizes.append(found)
        data = self.field("ptr", argument, objects.ARRAY_DATA)
        self.emitter.held[value] = (argument, data, *sizes)
        self.emitter.ownership.share(argument)
        self.emitter.ownership.define(value, argument)

    def field(self, kind: str, address: str, offset: int) -> str:
        """The content of a field of an object."""
        place = self.text.register(f"getelementptr i8, ptr {address}, i64 {offset}")
        return self.text.register(f"load {kind}, ptr {place}")

    def of_class(self, of: type) -> str:
        """A symbol for a class."""
        return self.text.object(f"class_{of.__module__}_{of.__name__}", of)

    # -- results -----------------------------------------------------------------------------------

    def box(self, operand: Operand) -> str:
        """A new reference to a result as an object; null if there is no memory."""
        type = operand_type(operand)
        if isinstance(type, ListType):
            return box_list(self, operand)
        if isinstance(type, TupleType) and isinstance(operand, Value):
            return tuple_objects.boxed(self, operand)
        if is_array(type) and isinstance(operand, Value):
            found = self.emitter.held[operand][0]
            self.emitter.ownership.share(found)
            return found
        if not isinstance(type, UnionType):
            return self._boxed(operand, type)
        if is_mixed(type) and isinstance(operand, Value):
            return mixed_objects.boxed(self, operand)
        pythons, numpys = (
            next(t for t in type.options if is_python(t) is p) for p in (True, False)
        )
        text = self.text
        labels = [text.label(stem) for stem in ("numpys", "pythons", "joined")]
        bit = self.emitter.is_numpys(operand)
        text.line(f"br i1 {bit}, label %{labels[0]}, label %{labels[1]}")
        ways = []
        for label, option in zip(labels, (numpys, pythons), strict=False):
            text.start(label)
            ways.append(f"[{self._boxed(operand, option)}, %{text.block}]")
            text.line(f"br label %{labels[2]}")
        text.start(labels[2])
        return text.register(f"phi ptr {', '.join(ways)}")

    def _boxed(self, operand: Operand, type: Type) -> str:
        part = part_of(type)
        if part is not None:
            return self._boxed_complex(operand, type, part)
        text, kind = self.text, kind_of(type)
        register = self.emitter.own(operand)
        if kind.family == "b":
            truth, name = (bool, "Python") if is_python(type) else (np.bool_, "NumPy")
            yes, no = (self.text.object(f"{name}_{truth(t)}", truth(t)) for t in (True, False))
            found = text.register(f"select i1 {register}, ptr {yes}, ptr {no}")
            text.line(f"call void {self.function('Py_IncRef', 'void', 'ptr')}(ptr {found})")
            return found
        if is_python(type):
            name = "PyFloat_FromDouble" if kind.is_float else "PyLong_FromLongLong"
            make = self.function(name, "ptr", kind.register)
            return text.register(f"call ptr {make}({kind.register} {register})")
        memory = text.local(kind.memory)
        text.line(f"store {kind.memory} {register}, ptr {memory}")
        return self._numpys(memory, type)

    def _boxed_complex(self, operand: Operand, type: Type, part: Kind) -> str:
        text, of = self.text, part.register
        real, imaginary = self.emitter.parts(operand, part)
        if is_python(type):
            make = self.function("PyComplex_FromDoubles", "ptr", "double, double")
            return text.register(f"call ptr {make}(double {real}, double {imaginary})")
        memory = text.local(f"[2 x {of}]")
        second = text.register(f"getelementptr {of}, ptr {memory}, i64 1")
        text.line(f"store {of} {real}, ptr {memory}")
        text.line(f"store {of} {imaginary}, ptr {second}")
        return self._numpys(memory, type)

    def _numpys(self, memory: str, type: Type) -> str:
        """A scalar of NumPy with the number at an address."""
        text = self.text
        address = objects.array_function(objects.SCALAR_FROM_MEMORY)
        make = self.function("PyArray_Scalar", "ptr", "ptr, ptr, ptr", address)
        dtype = dtype_object(self.text, type.dtype)
        return text.register(f"call ptr {make}(ptr {memory}, ptr {dtype}, ptr null)")

    def return_results(self, operands: list[Operand]) -> None:
        """Returns a tuple of True and the results."""
        text = self.text
        make = self.function("PyTuple_New", "ptr", "i64")
        results = text.register(f"call ptr {make}(i64 {len(operands) + 1})")
        text.line(f"store ptr {results}, ptr %results")
        self.text.fail_if_null(results)
        for place, operand in enumerate([True, *operands]):
            found = self.box(operand)
            self.text.fail_if_null(found)
            item = f"getelementptr i8, ptr {results}, i64 {objects.FIRST_ITEM + 8 * place}"
            text.line(f"store ptr {found}, ptr {text.register(item)}")
        self.text.line("br label %finish")
        text.start("finish")

    # -- the function ------------------------------------------------------------------------------

    def whole(self, name: str, arguments: int, results: int) -> str:
        """The text of the module."""
        left = self.text.object("left", (False, *[None] * results))
        increment = self.function("Py_IncRef", "void", "ptr")
        decrement = self.function("Py_DecRef", "void", "ptr")
        entry = ["  %results = alloca ptr", "  store ptr null, ptr %results", *self.text.memory]
        entry += [f"  store ptr null, ptr {slot}" for slot in self.text.slots]
        drops = [
            "\n".join(
                f"  %{way}{i} = load ptr, ptr {slot}\n  call void @drop(ptr %{way}{i})"
                for i, slot in enumerate(self.text.slots)
            )
            for way in ("finished", "left", "raised")
        ]
        streams = StreamMemory(self, self.generators)
        declarations = dict(self.text.declarations)
        parts = []
        if self.text.uses_floats:
            for register in ("stmxcsr", "ldmxcsr"):
                full = f"llvm.x86.sse.{register}"
                declarations[full] = f"declare void @{full}(ptr)"
            entry += CLEARED_FLAGS.splitlines()
        if self.text.uses_loops:
            entry.append('  call void asm sideeffect "fnclex", ""()')
        if self.text.polls:
            entry += ["  %polls = alloca i64", f"  store i64 {POLLED}, ptr %polls"]
            for function, declaration in LOOKS.items():
                self.text.symbols[function] = objects.python_function(function)
                declarations[function] = declaration
            parts.append(LOOK_FOR_SIGNALS if streams.room else LOOK)
        drops[1] += streams.restoring
        entry += [
            *streams.room,
            f"  %fits = icmp eq i64 %count, {arguments}",
            "  br i1 %fits, label %ask0, label %leave",
            *streams.asking,
            "begin:",
        ]
        head = f"define ptr @{name}(ptr %self, ptr %args, i64 %count) strictfp {{\nentry:"
        if self.text.slots or self.text.uses_references:
            parts.append(DROP)
            drops[1] += ABANDONED
        exits = EXITS.format(left=left, increment=increment, decrement=decrement, drops=drops)
        body = "\n".join([head, *entry, *self.text.lines, exits])
        return "\n".join(
            [*declarations.values(), *parts, body, '!0 = !{!"branch_weights", i32 1, i32 4000}']
        )


def _complex_class(part: Kind) -> type:
    return np.dtype(f"c{part.bits // 4}").type


def _scalar_class(kind: Kind) -> type:
    return np.dtype(f"{kind.family}{kind.bits // 8}").type
