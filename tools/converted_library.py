"""Runs tests of the standard library over copies of modules, converted or as they are.

    python tools/converted_library.py '{"modules": ["heapq"], "tests": ["test.test_heapq"], ...}'

Each module is loaded again from a copy of its file: its functions count as the user's.  With
`convert`, every function is replaced where it is defined, below its own decorators:

    @property                        @property
    def mode(self): ...       ->     @__convert__
                                     def mode(self): ...
    key = lambda x: -x               key = __convert__(lambda x: -x)

so properties, caches, registries and classes hold the converted one and nothing else.  Inner
functions are converted with the function that contains them.  The copies keep the names of the
modules, and the import system makes another one whenever a test wants a fresh module; modules that
were imported before, such as `autograph`, keep the originals.

Events are written to a file, one JSON object a line: `{"test": ..., "outcome": ...}` and
`{"function": ..., "size": ..., ...}`.  `conformance.py` starts this and reads the file.
"""

import ast
import builtins
import importlib
import importlib.machinery
import importlib.util
import json
import re
import sys
import traceback
import typing  # noqa: F401  (before collections is copied: it asks the original for its parts)
import unittest
from pathlib import Path

sys.path[0] = str(Path(__file__).parent.parent)

import autograph  # noqa: E402
from autograph.constructs.context import FUNCTIONS  # noqa: E402
from autograph.conversion.converter import converted_definition, gast  # noqa: E402
from autograph.conversion.passes import PIPELINE  # noqa: E402
from autograph.functions.origin import origin  # noqa: E402
from autograph.pipeline import upto  # noqa: E402
from autograph.syntax.walk import walk  # noqa: E402

CONVERT = "__convert__"


class Record:
    """A file of JSON lines, complete at any time."""

    def __init__(self, path):
        self.file = open(path, "w", encoding="utf-8")  # noqa: SIM115 (open until the end)
        self.dumps = json.JSONEncoder().encode  # of the original module

    def __call__(self, **entry):
        self.file.write(self.dumps(entry) + "\n")
        self.file.flush()


# -- converting ------------------------------------------------------------------------------------


class Conversions:
    """Converts functions, and records the result of each conversion."""

    def __init__(self, record):
        self.record = record
        self.noted = set()

    def __call__(self, function):
        """The converted function; one that is refused stays, so that the tests go on."""
        try:
            converted, refused = autograph.to_graph(function), None
        except Exception as error:
            converted, refused = function, f"{type(error).__name__}: {error}"
        code = function.__code__
        key = code.co_filename, code.co_firstlineno, code.co_qualname, tuple(code.co_lines())
        if key not in self.noted:
            self.noted.add(key)
            self.note(function, converted is not function, refused)
        return converted

    def note(self, function, changed, refused):
        name = f"{function.__module__}.{function.__qualname__}"
        size, kept = (1, {}) if refused else functions_within(function)
        self.record(function=name, size=size, kept=kept, changed=changed, refused=refused)


def functions_within(function) -> tuple[int, dict[str, str]]:
    """How many functions a definition holds, itself included, and which stay Python and why."""
    before = upto(PIPELINE, "unconvertible")
    tree, conversion = converted_definition(origin(function), function, True, before)
    kept = {
        f"{function.__module__}.{shown(part)} (line {part.lineno})": conversion.unconverted[whole]
        for whole in functions_in(tree)
        if whole in conversion.unconverted
        for part in functions_in(whole)
    }
    return len(functions_in(tree)), kept


def functions_in(tree):
    return [node for node in walk(tree) if isinstance(node, (*FUNCTIONS, gast.Lambda))]


def shown(node):
    return getattr(node, "name", "<lambda>")


class AtDefinition(ast.NodeTransformer):
    """Calls `__convert__` on every function that is not inside another one."""

    def visit_FunctionDef(self, node):
        node.decorator_list = [self.visit(decorator) for decorator in node.decorator_list]
        node.args = self.visit(node.args)
        node.decorator_list.append(ast.copy_location(ast.Name(CONVERT, ast.Load()), node))
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node):
        name = ast.Name(CONVERT, ast.Load())
        return ast.fix_missing_locations(ast.copy_location(ast.Call(name, [node], []), node))


# -- copies of modules -----------------------------------------------------------------------------


class CopyLoader(importlib.machinery.SourceFileLoader):
    """Loads a module from its copy, each time from the text."""

    convert = False

    def get_code(self, fullname):
        return self.source_to_code(self.get_data(self.path), self.path)

    def source_to_code(self, data, path, *, _optimize=-1):
        tree = ast.parse(data, path)
        if self.convert:
            tree = AtDefinition().visit(tree)
        return compile(tree, path, "exec", dont_inherit=True, optimize=_optimize)


class ConvertedLoader(CopyLoader):
    """Loads a module from its copy, with its functions converted."""

    convert = True


class CopyFinder:
    """Finds modules of the library in copies of their files in a folder."""

    def __init__(self, names, folder, loader):
        self.names = names
        self.folder = Path(folder)
        self.loader = loader

    def find_spec(self, name, path=None, target=None):
        if name not in self.names:
            return None
        original = importlib.machinery.PathFinder.find_spec(name, path)
        copy = self.folder / Path(*name.split(".")) / Path(original.origin).name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(Path(original.origin).read_bytes())
        return importlib.util.spec_from_file_location(
            name,
            copy,
            loader=self.loader(name, str(copy)),
            submodule_search_locations=original.submodule_search_locations,
        )


def import_copies(names, finder):
    """Imports modules again through `finder`."""
    sys.meta_path.insert(0, finder)
    for name in names:
        sys.modules.pop(name, None)
    for name in names:
        importlib.import_module(name)


# -- tests -----------------------------------------------------------------------------------------


class Outcomes(unittest.TestResult):
    """Notes the outcome of every test in a record."""

    def __init__(self, record):
        super().__init__()
        self.record = record

    def startTest(self, test):
        super().startTest(test)
        self.ok = True
        self.record(test=test.id(), outcome="started")

    def addSuccess(self, test):
        if self.ok:
            self.record(test=test.id(), outcome="passed")

    def addExpectedFailure(self, test, err):
        self.record(test=test.id(), outcome="passed")

    def addSkip(self, test, reason):
        self.record(test=test.id(), outcome="skipped", text=str(reason))

    def addUnexpectedSuccess(self, test):
        self.record(test=test.id(), outcome="failed", text="unexpected success")

    def addFailure(self, test, err):
        self.ok = False
        text = "".join(traceback.format_exception(*err))
        self.record(test=test.id(), outcome="failed", text=text)

    addError = addFailure

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.addFailure(test, err)


def tests_of(suite, left_out):
    """The suite without the tests whose names match `left_out`."""
    if not isinstance(suite, unittest.TestSuite):
        return suite
    kept = [
        tests_of(part, left_out)
        for part in suite
        if isinstance(part, unittest.TestSuite) or not re.search(left_out, part.id())
    ]
    return type(suite)(kept)


def main(plan):
    """Runs a plan: `modules`, `tests`, `left_out`, `convert`, `folder`, `output`."""
    record = Record(plan["output"])
    conversions = Conversions(record)
    setattr(builtins, CONVERT, conversions)
    functions_within(shown)
    autograph.to_graph(tests_of)  # imports now the modules that are imported on demand
    loader = ConvertedLoader if plan["convert"] else CopyLoader
    import_copies(plan["modules"], CopyFinder(plan["modules"], plan["folder"], loader))
    from test import support

    support.use_resources = []
    support.verbose = False
    suite = unittest.TestLoader().loadTestsFromNames(plan["tests"])
    if plan["left_out"]:
        suite = tests_of(suite, plan["left_out"])
    suite.run(Outcomes(record))
    record(finished=True)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
