"""One generated function for each graph does a whole plain call: guard, program and result.

    @rt.function                        def area(radius):
    def area(radius):                       while True:
        return 3.14 * radius ** 2               if tracing() is not None or ...: break
                                                try:
                                                    if not (type(radius) is ndarray ...): break
                                                except GONE: break
                                                try:
                                                    return 3.14 * radius**2
                                                except BaseException as error:
                                                    translate(error)
                                                    raise
                                            return dispatch((radius,))

It is the function's `__call__` while that graph is the one that was used last.  `dispatch` does
everything else: other graphs, tracing, settings, and calls while another graph is traced.  Graphs
whose runs write into arrays, variables or objects, whose inputs share memory, or whose results
contain objects that each run creates have no such function.

The program of an engine is called, or inlined where it is a short Python function: its syntax tree
keeps its line numbers and file name, so that exceptions are translated as in a call of it.
"""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from autograph.functions.policy import skip_frames_named
from runtime import config
from runtime.engines import registry
from runtime.engines.executable import Definition, Executable
from runtime.function.boundary import hide_library
from runtime.function.guards.guard import Guard
from runtime.function.guards.records import GONE, Names
from runtime.function.pickling import found_again
from runtime.ir.syntax import parsed
from runtime.staging.templates import (
    PAIRS,
    ArgumentRef,
    Const,
    ContainerTemplate,
    Output,
    Template,
    VariableRef,
)
from runtime.tracing import trace
from runtime.tracing.parameters import GENERATED, Parameters

skip_frames_named("<graph ")

Dispatch = Callable[[tuple[Any, ...]], Any]

__tracebackhide__ = True  # pytest leaves out the frames of this module

PLACEHOLDER = "..."  # the statement that an inlined program replaces
LONGEST_INLINED = 60  # lines of a program; one call more does not matter for longer ones
MOST_CONDITIONS = 500  # of a guard before a program that is inlined


def dispatcher(function: Any) -> Dispatch:
    """Passes the arguments of a call to an `rt.function`, which it does not keep alive: only its
    `__call__` may be."""
    found = found_again(function)

    def dispatch(bound):
        try:
            return found()._dispatch(bound)
        except BaseException as error:
            hide_library(error)
            raise

    return dispatch


def dispatching(parameters: Parameters, dispatch: Dispatch) -> Callable[..., Any]:
    """The function that leaves every call to `dispatch`."""
    return parameters.generated(f"dispatch({parameters.bound})", {"dispatch": dispatch})


def plain_call(
    parameters: Parameters,
    guard: Guard,
    executable: Executable,
    template: Template,
    dispatch: Dispatch,
    engine: str,
) -> Callable[..., Any] | None:
    """The generated function of a graph, which leaves calls that are not plain to `dispatch`; None
    if the template has more in it than outputs, arguments and constants.

    It runs the graph while the settings name this engine, and no other executable is due.
    """
    if not _is_plain(template):
        return None
    is_short = len(guard.records) < MOST_CONDITIONS
    definition = executable.definition(LONGEST_INLINED) if is_short else None
    if definition is not None and not _fits(definition, parameters, guard.names, template):
        definition = None
    text = _Text(parameters, guard, executable, template, dispatch, definition, engine)
    module = parsed(text.module())
    namespace = parameters.defaults | guard.names.constants | {"__tracebackhide__": True}
    if definition is None:
        code = compile(module, GENERATED, "exec")
    else:
        _inline(definition, module, guard.names.prefix)
        code = compile(module, definition.filename, "exec")
        namespace = definition.namespace | namespace
    exec(code, namespace)
    return parameters.named(namespace["call"])


# -- the text --------------------------------------------------------------------------------------


@dataclass
class _Text:
    """The generated function as text; a placeholder is where a definition is inlined."""

    parameters: Parameters
    guard: Guard
    executable: Executable
    template: Template
    dispatch: Dispatch
    definition: Definition | None
    engine: str

    def module(self) -> str:
        """The definition of the generated function."""
        names = self.guard.names
        error = f"{names.prefix}error"
        lines = [
            f"def call({self.parameters.header}):",
            "    while True:",
            f"        if {self._is_unusual()}: break",
            "        try:",
            *(f"            {line}" for line in self.guard.statements("break")),
            f"        except {names.of(GONE)}: break",
            "        try:",
            *(f"            {line}" for line in self._program()),
            f"        except {names.of(BaseException)} as {error}:",
            f"            {names.of(self.executable.translate)}({error})",
            "            raise",
            f"    return {names.of(self.dispatch)}({self.parameters.bound})",
        ]
        return "\n".join(lines)

    def _is_unusual(self):
        """Whether a graph is being traced here, settings require more than a run, or another
        executable is due."""
        of = self.guard.names.of
        if self.executable.is_provisional:
            return f"{of(self.executable)}.is_superseded or {self._needs_more()}"
        return self._needs_more()

    def _needs_more(self):
        of = self.guard.names.of
        process = of(config.PROCESS)
        local = f"{of(config.local_settings)}() is not None"
        if self.engine != registry.DEFAULT:
            another = f"{process}.plain_engine != {self.engine!r}"
            return f"{of(trace.current)}() is not None or {local} or {another}"
        settings = f"{local} or not {process}.is_plain"
        return f"{of(trace.current)}() is not None or {process}.is_unusual and ({settings})"

    def _program(self):
        """The statements that run the program and return the result."""
        names, inputs = self.guard.names, self.guard.inputs
        outputs = [f"{names.prefix}r{i}" for i in range(_outputs(self.template))]
        result = expression(self.template, iter(outputs), self.parameters.names, names)
        if self.definition is not None:
            pairs = zip(self.definition.parameters, inputs, strict=True)
            moves = [(parameter, value) for parameter, value in pairs if parameter != value]
            if moves:
                targets, values = zip(*moves, strict=True)
                yield f"{', '.join(targets)} = {', '.join(values)}"
            yield PLACEHOLDER
        else:
            call = f"{names.of(self.executable.function)}({', '.join(inputs)})"
            if [result] == outputs:
                yield f"return {call}[0]"
                return
            yield f"{', '.join(outputs)}, = {call}" if outputs else call
        yield f"return {result}"


# -- results ---------------------------------------------------------------------------------------


def _is_plain(template: Template) -> bool:
    match template:
        case Output() | Const() | VariableRef() | ArgumentRef():
            return True
        case ContainerTemplate(keys=keys) if keys is PAIRS or template.is_whole:
            return False
        case ContainerTemplate(serial=None, base=None) if _has_display(template.kind):
            return all(map(_is_plain, template.parts))
    return False


def _has_display(kind: type) -> bool:
    """Whether an expression without loops makes a container."""
    return kind in (dict, list) or issubclass(kind, tuple)


def _outputs(template: Template) -> int:
    """How many outputs of the graph a template takes."""
    match template:
        case Output():
            return 2 if template.optional else 1
        case ContainerTemplate():
            return sum(map(_outputs, template.parts))
    return 0


def expression(
    template: Template, outputs: Iterator[str], parameters: list[str], names: Names
) -> str:
    """A template as Python, which builds the result from the outputs of a graph."""
    match template:
        case Output(optional=False):
            return next(outputs)
        case Output():
            value, is_none = next(outputs), next(outputs)
            return f"(None if {is_none} else {value})"
        case ArgumentRef():
            first, *keys = template.path
            return parameters[first] + "".join(f"[{names.of(key)}]" for key in keys)
        case Const():
            return names.of(template.value)
        case VariableRef():
            return f"{names.of(template.reference)}()"
    assert isinstance(template, ContainerTemplate)
    parts = [expression(part, outputs, parameters, names) for part in template.parts]
    listed = "".join(f"{part}, " for part in parts)
    if template.kind is dict:
        pairs = zip(template.keys, parts, strict=True)
        return "{" + ", ".join(f"{names.of(key)}: {part}" for key, part in pairs) + "}"
    if template.kind is list:
        return f"[{listed}]"
    return f"({listed})" if template.kind is tuple else f"{names.of(template.kind)}({listed})"


# -- inlining --------------------------------------------------------------------------------------


def _fits(definition: Definition, parameters: Parameters, names: Names, template: Template) -> bool:
    """Whether no name of the program hides a name of the generated function, or the reverse."""
    nodes = [node for node in ast.walk(definition.function) if isinstance(node, ast.Name)]
    bound = {node.id for node in nodes if not isinstance(node.ctx, ast.Load)}
    bound |= set(definition.parameters)
    read = {node.id for node in nodes} - bound
    is_ours = any(name.startswith(names.prefix) for name in bound | read)
    hidden = read & set(parameters.names) or bound & set(_arguments(template, parameters.names))
    return not is_ours and not hidden


def _arguments(template, parameters):
    """The parameters that a template returns."""
    if isinstance(template, ArgumentRef):
        yield parameters[template.path[0]]
    for part in template.parts if isinstance(template, ContainerTemplate) else ():
        yield from _arguments(part, parameters)


def _inline(definition: Definition, module: ast.Module, prefix: str) -> None:
    """Replaces the placeholder by the body of a definition, and the outputs by its results.

    The nodes of the definition keep their positions, so that tracebacks name its lines; the others
    get that of its heading.
    """
    heading = {"lineno": definition.function.lineno, "end_lineno": definition.function.lineno}
    for node in ast.walk(module):
        if isinstance(node, (ast.stmt, ast.expr, ast.ExceptHandler, ast.arg)):
            vars(node).update(heading, col_offset=0, end_col_offset=0)
    statements = [node for node in ast.walk(module) if isinstance(node, ast.Try)][-1].body
    *_, placeholder, result = statements
    assert isinstance(placeholder, ast.Expr) and isinstance(result, ast.Return)
    outputs = _Outputs({f"{prefix}r{i}": node for i, node in enumerate(definition.outputs)})
    statements[-2:] = [*definition.body, outputs.visit(result)]


class _Outputs(ast.NodeTransformer):
    """Replaces the names of outputs by their expressions."""

    def __init__(self, outputs: dict[str, ast.expr]):
        self.outputs = outputs

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """The expression of an output; any other name as it is."""
        return self.outputs.get(node.id, node)
