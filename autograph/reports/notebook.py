"""The extension of IPython: shows what becomes of the functions of a cell.

    %load_ext autograph

    %%autograph                     runs the cell, then shows for each function that it defines
    @rt.function                    the generated code, and the graph that was used last
    def f(x): ...
    f(np.ones(3))

    %%autograph f g                 shows these functions alone
    %autograph_code f               prints the generated code of a function

The first line of a cell becomes a call that requests the views; the rest of the cell runs as any
other: with its own lines in tracebacks, its results, and `await`.
"""

import ast
import html
from types import FunctionType
from typing import Any

from IPython.core.error import UsageError
from IPython.display import display

from autograph.conversion.converter import to_code
from autograph.errors import ConversionError

MAGIC = "%%autograph"


class FunctionView:
    """A function in a notebook: its generated code, and the graph that was used last.

    Functions that run as graphs have them in `graphs`, and show them by `_repr_html_`.
    """

    def __init__(self, name: str, function: Any):
        self.name, self.function, self.code = name, function, code_of(function)
        self.graphs = list(getattr(function, "graphs", ()))

    def __repr__(self) -> str:
        parts = [f"# {self.name}: generated code", self.code]
        if self.graphs:
            parts += [f"\n# {self.name}: graph", str(self.graphs[0].optimized)]
        return "\n".join(parts)

    def _repr_html_(self) -> str:
        graph = self.graphs[0]._repr_html_() if self.graphs else ""
        return (
            f"<details open><summary>{html.escape(self.name)}: generated code</summary>"
            f'<pre style="text-align:left">{html.escape(self.code)}</pre></details>{graph}'
        )


def code_of(function: Any) -> str:
    """The generated code of a function; if it cannot be converted, the reason."""
    try:
        return to_code(function)
    except ConversionError as error:
        return str(error)


def defined_names(source: str) -> list[str]:
    """The names that a cell binds outside of its functions, in order; not those of imports."""
    found: list[str] = []
    pending: list[ast.AST] = [ast.parse(source)]
    while pending:
        node = pending.pop(0)
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.append(name)
            case ast.Name(id=name, ctx=ast.Store()):
                found.append(name)
            case ast.ClassDef() | ast.Lambda():
                pass
            case _:
                pending[:0] = ast.iter_child_nodes(node)
    return list(dict.fromkeys(found))


class Extension:
    """The magics of one shell."""

    def __init__(self, shell: Any):
        self.shell = shell
        self.wanted: list[str] | None = None  # by the cell that runs; [] for all of its functions

    def load(self) -> None:
        """Adds the magics to the shell."""
        self.shell.input_transformers_cleanup.append(self.without_magic)
        self.shell.events.register("post_run_cell", self.after_cell)
        self.shell.register_magic_function(self.ask, "line", "autograph_show")
        self.shell.register_magic_function(self.print_code, "line", "autograph_code")

    def unload(self) -> None:
        """Removes the magics from the shell."""
        self.shell.input_transformers_cleanup.remove(self.without_magic)
        self.shell.events.unregister("post_run_cell", self.after_cell)
        for name in ("autograph_show", "autograph_code"):
            del self.shell.magics_manager.magics["line"][name]

    def without_magic(self, lines: list[str]) -> list[str]:
        """The lines of a cell, whose first one requests the views in place of the magic."""
        first, _, names = lines[0].partition(MAGIC) if lines else ("", "", "")
        is_magic = bool(lines) and lines[0].startswith(MAGIC) and not names[:1].strip()
        if first or not is_magic:
            return lines
        call = f"get_ipython().run_line_magic('autograph_show', {names.strip()!r})\n"
        return [call, *lines[1:]]

    def ask(self, line: str) -> None:
        """Shows functions when the cell has run: those that are named, or all that it defines."""
        self.wanted = line.split()

    def after_cell(self, result: Any) -> None:
        """Shows the functions of a cell that has run without an exception."""
        wanted, self.wanted = self.wanted, None
        if wanted is None or not result.success:
            return
        for name in wanted or self.functions_of(result.info.raw_cell):
            display(FunctionView(name, self.value(name)))

    def functions_of(self, cell: str) -> list[str]:
        """The names of the functions that a cell defines."""
        names = defined_names(self.shell.transform_cell(cell))
        found = {name: self.shell.user_ns.get(name) for name in names}
        return [name for name, value in found.items() if is_shown(value)]

    def print_code(self, line: str) -> None:
        """Prints the generated code of a function, which an expression names."""
        if not line.strip():
            raise UsageError("%autograph_code takes a function: %autograph_code f")
        print(code_of(self.value(line.strip())))

    def value(self, expression: str) -> Any:
        """The value of an expression in the namespace of the shell."""
        try:
            return self.shell.ev(expression)
        except NameError as error:
            raise UsageError(str(error)) from None


def is_shown(value: Any) -> bool:
    """Whether a value is a function of Python, or one that runs as graphs."""
    is_staged = callable(value) and hasattr(type(value), "graphs")
    return isinstance(value, FunctionType) or is_staged


_loaded: dict[int, Extension] = {}  # by the identity of the shell


def load_ipython_extension(shell: Any) -> None:
    """Called by `%load_ext autograph`."""
    _loaded[id(shell)] = extension = Extension(shell)
    extension.load()


def unload_ipython_extension(shell: Any) -> None:
    """Called by `%unload_ext autograph`."""
    _loaded.pop(id(shell)).unload()
