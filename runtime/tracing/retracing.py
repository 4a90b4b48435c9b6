"""Why a function records graphs again, and a warning where it does so at every call."""

import warnings
from dataclasses import dataclass, field

from autograph.staging.locate import users_frame
from runtime.tracing.signature import Signature

# How many graphs may be recorded in a row, none of them used again, before that is told.
PATIENCE = 5


class RetracingWarning(UserWarning):
    """A function records a graph at every call, which costs more than graphs save."""


@dataclass
class RetraceLog:
    """What is known about the graphs that a function has recorded."""

    name: str
    used: bool = False  # whether a graph that was there has been used since the last one
    in_a_row: int = 0
    records: list[tuple[str, str | None]] = field(default_factory=list)

    def add(self, signature: Signature, reason: str | None, is_another_objects: bool) -> None:
        """Remembers a graph; warns when one after the other is recorded and none is used again.

        The first graph for one more object (a model's method) is no reason to warn.
        """
        self.records.append((str(signature), reason))
        del self.records[:-1000]
        if is_another_objects:
            return
        self.in_a_row = 1 if self.used else self.in_a_row + 1
        self.used = False
        if self.in_a_row == PATIENCE + 1:
            self._warn()

    def _warn(self):
        _, reason = self.records[-1]
        text = (
            f"{self.name} has recorded a graph at each of the last {self.in_a_row} calls; the last "
            f"time because {reason}.  Pass arrays or NumPy's scalars where values change from call "
            f"to call, or use @rt.function(reduce_retracing=True) or an input_signature; "
            f"{self.name}.explain_retraces() tells the reason for every graph."
        )
        frame = users_frame()
        if frame is not None:
            at = frame.f_code.co_filename, frame.f_lineno
            warnings.warn_explicit(text, RetracingWarning, *at, module=frame.f_globals["__name__"])

    def explained(self) -> str:
        """A line for each graph: what it was recorded for, and why the one before did not do."""
        lines = [f"{self.name} has recorded {len(self.records)} graphs"]
        for i, (signature, reason) in enumerate(self.records, 1):
            lines.append(f"  {i}. {signature or 'no arguments'}")
            if reason is not None:
                lines.append(f"       {reason}")
        return "\n".join(lines)
