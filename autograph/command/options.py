"""The arguments of the command line, and its help."""

import argparse
import os
import platform
import textwrap

from autograph import __version__

EPILOG = """\
examples:
  autograph model.py                       print the file with every function converted
  autograph model.py --function Net.step   print one function
  autograph model.py --diff                show what conversion changes
  autograph model.py --each                show what each pass changes
  autograph model.py --report              line by line: can it be staged, and if not, why
  autograph model.py -o converted.py       write the result to a file
  autograph package -o converted           convert all files below a directory
  autograph package --check                can all of them be converted?
  autograph package -o converted --check   and are the files in converted up to date?
  autograph - < model.py                   read standard input

`autograph explore FILE.py:FUNCTION` writes a page with each step from Python to the program that
runs; `autograph build FILE.py:FUNCTION` compiles a function to a library for C.  Both have --help.

exit status:
  0  the work is done; with --check: all files can be converted, and are up to date
  1  a file cannot be converted, or is not up to date
  2  the arguments are wrong, or a file cannot be read or written
"""


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    """The options of a call.  Exits, with a usage message, if they are wrong."""
    parser = _parser()
    if "_ARGCOMPLETE" in os.environ:  # the shell requests completions
        import argcomplete

        argcomplete.autocomplete(parser)
    return parser.parse_args(arguments)


def _parser():
    parser = argparse.ArgumentParser(
        prog="autograph",
        description=textwrap.fill(
            "Converts Python files to functional code and prints them, without running them.", 80
        ),
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add(
        "paths", metavar="PATH", nargs="+",
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
