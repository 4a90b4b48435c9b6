"""Compares two checkouts: their benchmarks run alternately, in processes of their own.

A checkout runs its own `tools/bench.py` with its own code.  If that does not know a benchmark, the
benchmark of this checkout runs with the code of the other one, which works as far as the benchmark
uses the public interface only.  Rows that only one side prints are left out.
"""

import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parents[2]
SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6}
TIME = re.compile(r"(\d+(?:\.\d+)?) (s|ms|us)\b")
ROW = re.compile(r"^  (?P<label>\S.*?) {2,}(?P<times>\d.*)$")
SENTENCE = re.compile(r"^(?P<label>\S.*?): (?P<times>\d.*)$")
ROUNDS = re.compile(r" \(\d+ rounds\)")

# A row of a report: the heading above it, its label, and which of its times is meant.
Row = tuple[str, str, int]


def times_in(printed: str) -> dict[Row, float]:
    """The times, in seconds, that a run of `tools/bench.py` has printed."""
    found: dict[Row, float] = {}
    heading = ""
    for line in printed.splitlines():
        row = ROW.match(line) or SENTENCE.match(line)
        if row is None:
            heading = ROUNDS.sub("", line).strip() or heading
            continue
        above = heading if line.startswith(" ") else ""
        label = TIME.sub("", row["label"])  # the time of a first call may be a part of it
        for place, (size, unit) in enumerate(TIME.findall(row["times"])):
            found[above, label, place] = float(size) * SECONDS[unit]
    return found


def run(checkout: Path, name: str, rounds: int) -> dict[Row, float] | str:
    """The times of a benchmark with the code of a checkout, or why it could not run."""
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    failed = ""
    for scripts in (checkout, HERE):
        command = [sys.executable, scripts / "tools" / "bench.py", name, "--rounds", str(rounds)]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        if done.returncode == 0:
            return times_in(done.stdout)
        failed = (done.stderr.strip().splitlines() or ["it failed without a message"])[-1]
    return failed


def check_code(checkout: Path) -> None:
    """Exits if Python would import the code of another checkout."""
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    code = "import autograph, runtime; print(autograph.__file__, runtime.__file__, sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, env=environment
    )
    for file in done.stdout.split() or [done.stderr]:
        if not Path(file).is_relative_to(checkout):
            raise SystemExit(f"{checkout} would be compared by the code in {file}")


def compare_checkouts(other: Path, names: list[str], rounds: int, passes: int) -> None:
    """Prints, for each row, the times of both sides and the ratio of this one to the other."""
    other = other.resolve()
    for checkout in (HERE, other):
        check_code(checkout)
    print(f"this: {HERE}\nother: {other}\n{passes} passes, medians and the ratio this/other,")
    print("in brackets the ratio of the shortest times")
    for name in names:
        taken: dict[Path, list[dict[Row, float]]] = {HERE: [], other: []}
        failed = None
        for number in range(passes):
            for checkout in (HERE, other) if number % 2 == 0 else (other, HERE):
                found = run(checkout, name, rounds)
                if isinstance(found, str):
                    failed = f"{checkout}: {found}"
                    break
                taken[checkout].append(found)
            if failed:
                break
        print(f"\n== {name}" + (f": {failed}" if failed else ""))
        if not failed:
            _print_ratios(taken[HERE], taken[other])


def _print_ratios(these: list[dict[Row, float]], others: list[dict[Row, float]]) -> None:
    heading = None
    for row in these[0]:
        above, label, place = row
        if not all(row in times for times in (*these, *others)):
            continue
        if above != heading:
            heading = above
            print(f"{above}")
        mine, theirs = [t[row] for t in these], [t[row] for t in others]
        one, other = statistics.median(mine), statistics.median(theirs)
        label = label + (f" [{place + 1}]" if place else "")
        ratios = f"x{one / other:.2f}  (x{min(mine) / min(theirs):.2f})" if other else "-"
        print(f"  {label:<40}{_shown(one):>12}{_shown(other):>12}   {ratios}")


def _shown(seconds: float) -> str:
    unit = next((unit for unit, size in SECONDS.items() if seconds >= size), "us")
    return f"{seconds / SECONDS[unit]:.2f} {unit}"
