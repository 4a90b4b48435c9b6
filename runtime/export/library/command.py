"""The command `autograph build`: compiles one function to a library for C.

    autograph build model.py:step --args "np.ones(3), float"     step.o step.h libstep.a libstep.so
    autograph build model.py:step -o build/step --target aarch64-linux-gnu

The file is run, as `import` does it, and the function is traced.
"""

import argparse

from runtime.errors import ExportError
from runtime.export.exporting import compile_library
from runtime.function.commands import DONE, File, Outcome, command_parser, require, run_command
from runtime.function.from_files import FAILED, Failure, check_call
from runtime.tracing.signature import TensorSpec

EPILOG = """\
examples:
  autograph build model.py                                   its input_signature
  autograph build model.py:step --args "np.ones(3)"          3 elements
  autograph build model.py:norm --args "TensorSpec(('n',))"  any length
  autograph build model.py:step --args float -o build/step   build/step.o, ...
  autograph build model.py:step --args float --target aarch64-linux-gnu

exit status:
  0  the files are written; their names are printed
  1  the file raises an exception, or the function cannot be compiled
  2  the arguments are wrong
"""


def main(given: list[str]) -> int:
    """Runs the command; returns the exit status."""
    return run_command(parser(), given, _built)


def parser() -> argparse.ArgumentParser:
    """The parser of `autograph build`."""
    made = command_parser(
        "build",
        "Compiles a function to a library for C, which runs without Python: an object\n"
        "file, a header, and with a C compiler a static and a shared library.  The file\n"
        "is run, and the function is traced.",
        EPILOG,
        "the arguments of a call; types stand for numbers, specs for arrays: "
        "--args 'TensorSpec((\"n\",)), float'",
    )
    add = made.add_argument
    add("-o", "--output", metavar="OUT", help="the files, without a suffix")
    add("--name", help="the name of the C function")
    add("--target", metavar="TRIPLE", help="another processor, such as aarch64-linux-gnu")
    return made


def _built(file: File, options: argparse.Namespace) -> Outcome:
    """The files of the library, which are written."""
    name, function = file.function()
    args = file.positional_arguments(TensorSpec=TensorSpec)
    check_call(name, function, args, {})
    require("llvmlite", "native")
    output = options.output or name.rpartition(".")[2]
    try:
        made = compile_library(function, output, *args, name=options.name, target=options.target)
    except ExportError as error:  # its message begins with the function
        raise Failure(FAILED, str(error)) from None
    except OSError as error:
        raise Failure(FAILED, f"{output} cannot be written: {error.strerror}") from None
    return DONE, made.files
