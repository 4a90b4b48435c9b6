"""The command line: `autograph FILE.py` prints the converted file.

    options      the arguments, the help, the exit statuses
    sources      the files of a call, and their texts
    shown        the text that is printed for a file
    outputs      terminals, pipes and files
    failures     messages and exit statuses

`autograph explore`, `autograph build` and `autograph report` are commands of the runtime
(`runtime/explorer/`, `runtime/export/`).

A file is read, never run.  `autograph --help` lists the options, with examples.
"""

import importlib
import os
import sys

from autograph.command.failures import DONE, NOT_CONVERTED, WRONG_CALL, Failure, cannot_be_written
from autograph.command.options import complete, parsed, parser
from autograph.command.run import run
from autograph.command.sources import check_command
from autograph.functions.shadowing import file_that_hides_runtime, told

# Commands of the runtime, which the transpiler does not know: their modules are imported on use.
COMMANDS = {
    "explore": "runtime.explorer.command",
    "build": "runtime.export.library.command",
    "report": "runtime.export.onnx.report",
}


def main(arguments: list[str] | None = None) -> int:
    """Runs the command line; returns the exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if "_ARGCOMPLETE" in os.environ:  # the shell requests completions
        return _complete(os.environ["COMP_LINE"])
    if arguments and arguments[0] in COMMANDS:
        path = file_that_hides_runtime()
        if path is not None:
            print(f"autograph: {told(path)}", file=sys.stderr)
            return WRONG_CALL
        command = importlib.import_module(COMMANDS[arguments[0]])
        return command.main(arguments[1:])
    options = parsed(arguments)
    try:
        check_command(options.paths[0], COMMANDS)
        status = run(options)
        sys.stdout.flush()
    except Failure as failure:
        print(f"autograph: {failure}", file=sys.stderr)
        return failure.status
    except OSError as error:
        # The remaining output is discarded, or Python would try to write it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        closed = isinstance(error, BrokenPipeError)
        why = "was closed before all of it was written" if closed else cannot_be_written(error)
        print(f"autograph: the output {why}", file=sys.stderr)
        return NOT_CONVERTED
    return status


def _complete(line: str) -> int:
    """Completes a command line: by the parser of the command that it names, if it names one."""
    words = line.split()
    if len(words) > 1 and words[1] in COMMANDS:
        complete(importlib.import_module(COMMANDS[words[1]]).parser())
    else:
        complete(parser())
    return DONE
