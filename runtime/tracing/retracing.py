"""Why a function was traced again, and a warning if every call traces it."""

import warnings
from dataclasses import dataclass, field

from autograph.staging.locate import users_frame
from runtime.tracing.signature import Signature

# How many graphs may be built in a row, none of them used again, before a warning.
PATIENCE = 5


class RetracingWarning(UserWarning):
    """A function is traced at every call, which costs more than graphs save."""


@dataclass
class RetraceLog:
    """The graphs that a function has built, and why."""

    name: str
    used: bool = False  # whether an existing graph has been used since the last one was built
    in_a_row: int = 0
    records: list[tuple[str, str | None]] = field(default_factory=list)

    def add(self, signature: Signature, reason: str | None, is_another_objects: bool) -> None:
        """Adds a graph; warns if many graphs were built in a row and none was used again.

        The first graph for another object (a model's method) is no reason to warn.
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
            f"{self.name} was traced at each of the last {self.in_a_row} calls; the last time "
            f"because {reason}.  Pass arrays or NumPy scalars where values change from call to "
            f"call, or use @rt.function(reduce_retracing=True) or an input_signature; "
            f"{self.name}.explain_retraces() lists the reason for every graph."
        )
        frame = users_frame()
        if frame is not None:
            at = frame.f_code.co_filename, frame.f_lineno
            warnings.warn_explicit(text, RetracingWarning, *at, module=frame.f_globals["__name__"])

    def explained(self) -> str:
        """A line for each graph: its signature, and why the graph before did not match the call."""
        times = "once" if len(self.records) == 1 else f"{len(self.records)} times"
        lines = [f"{self.name} was traced {times}"]
        for i, (signature, reason) in enumerate(self.records, 1):
            lines.append(f"  {i}. {signature or 'no arguments'}")
            if reason is not None:
                lines.append(f"       {reason}")
        return "\n".join(lines)
