"""Type checkers see the signatures of decorated and transformed functions, as a user's program
(`typed_program.py`) shows.  Checkers that are not installed are skipped."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = Path(__file__).with_name("typed_program.py")
TIME = 300  # seconds, for a machine that is busy


def executable(*names):
    """The first of some programs that is installed beside Python; skips the test without one."""
    for name in names:
        found = shutil.which(name, path=os.path.dirname(sys.executable))
        if found is not None:
            return found
    pytest.skip(f"{' or '.join(names)} is not installed: pip install -e '.[check]'")


def plain(shown):
    """A type as both checkers show it: without modules, and without the values of defaults."""
    shown = re.sub(r"(builtins|runtime(\.\w+)+|typed_program)\.", "", shown)
    shown = re.sub(r"\[\[(.*?)\], ", r"[(\1), ", shown)  # mypy's brackets around parameters
    return re.sub(r" =[^,)]*", " = ...", shown)


def found_by_mypy(folder):
    command = [executable("mypy"), "--strict", "--follow-imports=silent"]
    command += [
        "--ignore-missing-imports",
        "--cache-dir",
        str(folder),
        "--config-file=",
        str(PROGRAM),
    ]
    environment = os.environ | {"MYPYPATH": str(ROOT)}
    ran = subprocess.run(
        command, capture_output=True, text=True, env=environment, cwd=folder, timeout=TIME
    )
    pattern = re.compile(r"typed_program\.py:(\d+): (error|note): (.*)")
    for line in ran.stdout.splitlines():
        found = pattern.search(line)
        if found:
            yield int(found[1]), found[2] == "error", found[3]


def found_by_pyright(folder):
    shutil.copy(PROGRAM, folder)
    settings = {
        "include": [PROGRAM.name],
        "typeCheckingMode": "standard",
        "extraPaths": [str(ROOT)],
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [
        executable("pyright", "basedpyright"),
        "--outputjson",
        "--pythonpath",
        sys.executable,
    ]
    ran = subprocess.run(
        [*command, "-p", str(folder)], capture_output=True, text=True, cwd=folder, timeout=TIME
    )
    for one in json.loads(ran.stdout)["generalDiagnostics"]:
        yield one["range"]["start"]["line"] + 1, one["severity"] == "error", one["message"]


@pytest.mark.slow
@pytest.mark.parametrize("checker", [found_by_mypy, found_by_pyright])
def test_a_type_checker_sees_signatures(checker, tmp_path):
    lines = list(enumerate(PROGRAM.read_text().splitlines(), 1))
    revealed, errors = {}, {}
    for line, is_error, message in checker(tmp_path):
        shown = re.match(r'(?:Revealed type|Type of ".*") is "(.*)"', message)
        if shown:
            revealed[line] = plain(shown[1])
        elif is_error:
            errors.setdefault(line, message)
    expected = {n: text.split("# reveals: ")[1] for n, text in lines if ")  # reveals: " in text}
    assert len(expected) > 30
    assert revealed == expected
    assert errors.keys() == {n for n, text in lines if text.endswith("  # error")}, errors


@pytest.mark.slow
def test_every_public_name_has_known_types(tmp_path):
    """For pyright in its strict mode, as for mypy in that of `make check`."""
    shutil.copy(ROOT / "tests" / "public_surface.py", tmp_path)
    settings = {"typeCheckingMode": "strict", "extraPaths": [str(ROOT)]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [executable("pyright", "basedpyright"), "--outputjson", "-p", str(tmp_path)]
    ran = subprocess.run(
        [*command, "--pythonpath", sys.executable], capture_output=True, text=True, timeout=TIME
    )
    found = json.loads(ran.stdout)
    assert found["summary"]["filesAnalyzed"] == 1
    assert found["generalDiagnostics"] == []
