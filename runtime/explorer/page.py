"""The explorer's page: a story as one HTML file, without network, fonts or libraries of others.

`assets/` holds the frame, the style and the script.  Every text of the user is escaped here; the
script only adds and removes classes, and never makes markup.  The policy of the page permits its
own script alone, by its hash.
"""

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from html import escape
from importlib.resources import files
from string import Template

from runtime.explorer.story import Row, Stop, Story, shown_pass

# Hues of lines, so that neighbours differ; red is left for lines that were removed.
HUES = (255, 150, 60, 305, 195, 350, 100, 280, 40, 220, 125, 325)
READABLE = 60  # operations of a graph that is shown as a picture at first
SIGNS = {"+": "new", "-": "gone", "~": "changed"}


def page(story: Story) -> str:
    """The whole file."""
    script, style = _asset("layout.js") + _asset("page.js"), _asset("page.css")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return Template(_asset("page.html")).substitute(
        policy=f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'",
        style=style,
        script=script,
        name=escape(story.name),
        signature=escape(story.signature),
        file=escape(story.filename),
        facts=_facts(story),
        start="text" if story.stops[-1].operations > READABLE else "picture",
        hues=_hues(story),
        source=_rows(story.source, story.shares),
        outcomes=_outcomes(story),
        generated=_rows(story.generated),
        stops="\n".join(_stop_buttons(story.stops)),
        graphs="\n".join(_stop_rows(i, s) for i, s in enumerate(story.stops) if _has_rows(i, s)),
        picture=_picture(story),
        folds=_folds(story),
        program=_rows(story.program),
        native=_native(story),
    )


def _asset(name: str) -> str:
    return files("runtime.explorer").joinpath("assets", name).read_text("utf-8")


def _facts(story: Story) -> str:
    """The numbers in the head of the page."""
    first, last = story.stops[0], story.stops[-1]
    numbers = [
        (f"{first.operations}", "operations recorded"),
        (f"{last.operations}", "after all passes"),
        (f"{len(story.program)}", "lines of NumPy"),
    ]
    return "".join(f"<div><dd>{number}</dd><dt>{name}</dt></div>" for number, name in numbers)


def _hues(story: Story) -> str:
    """A rule for each line: its hue."""
    panels = [story.source, story.generated, story.program, *(stop.rows for stop in story.stops)]
    lines = sorted({row.line for rows in panels for row in rows if row.line is not None})
    rules = (f'[data-line="{line}"]{{--hue:{HUES[i % len(HUES)]}}}' for i, line in enumerate(lines))
    return "".join(rules)


def _rows(rows: Iterable[Row], shares: dict[int, float] | None = None) -> str:
    """List items; `shares` are the parts of the time by line, for rows that have none."""
    rows = [replace(row, share=(shares or {}).get(row.number or 0, row.share)) for row in rows]
    timed = any(row.share is not None for row in rows)
    return "\n".join(_row(row, timed) for row in rows)


def _row(row: Row, timed: bool) -> str:
    """A list item: number, code, and what became of it; `timed`: in a column of times."""
    kind = SIGNS.get(row.mark, row.mark)
    line = f' data-line="{row.line}"' if row.line is not None else ""
    if row.also:
        line += f' data-also="{" ".join(map(str, row.also))}"'
    if row.history:
        line += f' data-history="{escape(row.history)}"'
    parts = []
    if row.number is not None:
        parts.append(f'<span class="number">{row.number}</span>')
    if row.mark in SIGNS:
        parts.append(f'<span class="sign" title="{kind}">{escape(row.mark)}</span>')
    parts.append(f"<code>{escape(row.text) or ' '}</code>")
    if row.note:
        word = "replaced" if row.mark in SIGNS else row.note.replace(" ", "-")
        title = escape(f"{row.note}: {row.detail}")
        parts.append(f'<span class="badge {word}" title="{title}">{escape(row.note)}</span>')
    if row.share is not None:
        parts.append(f'<span class="share" title="of the time of a run">{row.share:.0%}</span>')
    elif timed and row.note:
        parts.append('<span class="share"></span>')
    return f'<li class="row {kind}"{line}>{"".join(parts)}</li>'


def _outcomes(story: Story) -> str:
    rows = [
        f'<li data-line="{one.lineno}" class="row"><span class="number">{one.lineno}</span>'
        f"<span><b>{escape(one.kind)}</b> {escape(one.detail)}</span></li>"
        for one in story.outcomes
    ]
    found = f"<h3>What became of it</h3><ul>{''.join(rows)}</ul>" if rows else ""
    if story.retraces:
        found += f"<h3>Why each graph was traced</h3><pre>{escape(story.retraces)}</pre>"
    return found


def _has_rows(number: int, stop: Stop) -> bool:
    """Whether a stop has rows of its own: a pass that did nothing has those of the one before."""
    return number == 0 or bool(stop.changes)


def _stop_buttons(stops: Iterable[Stop]) -> Iterator[str]:
    """The buttons of passes: the name, how many lines were changed, and which rows are shown."""
    rows = 0
    for number, stop in enumerate(stops):
        rows = number if _has_rows(number, stop) else rows
        counts = " ".join(f"{sign}{count}" for sign, count in stop.changes.items())
        kind = "did" if rows == number else "idle"
        purpose = stop.purpose.replace("`", "")
        about = escape(f"{purpose} {stop.operations} operations.".strip())
        name = escape(shown_pass(stop.name))
        yield (
            f'<button type="button" class="{kind}" data-pass="{number}" data-rows="{rows}" '
            f'aria-pressed="false" title="{about}">{name} <small>{escape(counts)}</small></button>'
        )


def _stop_rows(number: int, stop: Stop) -> str:
    label = escape(f"graph, {stop.name}")
    return (
        f'<ol class="rows" data-pass="{number}" tabindex="0" aria-label="{label}" hidden>'
        f"{_rows(stop.rows)}</ol>"
    )


def _picture(story: Story) -> str:
    if not story.picture:
        return '<p class="picture">The graph is too large to be drawn.</p>'
    width = re.search(r'width="(\d+)"', story.picture)
    drawn = f'style="--drawn:{width[1] if width else 0}px"'
    return f'<div class="picture" {drawn}>{story.picture}</div>'


def _folds(story: Story) -> str:
    """The buttons that fold all regions of the picture that are nested deeper."""
    if not story.picture or not story.depth:
        return ""
    buttons = "".join(
        f'<button type="button" data-fold="{depth}" aria-pressed="{str(is_last).lower()}">'
        f"{'all' if is_last else depth}</button>"
        for depth, is_last in ((depth, depth == story.depth) for depth in range(story.depth + 1))
    )
    return f'<span class="folds" role="group" aria-label="depth of the picture">{buttons}</span>'


def _native(story: Story) -> str:
    if not story.native:
        return '<p class="absent">The package llvmlite is not installed.</p>'
    return f'<ol class="rows" tabindex="0" aria-label="native code">{_rows(story.native)}</ol>'
