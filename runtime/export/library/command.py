"""The command `autograph build`: compiles one function to a library for C.

    autograph build model.py:step --args "np.ones(3), float"     step.o step.h libstep.a libstep.so
    autograph build model.py:step -o build/step --target aarch64-linux-gnu

The file is run, as `import` does it, and the function is traced.
"""

import argparse
import contextlib
import sys

from runtime.errors import ExportError
from runtime.export.exporting import compile_library
from runtime.function.from_files import (
    FAILED,
    WRONG_CALL,
    Failure,
    arguments,
    check_call,
    chosen,
    loaded,
)
from runtime.tracing.signature import TensorSpec

EPILOG = """\
examples:
  autograph build model.py                                   a function with an input_signature
  autograph build model.py:step --args "np.ones(3)"          for arrays of 3 elements
  autograph build model.py:norm --args "TensorSpec(('n',))"  for arrays of any length
  autograph build model.py:step --args float -o build/step   build/step.o, build/step.h, ...
  autograph build model.py:step --args float --target aarch64-linux-gnu

exit status:
  0  the files are written; their names are printed
  1  the file raises an exception, or the function cannot be compiled
  2  the arguments are wrong
"""


def main(given: list[str]) -> int:
    """Runs the command; returns the exit status."""
    options = parser().parse_args(given)
    try:
        path, _, name = options.file.partition(":")
        with contextlib.redirect_stdout(sys.stderr):
            module = loaded(path)
            name, function = chosen(module, name, path)
            args, keywords = arguments(options.args, module, TensorSpec=TensorSpec)
            if keywords:
                raise Failure(WRONG_CALL, "--args takes positional arguments only")
            check_call(name, function, args, {})
            output = options.output or name.rpartition(".")[2]
            made = compile_library(
                function, output, *args, name=options.name, target=options.target
            )
    except Failure as failure:
        print(f"autograph build: {failure}", file=sys.stderr)
        return failure.status
    except (ExportError, OSError) as error:
        print(f"autograph build: {error}", file=sys.stderr)
        return FAILED
    except Exception as error:
        print(f"autograph build: {type(error).__name__}: {error}", file=sys.stderr)
        return FAILED
    print(*made.files, sep="\n")
    return 0


def parser() -> argparse.ArgumentParser:
    """The parser of `autograph build`."""
    parser = argparse.ArgumentParser(
        prog="autograph build",
        description="Compiles a function to a library for C, which runs without Python: an object\n"
        "file, a header, and with a C compiler a static and a shared library.  The file is\n"
        "run, and the function is traced.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", metavar="FILE.py[:FUNCTION]", help="the file, and a function in it")
    parser.add_argument(
        "--args",
        metavar="EXPR",
        default="",
        help="the arguments of a call; types stand for numbers, specs for arrays: "
        "--args 'TensorSpec((\"n\",)), float'",
    )
    parser.add_argument("-o", "--output", metavar="OUT", help="the files, without a suffix")
    parser.add_argument("--name", help="the name of the C function")
    parser.add_argument(
        "--target", metavar="TRIPLE", help="another processor, such as aarch64-linux-gnu"
    )
    return parser
