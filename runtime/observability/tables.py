"""Tables: times in suitable units, and aligned columns."""

UNITS = ((1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us"), (1, "ns"))


def shown(nanoseconds: float) -> str:
    """A time in a suitable unit.

    >>> shown(1_234_000), shown(0)
    ('1.23 ms', '0.00 ns')
    """
    size, unit = next((unit for unit in UNITS if nanoseconds >= unit[0]), UNITS[-1])
    return f"{nanoseconds / size:.2f} {unit}"


def columns(rows: list[tuple[str, ...]]) -> list[str]:
    """The rows as lines, with the first column aligned left and the others right.

    >>> columns([("a", "10"), ("long", "9")])
    ['a     10', 'long   9']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *others in rows:
        cells = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        lines.append("  ".join([first.ljust(widths[0]), *cells]).rstrip())
    return lines
