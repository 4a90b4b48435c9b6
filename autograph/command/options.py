"""The arguments of the command line, and its help."""

import argparse
import difflib
import platform

from autograph import __version__

USAGE = """autograph [OPTION...] PATH...
       autograph explore FILE.py[:FUNCTION] [OPTION...]
       autograph build FILE.py[:FUNCTION] [OPTION...]
       autograph report FILE.py[:FUNCTION] [OPTION...]"""
DESCRIPTION = """\
Converts Python functions to functional code, whose branches and loops can
become graphs.  Files are read, never run, and everything but functions is kept
byte for byte.

commands:
  autograph PATH...   print or write the converted files: the options below
  autograph explore   run a file, and write a page about one of its functions
  autograph build     run a file, and compile a function to a library for C
  autograph report    run a file, and list which functions ONNX can express
"""
EPILOG = """\
examples:
  autograph model.py                       print the file, functions converted
  autograph model.py --function Net.step   print one function
  autograph model.py --diff                show what conversion changes
  autograph model.py --each                show what each pass changes
  autograph model.py --report              say which lines can be staged
  autograph model.py -o converted.py       write the result to a file
  autograph package -o converted           convert the files below a directory
  autograph package --check                can all of them be converted?
  autograph package -o converted --check   are those in converted up to date?
  autograph - < model.py                   read standard input

exit status:
  0  the work is done; with --check: all files are convertible and up to date
  1  a file cannot be converted, or is not up to date
  2  the arguments are wrong, or a file cannot be read or written

environment:
  NO_COLOR                no colours on a terminal
  AUTOGRAPH_ENGINE        the engine that runs graphs: auto, numpy, native,
                          native-fast, xla, eager
  AUTOGRAPH_OBJECT_CACHE  the directory where machine code is kept

Completion for the shell: eval "$(register-python-argcomplete autograph)"
`autograph COMMAND --help` has the options of explore, build and report.
"""


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    """The options of a call.  Exits, with a usage message, if they are wrong."""
    own = parser()
    options, unknown = own.parse_known_args(arguments)
    wrong = [one for one in unknown if one.startswith("-") and one != "-"]
    if wrong:  # before a PATH that is missing, since a word may have been taken for an option
        own.error(f"there is no option {wrong[0].partition('=')[0]}{_near(own, wrong[0])}")
    if unknown or not options.paths:
        own.error("name a file or a directory; `autograph --help` has examples")
    return options


def _near(own: argparse.ArgumentParser, name: str) -> str:
    """The options that are written like one that does not exist, as a question."""
    known = [word for action in own._actions for word in action.option_strings]
    near = difflib.get_close_matches(name.partition("=")[0], known, 2)
    return f"; did you mean {' or '.join(near)}?" if near else ""


def complete(parser: argparse.ArgumentParser) -> None:
    """Answers a shell that requests completions, and ends the process."""
    import argcomplete

    argcomplete.autocomplete(parser)


def parser() -> argparse.ArgumentParser:
    """The parser of `autograph PATH...`, whose help introduces all commands."""
    parser = argparse.ArgumentParser(
        prog="autograph",
        usage=USAGE,
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add(
        "paths", metavar="PATH", nargs="*",
        help="a file or a directory to convert; - for standard input",
    )  # fmt: skip
    add("--function", metavar="NAME", help="only this function: name or Class.method")
    add(
        "-o", "--output", metavar="OUT",
        help="write to this file instead; a directory if several files are converted",
    )  # fmt: skip
    add("--force", action="store_true", help="allow overwriting a file that is converted")
    add("--dump-after", metavar="PASS", help="stop after this pass")
    add(
        "--check", action="store_true",
        help="write nothing: test whether the files can be converted, and OUT is up to date",
    )  # fmt: skip
    add("-q", "--quiet", action="store_true", help="no progress and no summary")
    python = f"Python {platform.python_version()}"
    add("--version", action="version", version=f"autograph {__version__} ({python})")
    how = parser.add_mutually_exclusive_group()
    add = how.add_argument
    add("--each", action="store_true", help="show the changes made by each pass, as diffs")
    add("--ast", action="store_true", help="show the syntax tree of the result")
    add("--diff", action="store_true", help="show the result as a diff to the original")
    add(
        "--report", action="store_true",
        help="explain which lines can be staged, and why others stay Python",
    )  # fmt: skip
    return parser
