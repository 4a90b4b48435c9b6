"""Golden cases: Python files that hold a program and the output of the tools for it.

    \"\"\"What the case shows.\"\"\"

    def f(x): ...

    INPUTS = [(1,), (-1,)]                  # the function is called with each of these ...
    STAGED = [(np.int64(1),)]               # ... and traced with each of these

    # == generated ==
    (the converted function)

`make bless` rewrites a section; otherwise it is compared.  The sections are

    after PASS      the tree after a pass of the transpiler, as text
    generated       the result of the last pass
    graph           the traced graph of the first of STAGED
    diff PASS       what a pass of the runtime changes in it, after those before it
                    (`diff PASS alone`: without those; `diff`: what all of them change)
    program         the generated NumPy program
    error           the message with which converting or tracing fails
    output          what running prints and returns, for each input

A file without sections gets all sections that apply.  Only the part above them is executed.
"""

import contextlib
import difflib
import io
import linecache
import re
import types
from dataclasses import dataclass
from pathlib import Path

import autograph
import runtime as rt
import runtime.ops  # noqa: F401  (the rules of passes name ops, which it registers)
from autograph.conversion.converter import converted_definition
from autograph.functions.origin import origin
from autograph.syntax import quote
from runtime import passes
from runtime.ir.graph import copy

CASES = Path(__file__).parents[1] / "cases"
HEADING = re.compile(r"^# == (.+) ==$", re.MULTILINE)


@dataclass
class Case:
    """A golden case, as the file has it."""

    path: Path
    source: str
    sections: dict[str, str]

    @classmethod
    def read(cls, path: Path) -> "Case":
        """Reads a file."""
        source, *rest = HEADING.split(path.read_text())
        return cls(
            path, source, dict(zip(rest[::2], (t.strip("\n") for t in rest[1::2]), strict=True))
        )

    def write(self):
        """Writes the file."""
        texts = [self.source.rstrip("\n") + "\n"]
        texts += [f"\n# == {name} ==\n\n{text}\n" for name, text in self.sections.items()]
        self.path.write_text("\n".join(texts))

    def load(self) -> types.ModuleType:
        """The program, executed as a module."""
        name = self.path.name
        linecache.cache[name] = len(self.source), None, self.source.splitlines(True), name
        module = types.ModuleType(self.path.stem)
        module.__file__ = name
        exec(compile(self.source, name, "exec"), module.__dict__)
        return module

    def made(self) -> dict[str, str]:
        """The sections that the tools produce now."""
        module = self.load()
        names = list(self.sections) or _possible(module)
        return {name: _section(name, module).strip("\n") for name in names}


def _possible(module):
    return ["generated", "graph", "program"] if hasattr(module, "STAGED") else ["generated"]


def _section(name, module):
    kind, _, which = name.partition(" ")
    match kind:
        case "generated":
            return autograph.to_code(module.f)
        case "after":
            return _after(module.f, which)
        case "graph":
            return str(_concrete(module).graph)
        case "diff":
            return _diff(_concrete(module).graph, which)
        case "program":
            return _concrete(module).source
        case "error":
            return _error(module)
        case "output":
            return _output(module)
    raise ValueError(f"there is no section called {name!r}")


def _after(fn, name):
    texts = {}
    converted_definition(
        origin(fn), fn, True, after=lambda step, tree: texts.update({step: quote.source(tree)})
    )
    return texts[name]


def _concrete(module):
    """The concrete function; the program is that of the NumPy engine, whatever engine the tests
    choose."""
    return rt.function(module.f, engine="numpy").get_concrete_function(*module.STAGED[0])


def _diff(graph, which):
    """The changes by a pass: in the pipeline, or `alone`; without a name, by all passes."""
    name, _, alone = which.partition(" ")
    if alone:
        (step,) = (one for one in passes.PIPELINE if one.name == name)
        return _difference(str(graph), str(passes.optimized(copy(graph), (step,))))
    states = [("", str(graph))]
    passes.optimized(copy(graph), after=lambda step, result: states.append((step, str(result))))
    names = [step for step, _ in states]
    last = names.index(name) if name else len(names) - 1
    return _difference(states[last - 1 if name else 0][1], states[last][1])


def _difference(before, after):
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=1)
    return "\n".join(list(lines)[2:])


def _error(module):
    try:
        fn = rt.function(module.f)
        for given in getattr(module, "STAGED", [()]):
            fn(*given)
    except Exception as error:
        return "\n".join(f"# {line}".rstrip() for line in _described(error).splitlines())
    raise AssertionError(f"{module.__name__} raises nothing")


def _output(module):
    lines = []
    for given in [*getattr(module, "INPUTS", ()), *getattr(module, "STAGED", ())]:
        run = autograph.to_graph(module.f) if given in module.INPUTS else rt.function(module.f)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            try:
                result = repr(run(*given))
            except Exception as error:
                result = _described(error)
        lines += [f"f{given!r}", *printed.getvalue().splitlines(), f"-> {result}"]
    return "\n".join(f"# {line}".rstrip() for line in lines)


def _described(error):
    return f"{type(error).__name__}: {error}"
