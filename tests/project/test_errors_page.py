"""docs/errors.md and its pages: every kind of error has a code, a program that raises it, and one that works."""

import pytest

import runtime as rt
from autograph.errors import Explained
from runtime.staging.loop_trials import FirstIterationDiffers, NotKept
from tests.support.loading import load
from tools.errors_page import FOLDER, NAMES, PAGE, kinds, pages, programs

KINDS = kinds()
# Their subclasses have examples.
WITHOUT_EXAMPLE = {rt.errors.StagingError}


def test_the_pages_are_current():
    written = {path: path.read_text() for path in (PAGE, *FOLDER.glob("*.md"))}
    found = pages()
    assert set(written) == set(found), "run: python tools/errors_page.py"
    changed = [path.name for path, text in found.items() if written[path] != text]
    assert changed == [], "run: python tools/errors_page.py"


def test_codes_are_different():
    codes = [kind.code for kind in KINDS]
    assert len(set(codes)) == len(codes)


def test_every_kind_is_in_rt_errors():
    def below(kind):
        return {kind}.union(*map(below, kind.__subclasses__()))

    own = {
        kind for kind in below(Explained) if kind.__module__.startswith(("autograph", "runtime"))
    }
    assert own - {Explained, NotKept, FirstIterationDiffers} == set(KINDS)  # two that no user sees


@pytest.mark.parametrize("kind", [k for k in KINDS if k not in WITHOUT_EXAMPLE])
def test_the_first_program_is_refused_and_the_second_one_works(kind):
    found = programs(kind)
    with pytest.raises(kind) as error:
        load(found["Refused"], f"refused_{kind.code}.py", **NAMES)
    assert type(error.value) is kind
    assert str(error.value).endswith(f"[{kind.code}]")
    load(found["Works"], f"works_{kind.code}.py", **NAMES)
