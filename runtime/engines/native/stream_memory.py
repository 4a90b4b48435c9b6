"""The lines of a piece that draws from random generators, around its instructions.

entry:    room for the states
ask0:     may machine code draw from the generator?        -> leave
          where is the state of a generator of the run?    -> leave
          the state is kept
begin:    the instructions of the nodes
leave:    the states are restored
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.engines.native.call_text import COPIED, COPY
from runtime.engines.native.random_streams import INDEX, PERMUTED, STATE, MadeStream, located
from runtime.ir.graph import Value

if TYPE_CHECKING:
    from runtime.engines.native.call_wrapper import Shell

# A function of Python returns True, else the piece is left.
ASKED = """\
ask{at}:
  %free{at} = call ptr {call}(ptr {asked})
  %fails{at} = icmp eq ptr %free{at}, null
  br i1 %fails{at}, label %raised, label %told{at}
told{at}:
  %truth{at} = icmp eq ptr %free{at}, {true}
  call void @Py_DecRef(ptr %free{at})
  br i1 %truth{at}, label %keep{at}, label %leave
keep{at}:"""
# A function of Python returns an address, or zero: then the piece is left.
LOCATED = """\
ask{at}:
  %argument{at} = getelementptr ptr, ptr %args, i64 {place}
  %object{at} = load ptr, ptr %argument{at}
  %found{at} = call ptr {call}(ptr {located}, ptr %object{at})
  %fails{at} = icmp eq ptr %found{at}, null
  br i1 %fails{at}, label %raised, label %told{at}
told{at}:
  %address{at} = call i64 {number}(ptr %found{at})
  call void @Py_DecRef(ptr %found{at})
  %known{at} = icmp ne i64 %address{at}, 0
  br i1 %known{at}, label %keep{at}, label %leave
keep{at}:
  %interface{n} = inttoptr i64 %address{at} to ptr"""
# Where the state is, by the class of the generator.
OF_PYTHON = """\
  %index{n} = getelementptr i8, ptr %interface{n}, i64 0
  %words{n} = getelementptr i8, ptr %index{n}, i64 4"""
OF_LEGACY = """\
  %state{n} = load ptr, ptr %interface{n}
  %words{n} = getelementptr i8, ptr %state{n}, i64 0
  %index{n} = getelementptr i8, ptr %state{n}, i64 {index}"""
OF_NUMPY = """\
  %state{n} = load ptr, ptr %interface{n}
  %permuted{n} = load ptr, ptr %state{n}
  %half{n} = getelementptr i8, ptr %state{n}, i64 8"""


class StreamMemory:
    """Writes the lines; `places` has the arguments of the piece that are generators of the run."""

    def __init__(self, shell: Shell, places: dict[Value, int]) -> None:
        self.shell, self.text, self.places = shell, shell.text, places
        self.room: list[str] = []
        self.asking: list[str] = []
        self.restoring = ""
        known = [*self.text.streams.values()]
        for at, stream in enumerate(known):
            self._ask(at, stream.is_free)
            for place, size in stream.memory:
                self._keep(self.text.address(f"state_{len(self.text.symbols)}", place), size)
            self.asking.append(f"  br label %ask{at + 1}")
        for at, (value, made) in enumerate(self.text.made_streams.items(), len(known)):
            self._locate(at, value, made)
            self.asking.append(f"  br label %ask{at + 1}")
        if self.room:
            self.text.declare("llvm.memcpy.p0.p0.i64", COPIED)
        self.asking += [f"ask{len(known) + len(self.text.made_streams)}:", "  br label %begin"]

    def _ask(self, at: int, is_free: Any) -> None:
        call = self.shell.function("PyObject_CallNoArgs", "ptr", "ptr")
        asked = self.text.object(f"is_free_{at}", is_free)
        true = self.text.object("true", True)
        self.asking += ASKED.format(at=at, call=call, asked=asked, true=true).split("\n")

    def _locate(self, at: int, value: Value, made: MadeStream) -> None:
        names = {
            "call": self.shell.function("PyObject_CallOneArg", "ptr", "ptr, ptr"),
            "number": self.shell.function("PyLong_AsLongLong", "i64", "ptr"),
            "located": self.text.object(f"located_{at}", located(made.kind)),
            "place": self.places[value],
            "index": INDEX,
            "at": at,
            "n": made.number,
        }
        self.asking += LOCATED.format(**names).split("\n")
        if made.kind is np.random.Generator:
            self.asking += OF_NUMPY.format(**names).split("\n")
            self._keep(f"%permuted{made.number}", PERMUTED)
            self._keep(f"%half{made.number}", 8)
            return
        of = OF_LEGACY if made.kind is np.random.RandomState else OF_PYTHON
        self.asking += of.format(**names).split("\n")
        self._keep(f"%{'state' if of is OF_LEGACY else 'index'}{made.number}", STATE)

    def _keep(self, address: str, size: int) -> None:
        """Keeps a part of a state; where the piece is left before, nothing is restored."""
        n = len(self.room) // 3
        self.room += [
            f"  %kept{n} = alloca [{size} x i8]",
            f"  %place{n} = alloca ptr",
            f"  store ptr null, ptr %place{n}",
        ]
        self.asking.append(f"  store ptr {address}, ptr %place{n}")
        self.asking.append(f"  {COPY}(ptr %kept{n}, ptr {address}, i64 {size}, i1 false)")
        self.restoring += (
            f"\n  %back{n} = load ptr, ptr %place{n}"
            f"\n  %none{n} = icmp eq ptr %back{n}, null"
            f"\n  %size{n} = select i1 %none{n}, i64 0, i64 {size}"
            f"\n  {COPY}(ptr %back{n}, ptr %kept{n}, i64 %size{n}, i1 false)"
        )
