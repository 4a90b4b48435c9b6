"""The distribution: a wheel is built, installed into clean environments, and used from there."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
from document_blocks import BLOCK

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
# Extras for people who change the project; all others are for those who use it.
OWN = {"bench", "test", "check", "dist", "docs", "fuzz", "servers"}
SECONDS = 400  # an extra may be gigabytes, such as PyTorch with its libraries for GPUs
USERS = sorted(set(PROJECT["optional-dependencies"]) - OWN)


def done(*words, **options):
    hidden = {"PYTHONPATH", "PYTHONDONTWRITEBYTECODE"}
    environment = {key: value for key, value in os.environ.items() if key not in hidden}
    environment |= options.pop("environment", {})
    finished = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, env=environment, **options
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def built(target, folder):
    """The distribution of a kind, "wheel" or "sdist", which is built in a folder."""
    pytest.importorskip("hatchling", reason="hatchling is not installed")
    done(sys.executable, "-m", "hatchling", "build", "-t", target, "-d", folder, cwd=ROOT)
    (made,) = folder.glob("autograph_numpy*")
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return built("wheel", tmp_path_factory.mktemp("dist"))


def check_use(python, folder, **options):
    """Runs the programs of the README, and the command line, with the installed packages."""
    readme = (ROOT / "README.md").read_text()
    for block in BLOCK.finditer(readme):
        if block["kind"] == "python":
            (folder / "example.py").write_text(block["code"])
            printed = done(python, "example.py", cwd=folder, **options)
            assert printed == block["printed"], block["code"]
    shutil.copytree(ROOT / "samples", folder / "samples", dirs_exist_ok=True)
    commands = re.findall(r"^\$ (autograph .*)\n((?:(?!\$ |```).*\n)*)", readme, re.MULTILINE)
    assert commands
    for command, printed in commands:
        words = python, "-m", *command.split()
        assert done(*words, cwd=folder, **options) == printed
    assert "examples:" in done(python, "-m", "autograph", "--help", cwd=folder, **options)


@pytest.mark.slow
def test_the_wheel_holds_both_packages_and_the_man_page_and_nothing_else(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    (page,) = [name for name in names if ".data/" in name]
    assert page.endswith(".data/data/share/man/man1/autograph.1")
    packages = {name for name in names if ".dist-info/" not in name} - {page}
    files = [path for one in ("autograph", "runtime") for path in (ROOT / one).rglob("*.*")]
    kept = {str(path.relative_to(ROOT)) for path in files if path.suffix != ".pyc"}
    assert packages == kept
    assert {"autograph/py.typed", "runtime/py.typed"} <= packages


@pytest.mark.slow
def test_the_metadata_of_the_wheel_are_complete(wheel):
    archive = zipfile.ZipFile(wheel)
    (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
    metadata = Parser().parsestr(archive.read(name).decode())
    assert metadata["Name"] == "autograph-numpy"
    assert metadata["Version"] == "0.1.0"
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["License-Expression"] == "MIT"
    assert "Programming Language :: Python :: 3.13" in metadata.get_all("Classifier")
    assert set(metadata.get_all("Provides-Extra")) == set(PROJECT["optional-dependencies"])
    assert metadata.get_payload().startswith("# AutoGraph for NumPy")


@pytest.mark.slow
def test_the_readme_and_the_command_line_work_from_the_wheel(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    environment = {"PYTHONPATH": str(tmp_path / "site")}
    code = "import autograph, runtime; print(autograph.__file__, runtime.__file__)"
    found = done(sys.executable, "-c", code, environment=environment, cwd=tmp_path)
    assert all(Path(file).is_relative_to(tmp_path / "site") for file in found.split())
    check_use(sys.executable, tmp_path, environment=environment)


def pythons():
    """The interpreters on this machine that the distribution is for."""
    found = {}
    folders = os.environ.get("PATH", "").split(os.pathsep)
    folders += map(str, Path.home().glob(".pyenv/versions/*/bin"))
    for minor in (11, 12, 13):
        name = f"python3.{minor}"
        for folder in folders:
            path = Path(folder) / name
            code = "import sys, venv, ensurepip; print(sys.version_info[1])"
            if path.exists() and _answers(path, code, str(minor)):
                found[name] = path
                break
    return found


def _answers(path, code, wanted):
    answer = subprocess.run([path, "-c", code], capture_output=True, text=True)
    return answer.returncode == 0 and answer.stdout.strip() == wanted


def check_installed(python, requirement, folder):
    """Installs a distribution into a new environment, uses it there, and removes the environment."""
    environment = folder / "environment"
    inside = environment / "bin" / "python"
    quiet = "--quiet", "--disable-pip-version-check"
    try:
        done(python, "-m", "venv", environment)
        try:
            done(inside, "-m", "pip", "install", *quiet, requirement, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            pytest.skip(f"{requirement} was not installed after {SECONDS} seconds")
        done(inside, "-m", "pip", "check", "--disable-pip-version-check")
        version = done(environment / "bin" / "autograph", "--version")
        assert version.startswith("autograph 0")
        check_use(inside, folder)
    finally:
        shutil.rmtree(environment, ignore_errors=True)


@pytest.mark.thorough
@pytest.mark.parametrize("extra", ["", *USERS], ids=lambda extra: extra or "none")
@pytest.mark.parametrize("name", ["python3.11", "python3.12", "python3.13"])
def test_the_wheel_works_with_each_extra_on_each_python(wheel, name, extra, tmp_path):
    found = pythons()
    if name not in found:
        pytest.skip(f"{name} is not installed")
    check_installed(found[name], f"{wheel}[{extra}]" if extra else wheel, tmp_path)


@pytest.mark.thorough
def test_the_source_distribution_works_in_a_clean_environment(tmp_path):
    (tmp_path / "dist").mkdir()
    check_installed(sys.executable, built("sdist", tmp_path / "dist"), tmp_path)
