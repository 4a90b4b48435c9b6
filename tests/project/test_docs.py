"""The examples in README, docs, samples and docstrings run, and print the documented output."""

import doctest
import importlib
import inspect
import linecache
import os
import pkgutil
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from document_blocks import BLOCK

import autograph
import runtime

ROOT = Path(__file__).parents[2]
SAMPLES = sorted((ROOT / "samples").glob("*.py"))
OPTIONAL = [path for path in SAMPLES if path.stem.startswith(("jax_", "tensorboard_"))]
PICTURES = [path for path in SAMPLES if "--picture" in path.read_text()]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]


# The packages of extras that `make demo` does not install; None in `sys.modules` hides a package.
HIDDEN = ("jax", "jaxlib", "tensorboard", "onnx", "onnxruntime", "scipy", "matplotlib")
WITHOUT = (
    "import runpy, sys; sys.modules.update(dict.fromkeys({}))\n"
    "runpy.run_path({!r}, None, '__main__')"
)


@pytest.mark.sampled(20)
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_prints_the_expected_output(path, bless):
    """With the packages that `make demo` installs; samples of extras need theirs."""
    if path.stem.endswith("_in_c") and shutil.which("cc") is None:
        pytest.skip("there is no C compiler (cc)")
    if path in OPTIONAL:
        package = path.stem.partition("_")[0]
        pytest.importorskip(package, reason=f"{package} is not installed")
    hidden = () if path in OPTIONAL else HIDDEN
    printed = run_sample("-c", WITHOUT.format(hidden, str(path)))
    expected = ROOT / "tests" / "samples" / f"{path.stem}.txt"
    if bless:
        expected.write_text(printed)
    assert printed == expected.read_text()


@pytest.mark.parametrize("path", OPTIONAL, ids=lambda path: path.stem)
def test_a_sample_of_an_extra_says_how_to_install_it(path):
    assert run_sample("-c", WITHOUT.format(HIDDEN, str(path))).strip()


@pytest.mark.thorough
@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_a_sample_draws_its_picture(path, tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    run_sample(str(path), "--picture", str(tmp_path / "picture.png"))
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def run_sample(*words):
    # One thread for products: others of these tests have the other cores.
    settings = {"OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "agg", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | settings,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_code_of_a_page_runs_and_prints_the_shown_output(path, tmp_path, bless):
    """A `python` block runs, and the `text` block after it is its output.

    A `console` block holds commands, which start with `$`, and their output.
    """
    (tmp_path / "samples").symlink_to(ROOT / "samples")

    def renewed(match):
        if match["kind"] == "console":
            return f"```console\n{commands(match['code'], tmp_path)}```"
        printed = run(tmp_path, "example.py", source=match["code"])
        shown = f"\n\n```text\n{printed}```" if match["printed"] is not None else ""
        assert shown or not printed, f"the page does not say what this prints:\n{match['code']}"
        return f"```python\n{match['code']}```{shown}"

    written = path.read_text()
    made = BLOCK.sub(renewed, written)
    if bless:
        path.write_text(made)
    assert made == path.read_text()


def commands(text, folder):
    """Commands with the output that they have now; `make` is what runs the suite itself."""
    lines = []
    for command, printed in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE):
        program, *words = command.split()
        if program == "autograph":
            printed = run(folder, "-m", "autograph", *words)
        lines.append(f"$ {command}\n{printed}")
    return "".join(lines)


def run(folder, *words, source=None):
    if source is not None:
        (folder / words[0]).write_text(source)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, cwd=folder, env=environment
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.replace(f"{folder}/", "")  # messages have the whole path of a file


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_files_that_a_page_names_exist(path):
    known = [f"/{found.relative_to(ROOT)}" for found in ROOT.rglob("*.py")]
    named = re.findall(r"`([\w/]+/\w+\.py)`", path.read_text())
    invented = {"autograph/constructs/power.py", "runtime/passes/double_negation.py"}
    invented |= {"tests/cases/passes/double_negation.py"}
    missing = [name for name in named if not any(file.endswith(f"/{name}") for file in known)]
    assert set(missing) <= invented


def test_the_picture_of_a_graph_is_current(bless, capsys):
    sample = runpy.run_path(str(ROOT / "samples" / "collatz.py"))
    drawn = sample["staged"].get_concrete_function(np.int64(27)).graph.to_svg()
    picture = ROOT / "docs" / "graph.svg"
    if bless:
        picture.write_text(drawn)
    assert picture.read_text() == drawn


def test_the_gallery_names_every_sample():
    gallery = (ROOT / "docs" / "gallery.md").read_text()
    assert [path.stem for path in SAMPLES if f"`{path.stem}`" not in gallery] == []
    notebooks = (ROOT / "samples" / "notebooks").glob("*.ipynb")
    assert [path.name for path in notebooks if f"`notebooks/{path.name}`" not in gallery] == []


INVENTED = {"rt.jit"}  # names that a page shows to be refused


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_names_that_a_page_writes_exist(path):
    """`rt.nn.Dense` in the text or in a program of a page is a name of the library."""
    missing = set()
    for found in re.findall(r"(?<![\w./])(?:rt|autograph)(?:\.[A-Za-z]\w*)+", path.read_text()):
        first, *names = found.split(".")
        place = runtime if first == "rt" else autograph
        for name in names:
            if not (inspect.ismodule(place) or inspect.isclass(place)):
                break  # an attribute of an object, such as a function
            if name.startswith("_") or name == "py":
                break
            place = getattr(place, name, None)
            if place is None:
                missing.add(found)
                break
    assert missing <= INVENTED


def modules():
    for package in (autograph, runtime):
        yield package.__name__
        for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if not found.name.endswith("__main__"):
                yield found.name


@pytest.mark.parametrize("name", list(modules()))
def test_the_examples_of_a_module_are_right(name):
    if name == "runtime.frameworks.torch_function":
        pytest.importorskip("torch")
    module = importlib.import_module(name)
    linecache.cache.pop("model.py", None)  # a test may have had a file of this name
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("package", [autograph, runtime], ids=lambda package: package.__name__)
def test_every_public_name_has_a_docstring(package):
    for name in package.__all__:
        assert getattr(package, name).__doc__, name


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text().splitlines()) < 250


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_links_of_a_page_to_files_lead_somewhere(path):
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", path.read_text())
    files = [link for link in links if "://" not in link]
    assert [link for link in files if not (path.parent / link).exists()] == []


def test_the_readme_names_the_two_commands_first():
    first = (ROOT / "README.md").read_text()[:1200]
    assert "make demo" in first and "make test" in first
