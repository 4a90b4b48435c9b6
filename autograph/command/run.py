"""The work of a call of the command line: one file, or several."""

import os
import sys
from argparse import Namespace

from autograph.command.failures import DONE, NOT_CONVERTED, WRONG_CALL, Failure
from autograph.command.outputs import (
    Progress,
    check_overwriting,
    holds,
    make_folder_of,
    write_file,
    write_out,
)
from autograph.command.shown import language_of, passes_of, shown
from autograph.command.sources import Source, is_several, sources_of, text_of


def run(options: Namespace) -> int:
    """Converts the files of a call; returns the exit status.  Raises `Failure`."""
    passes = passes_of(options)
    if not is_several(options.paths):
        return _run_one(options, passes)
    return _Several(options, passes).run()


def _run_one(options, passes):
    (source,) = sources_of(options.paths)
    text = shown(text_of(source), source.shown, options, passes)
    if options.check:
        _check(source, options.output, text)
    elif options.output is None:
        write_out(text, language_of(options))
    else:
        check_overwriting(options.output, [source.name], options.force)
        write_file(options.output, text)
    return DONE


def _check(source: Source, output: str | None, text: str) -> None:
    """Raises `Failure` unless an output, if there is one, has this text."""
    if output is not None and not holds(output, text):
        command = f"autograph {source.name} -o {output}"
        raise Failure(NOT_CONVERTED, f"{output} is not up to date; `{command}` writes it")


class _Several:
    """Several files: those that cannot be converted do not stop the others.

    Converted files are written below a directory; diffs, trees and reports are one text.
    """

    def __init__(self, options: Namespace, passes: tuple):
        self.options, self.passes = options, passes
        self.is_one_text = options.diff or options.each or options.ast or options.report
        self.texts: list[str] = []
        self.failed = self.status = 0
        if options.function is not None:
            raise Failure(WRONG_CALL, "--function is for one file, and several are given")
        if not (self.is_one_text or options.check or options.output):
            raise Failure(
                WRONG_CALL,
                "several files need a directory for the results: -o DIRECTORY; or use --diff, "
                "--report or --check",
            )

    def run(self) -> int:
        """Converts the files; returns the exit status."""
        sources = sources_of(self.options.paths)
        self._check_places(sources)
        progress = Progress(len(sources), self.options.quiet)
        for source in sources:
            progress.show(source.shown)
            try:
                self._convert(source)
            except Failure as failure:
                progress.clear()
                print(f"autograph: {failure}", file=sys.stderr)
                self.failed += 1
                self.status = max(self.status, failure.status)
        progress.clear()
        if self.is_one_text and not self.options.check:
            self._write_text()
        if not self.options.quiet:
            self._summarize(len(sources))
        return self.status

    def _convert(self, source):
        text = shown(text_of(source), source.shown, self.options, self.passes)
        if self.is_one_text:
            self.texts.append(text)
        elif self.options.check:
            if self.options.output is not None and not holds(self._place(source), text):
                raise Failure(NOT_CONVERTED, f"{self._place(source)} is not up to date")
        else:
            make_folder_of(self._place(source))
            write_file(self._place(source), text)

    def _place(self, source):
        return os.path.join(self.options.output, source.relative)

    def _check_places(self, sources):
        """Raises `Failure` if files would overwrite each other, or the originals."""
        output = self.options.output
        if output is None or self.options.check:
            return
        names = [source.name for source in sources]
        if self.is_one_text:
            check_overwriting(output, names, self.options.force)
            return
        if os.path.exists(output) and not os.path.isdir(output):
            raise Failure(WRONG_CALL, f"{output} is a file; several files need a directory")
        known: dict[str, str] = {}
        for source in sources:
            place = self._place(source)
            if place in known:
                both = f"{known[place]} and {source.name}"
                raise Failure(WRONG_CALL, f"{both} would both be written to {place}")
            known[place] = source.name
            check_overwriting(place, names, self.options.force)

    def _write_text(self):
        text = ("\n" if self.options.report else "").join(self.texts)
        if self.options.output is None:
            write_out(text, language_of(self.options))
        else:
            write_file(self.options.output, text)

    def _summarize(self, count):
        done, noun = count - self.failed, "file" if count == 1 else "files"
        what = "passed" if self.options.check else "converted"
        lost = f", {self.failed} not" if self.failed else ""
        print(f"autograph: {done} of {count} {noun} {what}{lost}", file=sys.stderr)
