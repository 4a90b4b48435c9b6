"""Measures the table of the native engine, for `make bench` and `make bench-quick`.

    python tools/bench_table.py [--quick] [--output build/bench]

The folder gets `table.json`, `table.md` and, with matplotlib, `ratios.svg`.  Peers that are
installed take part: numba; `jax.jit`, with loops and branches that `autograph` converts; and gcc,
whose column shows the same loops in C, called from C.  tqdm, if it is installed, shows the
progress.  Times depend on the machine; compare within a row.
"""

import argparse
import importlib.util
import json
import sys
from collections.abc import Iterable
from pathlib import Path

from benchmarks.native import ARRAY_ROWS, ROWS
from benchmarks.table import Row, markdown, measured, missing, picture


def progress(rows: list[Row]) -> Iterable[Row]:
    """The rows, with a bar on the terminal or a line for each."""
    if importlib.util.find_spec("tqdm") is not None:
        from tqdm import tqdm

        bar = tqdm(rows, unit="row", file=sys.stderr)
        for row in bar:
            bar.set_description(row[0])
            yield row
        return
    for i, row in enumerate(rows, 1):
        print(f"[{i}/{len(rows)}] {row[0]}", file=sys.stderr, flush=True)
        yield row


def main() -> None:
    """Measures, prints the table, and writes the files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="3 rounds: under two minutes")
    parser.add_argument("--rounds", type=int, default=15, help="15 unless given")
    parser.add_argument("--output", type=Path, default=Path("build/bench"), metavar="FOLDER")
    options = parser.parse_args()
    for line in missing():
        print(line, file=sys.stderr)
    rounds, seconds = (3, 0.05) if options.quick else (options.rounds, 0.2)
    table = measured(progress([*ROWS, *ARRAY_ROWS]), rounds, seconds=seconds)
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "table.json").write_text(json.dumps(table, indent=1) + "\n")
    (options.output / "table.md").write_text(markdown(table))
    print(markdown(table))
    if importlib.util.find_spec("matplotlib") is None:
        print("no picture: pip install matplotlib", file=sys.stderr)
    else:
        picture(table, str(options.output / "ratios.svg"))
    print(f"written to {options.output}", file=sys.stderr)


if __name__ == "__main__":
    main()
