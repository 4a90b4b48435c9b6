"""Reads of the outside world: the process and files; see `outside_reads.py`."""

import contextvars
import io
import json
import os
import pathlib
import shutil
import sys
import tempfile
import threading

import numpy as np
from outside_world import case

NAME = "AUTOGRAPH_TEST_OUTSIDE"
local = threading.local()
context = contextvars.ContextVar("context", default=2.0)


def setting(value):
    os.environ[NAME] = value


@case
def an_environment_variable():
    setting("2")

    def read(x):
        return x * float(os.environ[NAME])

    return read, lambda: setting("3")


@case
def an_environment_variable_by_getenv():
    setting("2")

    def read(x):
        return x * (2.0 if os.getenv(NAME) == "2" else 5.0)

    return read, lambda: setting("3")


@case
def an_environment_variable_by_get():
    setting("2")

    def read(x):
        return x * (2.0 if os.environ.get(NAME, "") == "2" else 5.0)

    return read, lambda: os.environ.pop(NAME)


@case
def whether_an_environment_variable_is_set():
    setting("2")

    def read(x):
        return x * (2.0 if NAME in os.environ else 5.0)

    return read, lambda: os.environ.pop(NAME)


@case
def the_working_directory():
    home = os.getcwd()
    folder = tempfile.mkdtemp()

    def read(x):
        return x * (2.0 if os.getcwd() == home else 5.0)

    def change():
        os.chdir(folder)

    def restore():
        os.chdir(home)

    return read, change, restore


@case
def the_arguments_of_the_program():
    before = list(sys.argv)

    def read(x):
        return x * len(sys.argv)

    return read, lambda: sys.argv.append("x"), lambda: sys.argv.__setitem__(slice(None), before)


@case
def the_recursion_limit():
    limit = sys.getrecursionlimit()

    def read(x):
        return x * sys.getrecursionlimit()

    def restore():
        sys.setrecursionlimit(limit)

    return read, lambda: sys.setrecursionlimit(limit + 50), restore


@case
def the_loaded_modules():
    sys.modules.pop("made_up_module", None)

    def read(x):
        return x * (2.0 if "made_up_module" in sys.modules else 5.0)

    def change():
        sys.modules["made_up_module"] = sys

    return read, change, lambda: sys.modules.pop("made_up_module", None)


def file_of(text):
    path = pathlib.Path(tempfile.mkdtemp()) / "file.txt"
    path.write_text(text)
    return path


@case
def whether_a_file_exists():
    path = file_of("2")

    def read(x):
        return x * (2.0 if path.exists() else 5.0)

    return read, path.unlink


@case
def whether_a_file_exists_by_os():
    path = str(file_of("2"))

    def read(x):
        return x * (2.0 if os.path.exists(path) else 5.0)

    return read, lambda: os.remove(path)


@case
def the_size_of_a_file():
    path = file_of("2")

    def read(x):
        return x * path.stat().st_size

    return read, lambda: path.write_text("345")


@case
def the_size_of_a_file_by_os():
    path = str(file_of("2"))

    def read(x):
        return x * os.path.getsize(path)

    def change():
        with open(path, "w") as file:
            file.write("345")

    return read, change


@case
def the_text_of_a_file():
    path = file_of("2")

    def read(x):
        return x * float(path.read_text())

    return read, lambda: path.write_text("3")


@case
def an_opened_file():
    path = file_of("2")

    def read(x):
        with open(path) as file:
            return x * float(file.read())

    return read, lambda: path.write_text("3")


@case
def the_lines_of_a_file_that_is_open():
    file = open(file_of("2\n3\n"))  # noqa: SIM115

    def read(x):
        return x * float(file.readline())

    return read, lambda: None, file.close


@case
def a_buffer():
    buffer = io.StringIO("2\n3\n")

    def read(x):
        return x * float(buffer.readline())

    return read, lambda: None


@case
def the_value_of_a_buffer():
    buffer = io.StringIO()
    buffer.write("ab")

    def read(x):
        return x * len(buffer.getvalue())

    return read, lambda: buffer.write("c")


@case
def the_files_of_a_folder():
    path = file_of("2")

    def read(x):
        return x * len(os.listdir(path.parent))

    return read, lambda: (path.parent / "other").write_text("")


@case
def numbers_in_a_file():
    path = file_of("2 3")

    def read(x):
        return x * np.loadtxt(path).sum()

    return read, lambda: path.write_text("3 4")


@case
def a_json_file():
    path = file_of('{"k": 2.0}')

    def read(x):
        with path.open() as file:
            return x * json.load(file)["k"]

    return read, lambda: path.write_text('{"k": 3.0}')


@case
def the_program_of_a_name():
    path = os.environ["PATH"]
    found = shutil.which("python3") or shutil.which("ls")
    name = os.path.basename(found)

    def read(x):
        return x * (2.0 if shutil.which(name) else 5.0)

    def change():
        os.environ["PATH"] = ""

    return read, change, lambda: setting_path(path)


def setting_path(path):
    os.environ["PATH"] = path
