"""Names that users of other libraries type, answered with ours.

    autograph.experimental          AttributeError: ... that is a name of TensorFlow's AutoGraph
                                    Write @autograph.do_not_convert, ...

A table has a row for each name: `name | whose name it is | our code | why`.  The last column is a
short sentence or missing.  A name that is in no table, but nearly one of ours, is answered with
that one.  `hasattr` is False in either case.
"""

import difflib
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from opcode import opmap
from types import FrameType


@dataclass(frozen=True)
class Spelling:
    """A name of another library, and the spelling to write in its place."""

    name: str
    origin: str
    ours: str
    why: str = ""

    def __str__(self):
        return f"`{self.name}` is a name of {self.origin}.\n" + self.answer

    @property
    def answer(self) -> str:
        """The spelling to write, and the reason."""
        return f"Write {self.ours}" + (f"\n{self.why}" if self.why else "")


def table(text: str) -> dict[str, Spelling]:
    """The rows of a table by their names; several names of one row are separated by spaces."""
    found: dict[str, Spelling] = {}
    for line in text.strip().splitlines():
        names, *rest = (cell.strip() for cell in line.split("|"))
        found.update({name: Spelling(name, *rest) for name in names.split()})
    return found


def answer(name: str, known: dict[str, Spelling], ours: Iterable[str], shown: str = "") -> str:
    """The rest of a message about a missing name: the row of a table, or a similar name of ours.

    `shown` is written before our name.  Empty for a name that is like no other.
    """
    if name in known:
        return str(known[name])
    near = difflib.get_close_matches(name, [one for one in ours if not one.startswith("_")], 1)
    return f"Did you mean {shown}{near[0]}?" if near else ""


def missing(what: str, name: str, text: str) -> AttributeError:
    """The error about a missing attribute.

    It names no object, so that Python adds no second suggestion to the one in the message.
    """
    return AttributeError("\n".join(filter(None, (what, text))), name=name, obj=None)


def module_getattr(
    module: str,
    short: str,
    known: dict[str, Spelling],
    others: Callable[[str], str] | None = None,
    late: Callable[[str], object] | None = None,
) -> Callable[[str], object]:
    """The `__getattr__` of a module.

    `short` is the name by which users call the module.  `others` may answer names outside of the
    table.  `late` returns attributes that are made when they are first used.  The function raises
    `AttributeError`, and `ImportError` where an import statement asks.
    """

    def __getattr__(name: str) -> object:
        found = None if late is None else late(name)
        if found is not None:
            return found
        what = f"module {module!r} has no attribute {name!r}"
        if name.startswith("__"):
            raise AttributeError(what)
        text = answer(name, known, dir(sys.modules[module]), f"{short}.")
        if others is not None and name not in known:
            text = others(name) or text
        if _imports(sys._getframe(1)):
            raise ImportError(f"cannot import name {name!r} from {module!r}\n{text}".strip())
        raise missing(what, name, text)

    return __getattr__


def _imports(frame: FrameType) -> bool:
    """Whether a frame runs `from module import name`, whose error would hide the answer."""
    return frame.f_code.co_code[frame.f_lasti] == opmap["IMPORT_FROM"]


AUTOGRAPH = table("""
experimental  | TensorFlow | autograph.set_loop_options, autograph.do_not_convert or autograph.set_element_type | They are names of the package itself.
to_graph_v1   | TensorFlow | autograph.to_graph(f)
tf_convert    | TensorFlow | autograph.to_graph(f)
converted_call | TensorFlow | f(x) | Converted code calls functions by itself.
Feature Verbosity set_verbosity | TensorFlow | autograph.explain(f) | It reports the staged code, line by line.
trace         | TensorFlow | print(x) | In a function that is traced, it prints in each run.
function jit  | the runtime | @rt.function, after `import runtime as rt` | The package autograph converts; the runtime makes graphs.
grad vmap     | the runtime | rt.grad or rt.vmap, after `import runtime as rt`
elementwise_grad jacobian value_and_grad | HIPS autograd | rt.grad(f), rt.jacobian(f) or rt.value_and_grad(f), after `import runtime as rt`
numpy         | HIPS autograd | import numpy as np | NumPy's own functions work on staged values.
convert_function transform | other transpilers | autograph.to_graph(f)
source code get_source to_source | other transpilers | autograph.to_code(f)
ignore skip no_convert | other transpilers | @autograph.do_not_convert
report inspect | other transpilers | autograph.explain(f)
""")  # noqa: E501
