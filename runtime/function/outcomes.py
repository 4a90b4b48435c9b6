"""The outcome of each line of a function in one of its graphs: `concrete.explain()`.

    settle (model.py)
       6  while np.sum(x) > 1.0:           staged: a loop; greater, sum
       7  x = np.tanh(x)                   operations: tanh
       8  for name in names:               unrolled: 2 iterations, since they are few
       9  scale = settings["scale"]        Python: no operation comes from it
      10  counter = 0                      constant: counter starts with it in the loop of line 11

The nodes of the graph know their lines, and loops over known elements are noted while recording.
Branches and loops know the lines of their constants.  A line with neither is Python's: it ran while
the graph was recorded, or was not reached.
"""

import linecache
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import CodeType
from typing import Any

from autograph.errors import shown_name
from runtime.ir.bindings import BoundConstant, bound_constants
from runtime.ir.graph import Graph, Node, walk
from runtime.ir.regions import is_choice, is_loop
from runtime.ir.text import attribute_text
from runtime.ops.host import host_call
from runtime.ops.library_call import library_call, ordered_library_call
from runtime.staging.loop_trials import LoopOutcome

STAGED, UNROLLED, HOST_CALL, LIBRARY_CALL = "staged", "unrolled", "host call", "library call"
OPERATIONS, CONSTANT, PYTHON = "operations", "constant", "Python"


@dataclass(frozen=True)
class LineOutcome:
    """The outcome of one line; `kind` is one of the words above."""

    lineno: int
    code: str
    kind: str
    detail: str

    def __str__(self) -> str:
        return f"{self.lineno:>4}  {self.code:<36} {self.kind}: {self.detail}"


@dataclass(frozen=True)
class Outcomes:
    """The outcomes of the lines of a function, and of lines in its file that it calls."""

    name: str
    filename: str
    lines: tuple[LineOutcome, ...]

    def __str__(self) -> str:
        filename = os.path.basename(shown_name(self.filename, with_label=False))
        return "\n".join([f"{self.name} ({filename})", *map(str, self.lines)])

    __repr__ = __str__


def outcomes_of(
    function: Callable[..., Any], graph: Graph, loops: Iterable[LoopOutcome]
) -> Outcomes:
    """The outcomes of the lines of a Python function in a graph."""
    code = getattr(function, "__code__", None)
    named = [node for node in walk(graph) if node.location is not None]
    first = next((node.location.filename for node in named), "")
    filename = code.co_filename if code is not None else first
    nodes: dict[int, list[Node]] = {line: [] for line in sorted(_lines(code))}
    for node in named:
        if node.location.filename == filename:
            nodes.setdefault(node.location.lineno, []).append(node)
    known: dict[int, list[LoopOutcome]] = {}
    for loop in loops:
        if loop.filename == filename:
            known.setdefault(loop.lineno, []).append(loop)
            nodes.setdefault(loop.lineno, [])
    constants = _constants(named, filename)
    for lineno in constants:
        nodes.setdefault(lineno, [])
    found = []
    for lineno, here in sorted(nodes.items()):
        text = linecache.getline(filename, lineno).strip()
        outcome = _outcome(here, known.get(lineno, []), constants.get(lineno, []))
        found.append(LineOutcome(lineno, text, *outcome))
    name = getattr(function, "__qualname__", graph.name)
    return Outcomes(name, filename, tuple(found))


def _constants(nodes: list[Node], filename: str) -> dict[int, list[str]]:
    """The uses of constants in branches and loops, by the lines of a file that bind them."""
    found: dict[int, list[str]] = {}
    for node in nodes:
        for one in bound_constants(node):
            if one.location.filename == filename:
                found.setdefault(one.location.lineno, []).append(_use(one, node))
    return found


def _use(one: BoundConstant, node: Node) -> str:
    """The use of a constant: `counter starts with it in the loop of line 8`."""
    verb = "starts" if one.region == "" else "ends"
    kind = "loop" if is_loop(node) else "branch"
    where = f" of line {node.location.lineno}" if node.location is not None else ""
    return f"{one.name} {verb} with it in the {kind}{where}"


def _outcome(nodes: list[Node], loops: list[LoopOutcome], constants: list[str]) -> tuple[str, str]:
    """The kind and the details of a line with these nodes, where these loops begin."""
    ops = ", ".join(dict.fromkeys(n.op.name.strip("_") for n in nodes if not n.regions))
    if loops:
        kind = STAGED if any(loop.is_staged for loop in loops) else UNROLLED
        verdicts = dict.fromkeys(loop.verdict for loop in loops)
        return kind, "; ".join(v.removeprefix(f"{kind}: ") for v in verdicts)
    regions = [_role(node) for node in nodes if node.regions]
    if regions:
        return STAGED, "; ".join(filter(None, [", ".join(dict.fromkeys(regions)), ops]))
    hosts = [node for node in nodes if node.op is host_call]
    if hosts:
        return HOST_CALL, _called(hosts)
    libraries = [n for n in nodes if n.op in (library_call, ordered_library_call)]
    if libraries:
        return LIBRARY_CALL, _called(libraries)
    if ops:
        return OPERATIONS, ops
    if constants:
        return CONSTANT, "; ".join(dict.fromkeys(constants))
    return PYTHON, "no operation comes from it"


def _role(node: Node) -> str:
    if is_loop(node):
        return "a loop"
    return "a branch" if is_choice(node) else f"a region of {node.op.name.strip('_')}"


def _called(nodes: list[Node]) -> str:
    """The functions that some nodes call."""
    return ", ".join(dict.fromkeys(_function(n) for n in nodes))


def _function(node: Node) -> str:
    """The function that a node calls, without the `host(...)` of the text of graphs."""
    text = attribute_text(node.attributes["function"])
    found = re.fullmatch(r"host\('(?:builtins\.)?(.*)'\)", text)
    return found[1] if found else text


def _lines(code: CodeType | None) -> Iterator[int]:
    """The lines of a function's body that have code, also those of functions inside."""
    if code is None:
        return
    for _, _, line in code.co_lines():
        if line is not None and line > code.co_firstlineno:
            yield line
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _lines(constant)
