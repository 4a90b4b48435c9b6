"""The command `autograph report`: which functions of a file have ONNX models, and why others not.

    autograph report model.py                            all rt.functions, as the file has run them
    autograph report model.py:step --args "np.ones(3)"   one function, for the arguments of a call

    step (line 4): exported, 12 operations
    shown (line 9): 2 refusals
       10  it uses print
       12  it raises ValueError
    1 of 2 functions have a model; reasons: it raises ValueError (1), it uses print (1)

The file is run, as `import` does it, and the functions are traced.
"""

import argparse
import inspect
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from types import MethodType, ModuleType
from typing import Any

from runtime.errors import ExportError
from runtime.function.commands import DONE, File, Outcome, command_parser, require, run_command
from runtime.function.concrete_function import ConcreteFunction
from runtime.function.decorator import concrete_of
from runtime.function.from_files import FAILED, check_call
from runtime.function.function import Function
from runtime.tracing.signature import TensorSpec

EPILOG = """\
examples:
  autograph report model.py                                   all rt.functions
  autograph report model.py:step --args "np.ones(3)"          3 elements
  autograph report model.py:norm --args "TensorSpec(('n',))"  any length
  autograph report model.py --drop-asserts                    without assertions

exit status:
  0  all of the functions have a model
  1  some have none, or the file raises an exception
  2  the arguments are wrong
"""


@dataclass(frozen=True)
class Answer:
    """Whether a graph of a function has a model: the number of its operations, or refusals."""

    name: str
    lineno: int
    operations: int = 0
    refusals: tuple[tuple[int | None, str], ...] = ()  # lines and problems
    has_graph: bool = True

    def __str__(self) -> str:
        head = f"{self.name} (line {self.lineno}): "
        if not self.has_graph:
            return f"{head}no graph: the file does not call it, and it has no input_signature"
        if not self.refusals:
            return f"{head}exported, {self.operations} operations"
        count = len(self.refusals)
        rows = [f"{line or '':>5}  {problem}" for line, problem in self.refusals]
        return "\n".join([f"{head}{count} refusal{'s' * (count > 1)}", *rows])


def main(given: list[str]) -> int:
    """Runs the command; returns the exit status."""
    return run_command(parser(), given, _reported)


def parser() -> argparse.ArgumentParser:
    """The parser of `autograph report`."""
    made = command_parser(
        "report",
        "Counts which functions of a file can be exported to ONNX, and says line by\n"
        "line why others cannot.  The file is run, and the functions are traced.",
        EPILOG,
        'the arguments of a call: --args "np.ones(3), 2.0"',
    )
    add = made.add_argument
    add("--drop-asserts", action="store_true", help="leave out assertions and exceptions")
    return made


def _reported(file: File, options: argparse.Namespace) -> Outcome:
    """The answers for all functions of the file, or for one, and their summary."""
    require("onnx", "onnx")
    if file.name or file.args is not None:
        found = _for_a_call(file, options.drop_asserts)
    else:
        found = list(_of_file(file.module, options.drop_asserts))
    have_models = all(one.has_graph and not one.refusals for one in found)
    return DONE if have_models else FAILED, [*found, _summary(found)]


def _for_a_call(file: File, drop_asserts: bool) -> list[Answer]:
    """The answer for one function, and the arguments of a call if they are given."""
    name, function = file.function()
    if file.args is None and isinstance(function, (Function, MethodType)):
        staged = function if isinstance(function, Function) else function.__func__
        if isinstance(staged, Function):
            return list(_of_function(name, staged, drop_asserts))
    args = file.positional_arguments(TensorSpec=TensorSpec)
    check_call(name, function, args, {})
    return [_of_graph(name, concrete_of(function, args), drop_asserts)]


def _of_file(module: ModuleType, drop_asserts: bool) -> Iterator[Answer]:
    """The answers for the functions that a file defines, and for the methods of its classes."""
    for name, value in vars(module).items():
        held = vars(value).items() if isinstance(value, type) else ()
        for path, one in [(name, value), *((f"{name}.{part}", one) for part, one in held)]:
            if isinstance(one, Function) and one.__module__ == module.__name__:
                yield from _of_function(path, one, drop_asserts)


def _of_function(name: str, function: Function, drop_asserts: bool) -> Iterator[Answer]:
    graphs = list(function.graphs)
    if function.input_signature is not None:
        graphs = [function.get_concrete_function()]
    for graph in graphs:
        yield _of_graph(name, graph, drop_asserts)
    if not graphs:
        yield Answer(name, _line(function), has_graph=False)


def _of_graph(name: str, concrete: ConcreteFunction, drop_asserts: bool) -> Answer:
    from runtime.export.onnx import model

    refusals: list[ExportError] = []
    try:
        made = model.model_of(concrete, drop_asserts, refusals)
    except ExportError as error:
        rows = [model.problem_of(one) for one in refusals or [error]]
        return Answer(name, _line(concrete), refusals=tuple(dict.fromkeys(rows)))
    return Answer(name, _line(concrete), _operations(made.graph))


def _operations(graph: Any) -> int:
    """The number of operations of a graph of ONNX, with those of its subgraphs."""
    inner = [one.g for node in graph.node for one in node.attribute if one.HasField("g")]
    return len(graph.node) + sum(map(_operations, inner))


def _line(function: Any) -> int:
    code = getattr(inspect.unwrap(function), "__code__", None)
    return 0 if code is None else code.co_firstlineno


def _summary(found: list[Answer]) -> str:
    """The counts of all answers."""
    known = [one for one in found if one.has_graph]
    exported = sum(not one.refusals for one in known)
    reasons = Counter(problem for one in known for _, problem in one.refusals)
    told = ", ".join(f"{problem} ({count})" for problem, count in reasons.most_common())
    counts = f"{exported} of {len(known)} graphs can be exported to ONNX"
    return counts + (f"; reasons: {told}" if told else "")
