"""Checks the language of docstrings, comments, messages and documentation.

    python tools/language.py                  every file that `make check` reads
    python tools/language.py runtime/ir docs  some files or folders
    python tools/language.py --what PATHS     also lists each `what` that may be a noun

`STRUCK` lists the idioms that a native reader stumbles over, each with a better wording.  None of
them may occur, except in a sentence that `ALLOWED` lists.  `what` as a noun ("What a call gives")
is counted instead; `GROUND` says how often it may occur in 1,000 lines.

Prose is taken from comments, docstrings and string literals of several words (messages) in Python
files, and from everything outside of code blocks in Markdown.  In tests only comments, docstrings
and the names of tests are read: their strings are programs and data.  Text between backticks and
the lines of doctests are code and are skipped.
"""

import argparse
import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
# Files that `make check` reads, by how often `what` may be a noun in 1,000 lines.
GROUND = {
    "the library": (("autograph", "runtime"), 3),
    "tools and documentation": (("tools", "samples", *PAGES, "docs", "Makefile"), 3),
    "tests": (("tests",), 6),
}
# Inputs of the tests that are programs, and expected output.
SKIPPED = ("tests/cases/", "tests/samples/", "tests/planted/")


@dataclass(frozen=True)
class Idiom:
    """A wording that is struck, as a regular expression (a space matches any whitespace)."""

    pattern: str
    better: str

    def found(self, text: str) -> Iterator[re.Match]:
        """The matches of the idiom in `text`."""
        return re.finditer(self.pattern.replace(" ", r"\s+"), text, re.IGNORECASE)


STRUCK = (
    Idiom(
        r"\b(?:of|than|to|for|by|as|from|in|on|with|like|and|or) (?:Python|NumPy)'s(?=[,.:;)]|$)"
        r"|\bof (?:Python|NumPy)'s(?: own)?\b",
        "Python ints, NumPy scalars, a Python list",
    ),
    Idiom(
        r"\bof (?:the|a) user's(?! [a-z])"
        r"|\bof (?:the|a) user's(?= (?:is|are|that|which|in|on|and|or|to|as|with|has|when|if)\b)",
        "the user's function, the user's lines",
    ),
    Idiom(
        r"\b(?:some|any|no)body(?: else)?\b", "the caller, other code, no other reference, no one"
    ),
    Idiom(r"\b(?:is|are|was|were|be|been) told\b", "is reported, a warning is issued, it is known"),
    Idiom(r"\btold(?: of| apart)\b|\btells? of\b", "reported, warned about, distinguished"),
    Idiom(r"\banew\b", "again, newly created, from scratch"),
    Idiom(r"\bonce more\b", "again"),
    Idiom(r"\bbehind\b", "after (time, order), below, under"),
    Idiom(r"\bin front of\b", "before"),
    Idiom(r"\bthose of (?:them|it)\b", "the ones that, its"),
    Idiom(
        r"(?<!in\s)(?<!in\sits\s)(?<!taking\s)\bturns?\b"
        r"(?! (?:into|off|on|out|round|an?|the|its?|them|every|each|this|all|statements|code)\b)"
        r"(?! {)",
        "iteration(s)",
    ),
    Idiom(r"\bstands?\b(?!-| for\b| in for\b)", "is, appears, is written"),
    Idiom(r"\b(?:is|are|was|were|be|been) asked(?: for)?\b", "is requested, is queried, is needed"),
    Idiom(r"\b(?:asked|asks?) for\b", "requested, needs, requires"),
    Idiom(r"\b(?:differentiated|gradients?|derivatives?) by\b", "with respect to"),
    Idiom(r"\b(?:is|are|gets?) given back\b|\bgives? back\b", "returns"),
    Idiom(r"\bby who\b|\bfor who\b|\bof who\b", "by the code that, for callers that"),
    Idiom(r"\bway back\b", "backward pass"),
    Idiom(r"\bits own way\b", "independently"),
    Idiom(r"\bthe very (?:ones?|same|answer)\b", "exactly those, the same"),
    Idiom(r"\b(?:does|do) what\b", "behaves like, is equivalent to"),
    Idiom(r"\bwhat (?:it|they|he|she) (?:is|are|was|were)\b", "its value, its type, the original"),
    Idiom(r"\bwhat is\b", "name the thing: the values that, code that"),
    Idiom(r"\bwhat there is\b", "which ones exist"),
    Idiom(r"\bwhat stands\b", "the statement, the value, the operand"),
    Idiom(
        r"(?<!there\s)\bis no (?:array|function|tensor|list|class|number|type|name)\b",
        "is not an array",
    ),
    Idiom(r"\bmade of\b", "built from, derived from, consists of"),
    Idiom(r"\bwhoever\b", "code that, callers that"),
    Idiom(r"\btaken apart\b", "unpacked, split, mapped over"),
    Idiom(r"\ban? \{\}", "with_article(name), which chooses between a and an"),
    Idiom(r"\ba (?:rt\.|int\b|array|element|index|integer|object|error|int64|ndarray)", "an"),
    Idiom(r"\ban (?:uint|u\d|user|union|ufunc|unit)", "a"),
)

# Sentences in which a struck wording is right, as they are written (whitespace does not matter).
ALLOWED: tuple[str, ...] = ()

WHAT = re.compile(r"\bwhat\b(?!-if)", re.IGNORECASE)
QUESTION = re.compile(r"\b[Ww]hat\b[^.?!:;]*\?")
CODE = re.compile(r"``.*?``|`[^`\n]*`", re.DOTALL)


@dataclass(frozen=True)
class Passage:
    """Connected prose of a file; `line` is the number of its first line."""

    path: Path
    line: int
    text: str

    def line_of(self, offset: int) -> int:
        """The number of the line in which the character at `offset` is."""
        return self.line + self.text.count("\n", 0, offset)


@dataclass(frozen=True)
class Finding:
    """A struck wording in a file."""

    path: Path
    line: int
    found: str
    better: str

    def __str__(self) -> str:
        path = self.path.relative_to(ROOT) if self.path.is_relative_to(ROOT) else self.path
        return f"{path}:{self.line}: {' '.join(self.found.split())!r} -> {self.better}"


def blanked(text: str, pattern: re.Pattern) -> str:
    """`text` with each match replaced by spaces, so that lines and offsets stay."""
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def prose(text: str) -> str:
    """`text` without its doctests, the text between backticks, and questions that ask `what`."""
    lines, example = [], False
    for line in text.split("\n"):
        example = line.lstrip().startswith(">>>") or (example and bool(line.strip()))
        lines.append("" if example else line)
    return blanked(blanked("\n".join(lines), CODE), QUESTION)


def comments(path: Path, source: str) -> Iterator[Passage]:
    """The comments of a Python file; those of adjacent lines are one passage."""
    block, first, last = [], 0, 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        line = token.start[0]
        if block and line != last + 1:
            yield Passage(path, first, prose("\n".join(block)))
            block = []
        first, last = (first if block else line), line
        block.append(token.string.lstrip("#: "))
    if block:
        yield Passage(path, first, prose("\n".join(block)))


def docstrings(tree: ast.AST) -> Iterator[ast.Constant]:
    """The docstrings of a module, its classes and functions, as nodes."""
    for node in ast.walk(tree):
        match node:
            case (
                ast.Module(body=[ast.Expr(value=ast.Constant(value=str()) as text), *_])
                | ast.ClassDef(body=[ast.Expr(value=ast.Constant(value=str()) as text), *_])
                | ast.FunctionDef(body=[ast.Expr(value=ast.Constant(value=str()) as text), *_])
                | ast.AsyncFunctionDef(body=[ast.Expr(value=ast.Constant(value=str()) as text), *_])
            ):
                yield text


def message(node: ast.expr) -> str | None:
    """The text of a string literal, `{}` for each value that an f-string formats; or None."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=values):
            return "".join(
                value.value if isinstance(value, ast.Constant) else "{}" for value in values
            )
    return None


def messages(path: Path, tree: ast.AST) -> Iterator[Passage]:
    """String literals of three words or more that are neither docstrings nor in f-strings."""
    skipped = {id(node) for node in docstrings(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            skipped.update(id(value) for value in node.values)
        text = None if id(node) in skipped else message(node)
        if text and len(text.split()) >= 3:
            yield Passage(path, node.lineno, prose(text))


def test_names(path: Path, tree: ast.AST) -> Iterator[Passage]:
    """The names of tests, as sentences."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield Passage(path, node.lineno, node.name.replace("_", " "))


def python_passages(path: Path, source: str) -> Iterator[Passage]:
    """The prose of a Python file."""
    tree = ast.parse(source)
    yield from comments(path, source)
    for node in docstrings(tree):
        yield Passage(path, node.lineno, prose(node.value))
    if path.is_relative_to(ROOT / "tests"):
        yield from test_names(path, tree)
    else:
        yield from messages(path, tree)


def markdown_passages(path: Path, source: str) -> Iterator[Passage]:
    """The prose of a Markdown file, without blocks of code."""
    fences = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
    yield Passage(path, 1, prose(blanked(source, fences)))


def makefile_passages(path: Path, source: str) -> Iterator[Passage]:
    """The comments of a Makefile."""
    for number, line in enumerate(source.splitlines(), 1):
        if line.startswith("#"):
            yield Passage(path, number, prose(line))


READERS = {".py": python_passages, ".md": markdown_passages, "": makefile_passages}


def files(path: Path) -> Iterator[Path]:
    """The files below `path` that are read."""
    found = sorted(path.rglob("*")) if path.is_dir() else [path]
    for file in found:
        skipped = any(file.is_relative_to(ROOT / folder) for folder in SKIPPED)
        if file.is_file() and file.suffix in READERS and not skipped and file != Path(__file__):
            yield file


def findings(passage: Passage) -> Iterator[Finding]:
    """The struck wordings of a passage that no allowed sentence contains."""
    text = passage.text
    for sentence in ALLOWED:
        if sentence.split()[0] in text:
            text = blanked(text, re.compile(r"\s+".join(map(re.escape, sentence.split()))))
    for idiom in STRUCK:
        for match in idiom.found(text):
            yield Finding(passage.path, passage.line_of(match.start()), match[0], idiom.better)


def counted(passage: Passage) -> Iterator[Finding]:
    """Each `what` of a passage."""
    for match in WHAT.finditer(passage.text):
        end = passage.text.find("\n", match.end())
        found = passage.text[match.start() : end if end >= 0 else None]
        yield Finding(passage.path, passage.line_of(match.start()), found, "name the thing")


@dataclass
class Count:
    """The findings in some files, and how many lines these have."""

    struck: list[Finding]
    what: list[Finding]
    lines: int = 0

    @property
    def rate(self) -> float:
        """How often `what` is counted in 1,000 lines."""
        return 1000 * len(self.what) / max(self.lines, 1)


def count(paths: list[Path]) -> Count:
    """Reads files and folders."""
    result = Count([], [])
    for file in (file for path in paths for file in files(path)):
        source = file.read_text(encoding="utf-8")
        result.lines += source.count("\n")
        for passage in READERS[file.suffix](file, source):
            result.struck += findings(passage)
            result.what += counted(passage)
    return result


def report(name: str, paths: list[Path], limit: float, every_what: bool) -> bool:
    """Prints the findings in some files; returns whether there are too many."""
    found = count(paths)
    many = found.rate > limit
    for finding in sorted(found.struck, key=lambda each: (each.path, each.line)):
        print(finding)
    for finding in found.what if every_what else ():
        print(finding)
    print(
        f"{name}: {len(found.struck)} struck idioms in {found.lines} lines; `what` "
        f"{len(found.what)} times, {found.rate:.1f} in 1,000 lines (at most {limit})"
    )
    return bool(found.struck) or many


def main(arguments: list[str] | None = None) -> int:
    """Checks the files that are named, or all; returns 1 if a wording has to change."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH")
    parser.add_argument("--what", action="store_true", help="list each `what` that is counted")
    options = parser.parse_args(arguments)
    if options.paths:
        paths = [path.resolve() for path in options.paths]
        return int(report("together", paths, 3, options.what))
    bad = [
        report(name, [ROOT / path for path in paths], limit, options.what)
        for name, (paths, limit) in GROUND.items()
    ]
    return int(any(bad))


if __name__ == "__main__":
    sys.exit(main())
