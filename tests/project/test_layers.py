"""Which module may import what: arrows point one way (see docs/architecture.md)."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STANDARD = sys.stdlib_module_names

# The bridge, and what the runtime uses of the transpiler elsewhere: its entry points, its errors,
# the driver of its passes, and the switch that says whether something is being staged.
BRIDGE = "runtime.staging"
SHARED = {
    "autograph",
    "autograph.errors",
    "autograph.pipeline",
    "autograph.conversion.policy",
    "autograph.reports.diagnosis",
    "autograph.backend.staging",
}


def modules(package):
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted((ROOT / package).rglob("*.py"))
    }


ALL = modules("autograph") | modules("runtime")


def imports(path):
    """The modules and names that a file imports, wherever in the file it does so."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in ALL or full in SHARED else node.module


def top(name):
    return name.partition(".")[0]


@pytest.mark.parametrize("name", modules("autograph"))
def test_the_transpiler_imports_gast_and_the_standard_library_only(name):
    allowed = {"autograph", "gast"}
    if name == "autograph.syntax.quote":
        allowed.add("astunparse")
    if name == "autograph.__main__":
        allowed.add("pygments")
    foreign = {other for other in imports(ALL[name]) if top(other) not in STANDARD | allowed}
    assert not foreign


@pytest.mark.parametrize("name", modules("runtime"))
def test_the_runtime_imports_numpy_and_the_transpiler_only(name):
    allowed = {"autograph", "runtime", "numpy"}
    assert not {other for other in imports(ALL[name]) if top(other) not in STANDARD | allowed}


@pytest.mark.parametrize("name", modules("runtime"))
def test_only_the_bridge_knows_how_the_transpiler_stages(name):
    if name.startswith(BRIDGE):
        return
    assert {other for other in imports(ALL[name]) if top(other) == "autograph"} <= SHARED


@pytest.mark.parametrize("name", [n for n in ALL if n.startswith("autograph.analyses")])
def test_facts_do_not_know_the_constructs(name):
    known = {other for other in imports(ALL[name]) if top(other) == "autograph"}
    assert all(other.startswith("autograph.analyses") or other == "autograph" for other in known)


@pytest.mark.parametrize("name", [n for n in ALL if n.startswith("runtime.ops")])
def test_a_record_of_an_op_knows_no_engine_and_no_trace(name):
    known = {other for other in imports(ALL[name]) if top(other) == "runtime"}
    assert all(
        other.startswith(
            (
                "runtime.op",
                "runtime.types",
                "runtime.ir",
                "runtime.ir.pytree",
                "runtime.ir.derivative",
            )
        )
        for other in known
    )


@pytest.mark.parametrize("name", [n for n in ALL if n.startswith("runtime.engines")])
def test_an_engine_takes_a_graph_and_knows_nothing_of_how_it_was_made(name):
    allowed = ("runtime.engines", "runtime.ir", "runtime.ops", "runtime.analyses")
    known = {other for other in imports(ALL[name]) if top(other) == "runtime"}
    assert all(other.startswith(allowed) for other in known)


def test_importing_the_transpiler_does_not_import_numpy(tmp_path):
    import subprocess

    code = "import autograph, sys; sys.exit('numpy' in sys.modules or 'runtime' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


@pytest.mark.parametrize("name", ALL)
def test_a_module_is_no_room_for_everything(name):
    lines = ALL[name].read_text().count("\n")
    assert lines <= 410, f"{name} has {lines} lines: split it"
