"""Whole programs, each function of them converted, beside the originals.

The programs are modules of the standard library that are written in Python.  Their files are
copied, so that they count as the user's.  A copy is converted function by function: those of the
module, of its classes, and the functions of properties, class methods and static methods.
"""

import importlib.util
import io
import shutil
import tempfile
import types
from collections.abc import Callable, Iterator
from pathlib import Path

import autograph
import runtime as rt
from benchmarks.timing import benchmark, compare

SENTENCE = "the quick brown fox jumps over the lazy dog and runs away from it"
WORDS = SENTENCE.split()
LINES = [" ".join(WORDS[i % 7 : i % 5 + 8]) + "\n" for i in range(60)]
CHANGED = [line.upper() if i % 7 == 3 else line for i, line in enumerate(LINES) if i % 11]
PAGE = "".join(f"<p class='a{i}'>text &amp; <b>more</b> {i}<br/></p>\n" for i in range(80))
SETTINGS = "".join(f"[part {i}]\nname = value {i}\nother: %(name)s\n" for i in range(40))
DOCUMENT = '{"a": [1, 2.5, {"b": "text \\u0041"}], "c": null, "d": [true, false, "x"]}'


def copied(name: str, folder: Path) -> types.ModuleType:
    """A module of the standard library, loaded from a copy of its file under a name of its own."""
    path = folder / f"copy_of_{name.replace('.', '_')}.py"
    shutil.copyfile(importlib.util.find_spec(name).origin, path)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    module.__package__ = name.rpartition(".")[0]
    spec.loader.exec_module(module)
    return module


def places(module: types.ModuleType) -> Iterator[object]:
    """The module and its classes."""
    yield module
    for value in list(vars(module).values()):
        if isinstance(value, type) and value.__module__ == module.__name__:
            yield value


def converted(name: str, folder: Path) -> types.ModuleType:
    """A copy of a module with converted functions."""
    module = copied(name, folder)
    for place in places(module):
        for key, value in list(vars(place).items()):
            if (replacement := converted_member(module, value)) is not value:
                setattr(place, key, replacement)
    return module


def converted_member(module: types.ModuleType, value: object) -> object:
    """A function of the module, or a descriptor of one, converted; other objects unchanged."""
    if isinstance(value, types.FunctionType):
        return autograph.to_graph(value) if value.__module__ == module.__name__ else value
    if isinstance(value, classmethod | staticmethod):
        return type(value)(converted_member(module, value.__func__))
    if isinstance(value, property):
        members = (value.fget, value.fset, value.fdel)
        return property(*(converted_member(module, member) for member in members))
    return value


def compared_lines(module):
    return "".join(module.ndiff(LINES, CHANGED))


def parsed_page(module):
    class Collector(module.HTMLParser):
        found = 0

        def handle_starttag(self, tag, attrs):
            self.found += len(attrs) + 1

    collector = Collector()
    collector.feed(PAGE)
    return collector.found


def read_settings(module):
    parser = module.ConfigParser()
    parser.read_file(io.StringIO(SETTINGS))
    return [parser.get(section, "other") for section in parser.sections()]


def scanned_document(module):
    decoder = module.JSONDecoder()
    decoder.parse_string = module.py_scanstring
    decoder.scan_once = module.scanner.py_make_scanner(decoder)
    return [decoder.decode(DOCUMENT) for _ in range(20)]


def summed_fractions(module):
    return sum((module.Fraction(1, n) for n in range(1, 120)), module.Fraction(0))


def split_commands(module):
    return [module.split(f"run --name 'a b {i}' \"c d\" e\\ f # end") for i in range(40)]


def wrapped_text(module):
    return module.wrap(" ".join(WORDS * 40), width=50)


PROGRAMS: dict[str, Callable] = {
    "difflib": compared_lines,
    "html.parser": parsed_page,
    "configparser": read_settings,
    "json.decoder": scanned_document,
    "fractions": summed_fractions,
    "shlex": split_commands,
    "textwrap": wrapped_text,
}


def while_recording(run: Callable[[], object]) -> object:
    """The result of a call in an open graph, where converted code does not run as plain Python."""
    with rt.Graph().as_default():
        return run()


@benchmark("real-programs")
def real_programs(rounds):
    """Modules of the standard library, converted whole, outside of graphs and while one is open."""
    with tempfile.TemporaryDirectory() as folder:
        for name, program in PROGRAMS.items():
            compare_program(name, program, Path(folder), rounds)


def compare_program(name: str, program: Callable, folder: Path, rounds: int) -> None:
    """Times a program over the original module and over the converted one."""
    original, module = copied(name, folder), converted(name, folder)
    expected = repr(program(original))
    runs = {
        "original": lambda: program(original),
        "converted": lambda: program(module),
        "while recording": lambda: while_recording(lambda: program(module)),
    }
    for who, run in runs.items():
        if repr(run()) != expected:
            raise SystemExit(f"{name}: {who} differs")
    compare(name, {who: counted(run) for who, run in runs.items()}, rounds)


def counted(run: Callable[[], object]) -> Callable[[], int]:
    """The run without its result, which has been compared."""

    def count():
        run()
        return 0

    return count
