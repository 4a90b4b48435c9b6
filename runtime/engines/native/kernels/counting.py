"""Loops of machine code over numbers."""

from runtime.engines.native.text import Text


class Counted:
    """A loop whose index goes from a start up to an end in steps; its body
    is written until `close`."""

    def __init__(self, text: Text, end: str, start: str = "0", step: str = "1") -> None:
        self.text, self.end, self.step, self.start = text, end, step, start
        self.index, self._after = text.fresh(), text.fresh()
        self._body, self._done = text.label("each"), text.label("all")
        more = text.register(f"icmp slt i64 {start}, {end}")
        text.line(f"br i1 {more}, label %{self._body}, label %{self._done}")
        self._before = text.block
        text.start(self._body)
        self._place = len(text.lines)

    def close(self) -> None:
        """Ends the body."""
        text = self.text
        text.line(f"{self._after} = add i64 {self.index}, {self.step}")
        more = text.register(f"icmp slt i64 {self._after}, {self.end}")
        text.line(f"br i1 {more}, label %{self._body}, label %{self._done}")
        ways = f"[{self.start}, %{self._before}], [{self._after}, %{text.block}]"
        text.lines.insert(self._place, f"  {self.index} = phi i64 {ways}")
        text.start(self._done)


def minimum(text: Text, x: str, y: str) -> str:
    """The smaller of two sizes."""
    less = text.register(f"icmp slt i64 {x}, {y}")
    return text.register(f"select i1 {less}, i64 {x}, i64 {y}")
