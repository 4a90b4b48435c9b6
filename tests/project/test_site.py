"""`make docs`: the pages and the reference are built without a warning, and need no other site."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import autograph
import runtime as rt

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    for package in ("sphinx", "myst_parser", "furo"):
        pytest.importorskip(package, reason=f"{package} is not installed: pip install '.[docs]'")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet"]
        + [ROOT / "docs", folder],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
def test_every_public_name_is_in_the_reference(site):
    reference = (site / "api" / "autograph.html").read_text()
    reference += (site / "api" / "runtime.html").read_text()
    modules = {name for name in rt.__all__ if type(getattr(rt, name)).__name__ == "module"}
    names = {f"runtime.{name}" for name in set(rt.__all__) - modules}
    names |= {f"autograph.{name}" for name in autograph.__all__}
    assert {name for name in names if f'id="{name}"' not in reference} == set()


@pytest.mark.slow
def test_every_public_module_is_in_the_reference(site):
    reference = "".join(page.read_text() for page in (site / "api").glob("*.html"))
    modules = [name for name in rt.__all__ if type(getattr(rt, name)).__name__ == "module"]
    assert [name for name in modules if f'id="module-runtime.{name}"' not in reference] == []
    assert "runtime.saved.from_bytes" in reference


@pytest.mark.slow
def test_every_page_is_in_the_contents(site):
    contents = (site / "index.html").read_text()
    pages = {path.stem for path in (ROOT / "docs").glob("*.md")} - {"index"}
    assert {page for page in pages if f'href="{page}.html"' not in contents} == set()


@pytest.mark.slow
def test_a_page_loads_nothing_from_other_sites(site):
    for page in site.rglob("*.html"):
        loaded = re.findall(
            r"<(?:script|link|img)[^>]*(?:src|href)=.(?:https?:)?//[^>]*>", page.read_text()
        )
        assert loaded == [], page.name
