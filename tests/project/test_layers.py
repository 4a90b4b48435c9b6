"""The wings of the house: which may import which, and how large a room may grow.

`docs/architecture.md` has the picture.  A wing is a folder of `autograph/` or `runtime/`, or a module
beside the folders.  Imports are read from the source, wherever in a file they are written.
"""

import ast
import functools
import os
import subprocess
import sys
import textwrap
from collections import defaultdict
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from autograph.command import COMMANDS

ROOT = Path(__file__).parents[2]
PACKAGES = ("autograph", "runtime")

# From the bottom up: a wing may import the wings that are named beside it, and nothing else.
TRANSPILER = {
    "autograph.syntax": "",
    "autograph.errors": "syntax",
    "autograph.pipeline": "",
    "autograph.spellings": "",
    "autograph.analyses": "syntax",
    "autograph.backend": "errors",
    "autograph.directives": "backend",
    "autograph.functions": "syntax errors backend",
    "autograph.constructs": "syntax analyses errors backend functions",
    "autograph.operators": "backend functions constructs",
    "autograph.conversion": "syntax analyses errors pipeline functions constructs operators",
    "autograph.reports": "syntax analyses errors backend functions constructs conversion",
    "autograph.staging": "errors backend functions constructs conversion reports",
    "autograph.backends": "errors backend functions constructs conversion staging",
    "autograph.command": "syntax errors pipeline functions conversion reports",
}
GRAPHS = {
    "runtime.ir": "",
    "runtime.ops": "ir",
    "runtime.analyses": "ir",
    "runtime.passes": "ir ops analyses",
    "runtime.engines": "ir ops analyses",
    "runtime.spellings": "",
    "runtime.config": "engines spellings",
    "runtime.errors": "",
    "runtime.tracing": "ir ops errors spellings",
    "runtime.state": "ir errors tracing spellings",
    "runtime.array_api": "",
    "runtime.random": "ir ops errors tracing state function spellings",
    "runtime.staging": "ir ops analyses errors tracing state",
    "runtime.observability": "ir engines config",
    "runtime.function": "ir ops analyses passes engines config errors tracing state staging observability spellings",
    "runtime.transforms": "ir ops analyses errors tracing state staging function spellings",
    "runtime.graph_api": "ir passes engines errors tracing staging function spellings",
    "runtime.saved": "ir ops passes errors tracing state staging function transforms",
    "runtime.export": "ir ops saved analyses passes engines errors tracing staging state function",
    "runtime.frameworks": "ir analyses engines errors tracing staging state function transforms export",
    "runtime.explorer": "ir passes engines function observability",
    "runtime.summary": "ir errors tracing staging function observability",
    "runtime.nn": "random state transforms spellings",
    "runtime.optimizers": "ir state transforms spellings",
}
# The packages' own modules import the wings' public names; the command line imports everything.
ENTRANCES = {"autograph", "autograph.__main__", "runtime", "runtime.public"}

# The two packages meet in `runtime.staging`.  Elsewhere the runtime uses these modules of the
# transpiler: its entry points, its errors, and the driver of its passes.
BRIDGE = "runtime.staging"
SHARED = {
    "autograph",
    "autograph.backend",
    "autograph.backend.completion",
    "autograph.backend.plain_lists",
    "autograph.functions.accidents",
    "autograph.functions.bytecode",
    "autograph.functions.by_value",
    "autograph.functions.code_tables",
    "autograph.functions.frames",
    "autograph.functions.policy",
    "autograph.errors",
    "autograph.pipeline",
    "autograph.spellings",
    "autograph.staging.dunder_methods",
    "autograph.staging.errors",
    "autograph.staging.held_objects",
    "autograph.staging.key_identity",
    "autograph.staging.locate",
    "autograph.staging.memory",
    "autograph.staging.object_state",
    "autograph.staging.pytree",
    "autograph.staging.refusals",
    "autograph.staging.try_blocks",
}

# Imports inside functions, and why they are not at the top of their file.
LATE = {
    ("autograph", "autograph.reports.report"): "conversion does not need reports: start-up time",
    (
        "autograph",
        "autograph.reports.code_lines",
    ): "conversion does not need reports: start-up time",
    ("autograph", "autograph.reports.notebook"): "IPython imports it, by %load_ext",
    ("runtime.engines.native", "runtime.engines.native.program"): "start-up time",
    ("runtime.engines.xla", "runtime.engines.xla.program"): "jax is an extra",
    ("runtime.frameworks.conversion", "runtime.frameworks.jax_function"): "jax is an extra",
    ("runtime.frameworks.conversion", "runtime.frameworks.jax_operation"): "jax is an extra",
    ("runtime.frameworks.conversion", "runtime.frameworks.jax_placement"): "jax is an extra",
    ("runtime.frameworks.conversion", "runtime.frameworks.torch_function"): "torch is an extra",
    ("runtime.export.exporting", "runtime.export.onnx.model"): "onnx is an extra",
    ("runtime.export.onnx.report", "runtime.export.onnx.model"): "onnx is an extra",
    ("runtime.export.exporting", "runtime.export.library.building"): "start-up time",
    ("runtime.summary.writing", "runtime.summary.events"): "tensorboard is an extra",
}

# Packages that the project depends on, and the modules that may import them.
FOREIGN = {
    "gast": "autograph",
    "astunparse": "autograph.syntax.quote",
    "pygments": "autograph.command.outputs",
    "argcomplete": "autograph.command.options",
    "IPython": "autograph.reports.notebook",
    "numpy": ("runtime", "autograph.backends.jax"),
    "jax": ("autograph.backends.jax", "runtime.engines.xla", "runtime.frameworks"),
    "torch": "runtime.frameworks.torch_function",
    "llvmlite": "runtime.engines.native.llvm",
    "onnx": "runtime.export.onnx",
    "tensorboard": "runtime.summary",
    "PIL": "runtime.summary.events",
}


def modules():
    """The modules of both packages, with their files."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
    }


MODULES = modules()
WINGS = {
    name: {f"{name.partition('.')[0]}.{other}" for other in allowed.split()}
    for name, allowed in (TRANSPILER | GRAPHS).items()
}


def wing(module):
    """The wing of a module: its folder, or the module itself if it is beside the folders."""
    return ".".join(module.split(".")[:2])


def is_inside(module, parent):
    """Whether a module is `parent` or a module in it."""
    return module == parent or module.startswith(parent + ".")


@functools.cache
def imports(module):
    """The modules that a module imports, each with whether a function imports it."""
    return tuple(_imports(module))


def _imports(module):
    tree = ast.parse(MODULES[module].read_text())
    late = {
        node
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node in late
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} has a relative import"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield (full if full in MODULES else node.module), node in late


def own_imports(module):
    """The modules of the two packages that a module imports."""
    return {other for other, _ in imports(module) if other in MODULES} - {module}


def test_the_table_of_wings_has_no_circle_and_no_wing_that_is_gone():
    assert tuple(TopologicalSorter(WINGS).static_order())
    assert set(WINGS) | ENTRANCES == {wing(module) for module in MODULES}


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_the_wings_below_its_own(module):
    if module in ENTRANCES:
        return
    package = module.partition(".")[0]
    foreign = {
        other
        for other in own_imports(module)
        if is_inside(other, package) and other != package and wing(other) != wing(module)
    }
    assert not {other for other in foreign if wing(other) not in WINGS[wing(module)]}


@pytest.mark.parametrize("module", [name for name in MODULES if is_inside(name, "runtime")])
def test_only_the_bridge_knows_how_the_transpiler_stages(module):
    if not is_inside(module, BRIDGE):
        known = {other for other in own_imports(module) if is_inside(other, "autograph")}
        assert known <= SHARED


@pytest.mark.parametrize("module", [name for name in MODULES if is_inside(name, "autograph")])
def test_the_transpiler_does_not_know_the_runtime(module):
    assert not {other for other, _ in imports(module) if is_inside(other, "runtime")}


def test_the_page_about_the_architecture_names_every_wing_and_folder_of_tests():
    page = (ROOT / "docs" / "architecture.md").read_text()
    rooms = [name.partition(".")[2] for name in WINGS]
    assert [one for one in rooms if f"`{one}`" not in page and f"`{one}.py`" not in page] == []
    folders = [path.name for path in (ROOT / "tests").iterdir() if path.is_dir()]
    named = [one for one in folders if one[0] not in "_."]
    assert [one for one in named if f"`{one}/`" not in page] == []


def test_no_circle_of_files_crosses_the_border_of_a_wing():
    for circle in circles({module: own_imports(module) for module in MODULES}):
        circle -= ENTRANCES
        assert len({wing(module) for module in circle}) <= 1, sorted(circle)


def circles(graph):
    """The strongly connected components of more than one node (Kosaraju's algorithm)."""
    order, seen = [], set()

    def visit(node):
        pending = [(node, iter(graph[node]))]
        seen.add(node)
        while pending:
            following = next((o for o in pending[-1][1] if o not in seen), None)
            if following is None:
                order.append(pending.pop()[0])
            else:
                seen.add(following)
                pending.append((following, iter(graph[following])))

    for node in graph:
        if node not in seen:
            visit(node)
    backwards = defaultdict(set)
    for node, others in graph.items():
        for other in others:
            backwards[other].add(node)
    found = set()
    for node in reversed(order):
        component, pending = set(), [node]
        while pending:
            current = pending.pop()
            if current not in found:
                found.add(current)
                component.add(current)
                pending += backwards[current]
        if len(component) > 1:
            yield component


def test_circles_are_found():
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}, "f": {"a"}}
    assert sorted(map(sorted, circles(graph))) == [["a", "b", "c"], ["d", "e"]]


def test_every_module_is_imported_by_another():
    used = {other for module in MODULES for other in own_imports(module)}
    named = {"autograph", "runtime", "autograph.__main__", *COMMANDS.values()}
    packages = {name for name, path in MODULES.items() if path.stem == "__init__"}
    assert set(MODULES) - used - named - packages == set()


@pytest.mark.parametrize("module", MODULES)
def test_an_import_inside_a_function_has_a_reason(module):
    late = {(module, other) for other, is_late in imports(module) if is_late and other in MODULES}
    assert late <= set(LATE)


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_packages_that_the_project_depends_on(module):
    for other, _ in imports(module):
        package = other.partition(".")[0]
        if package not in PACKAGES and package not in sys.stdlib_module_names:
            assert package in FOREIGN, package
            allowed = FOREIGN[package]
            allowed = (allowed,) if isinstance(allowed, str) else allowed
            assert any(is_inside(module, one) for one in allowed), package


def test_importing_the_transpiler_does_not_import_numpy():
    code = "import autograph, sys; sys.exit(any(x in sys.modules for x in ('numpy', 'jax', 'runtime')))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


def import_alone(names):
    """The modules that cannot be imported first, by an interpreter that has only NumPy and gast.

    Each module is imported by a forked process, which costs a fraction of a new interpreter.
    """
    program = f"""
        import os, numpy, gast, astunparse, importlib
        for name in {names!r}:
            child = os.fork()
            if child:
                if os.waitpid(child, 0)[1]:
                    print(name)
                continue
            status = 1
            try:
                importlib.import_module(name)
                status = 0
            except ModuleNotFoundError as error:  # of an extra
                status = error.name.split(".")[0] in ("autograph", "runtime")
            finally:
                os._exit(status)
    """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="imports are tried in forked processes")
def test_each_package_can_be_imported_first():
    packages = [name for name, path in MODULES.items() if path.stem == "__init__"]
    assert len(packages) > 30
    assert import_alone(packages) == []


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(os, "fork"), reason="imports are tried in forked processes")
def test_each_module_can_be_imported_first():
    assert import_alone([name for name in MODULES if not name.endswith("__main__")]) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_at_most_five_modules_are_beside_the_wings(package):
    beside = [path for path in (ROOT / package).glob("*.py") if not path.stem.startswith("__")]
    assert len(beside) <= 5


@pytest.mark.parametrize("module", MODULES)
def test_a_module_is_no_room_for_everything(module):
    lines = MODULES[module].read_text().count("\n")
    assert lines <= 410, f"{module} has {lines} lines: split it"
