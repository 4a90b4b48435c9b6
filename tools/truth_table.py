"""Writes docs/truth_table.md: derivatives of small programs, true ones, ours, and those of others.

    python tools/truth_table.py                             the page, with the stored answers
    python tools/truth_table.py --ask PYTHON jax jax.jit    asks libraries, with the interpreter of
                                                            their environment, and stores answers

The true derivative comes from differences of the plain Python function (`truth/values.py`); where a
point is at the border of a domain it is given.  The answers of other libraries are in
`truth/answers.json`, with their versions: the page can be made where they are not installed.
"""

import argparse
import json
import math
import subprocess
from pathlib import Path
from typing import Any

from truth import branches, loops, writes  # noqa: F401  (their programs register)
from truth.programs import PROGRAMS, Program
from truth.values import is_right, ours, truth

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "truth_table.md"
ANSWERS = ROOT / "tools" / "truth" / "answers.json"
PEERS = {
    "jax": "JAX",
    "jax.jit": "JAX, `jit`",
    "torch": "PyTorch",
    "tf.function": "TensorFlow",
    "autograd": "autograd",
    "drjit": "Dr.Jit",
}
TITLES = {
    "loops": "Loops",
    "jumps": "Jumps: `break`, `continue`, `return`",
    "before": "Values from before a loop",
    "branches": "Branches",
    "not chosen": "The side that is not chosen",
    "writes": "Writes into arrays",
    "aliases": "Aliases and views",
    "second order": "Second order",
    "batches": "Batches",
}
ENOUGH = 1e-3  # the relative difference at which the answer of a library is another value

INTRODUCTION = """\
# Derivatives: the truth table

Each row is a small program in plain Python and NumPy, differentiated at one point. The true value
comes from differences of the Python function, extrapolated to 8 or more digits; at the border of a
domain it is written by hand. `right` means that a library computes this value; a number is a
**wrong value** that it returns without a warning; the name of an error means that it refuses the
program.

All libraries get the same source. The name `np` is bound to the module in which they have NumPy's
functions: `jax.numpy`, `torch`, `tf.experimental.numpy` (inside `tf.function`), `autograd.numpy`,
`drjit` (inside `@dr.syntax`, with `where`, `copy` and `zeros_like` in its own spelling).
They have other ways to write some of these programs, such as `lax.while_loop` and `x.at[i].set(y)`;
the table shows the programs as people write them for NumPy. A batch is `vmap` of the gradient
(`tf.vectorized_map` in TensorFlow; autograd has none, and is called for each element; Dr.Jit works
by element). TensorFlow computes in float64, or in float32 where it refuses float64. `abort` means
that the process ends. Dr.Jit has first derivatives of flat arrays: other programs count as refused.

`tools/truth_table.py` makes this page. A test compares it with the values that the library computes
now.
"""


def shown(values: list[float]) -> str:
    """Numbers for a cell of the table."""
    return ", ".join(f"{round(value, 9) + 0.0:.6g}" for value in values)


def agrees(found: list[float], true: list[float]) -> bool:
    scale = max(1.0, *map(abs, true))
    return len(found) == len(true) and all(
        math.isfinite(one) and abs(one - other) < ENOUGH * scale
        for one, other in zip(found, true, strict=True)
    )


def cell(given: Any, true: list[float]) -> str:
    """The answer of another library: `right`, a wrong value, or the name of an error."""
    if given is None:
        return ""
    if isinstance(given, str):
        return f"`{given}`"
    return "right" if agrees(given, true) else f"**{shown(given)}**"


def row(program: Program, answers: dict[str, Any]) -> str:
    true = truth(program)
    found = ours(program)
    own = "right" if is_right(program, found, true) else f"**{shown(found)}**"
    others = [cell(answers[peer]["answers"].get(program.name), true) for peer in answers]
    return f"| {' | '.join([program.name, shown(true), own, *others])} |"


def page(answers: dict[str, Any]) -> str:
    """The text of the page."""
    names = [f"{PEERS[peer]} {answers[peer]['version']}" for peer in answers]
    text = [INTRODUCTION, summary(answers), ""]
    for group, title in TITLES.items():
        programs = [program for program in PROGRAMS if program.group == group]
        text += [f"## {title}", ""]
        text += [f"| {' | '.join(['program', 'true', 'here', *names])} |"]
        text += ["|" + "---|" * (3 + len(names))]
        text += [row(program, answers) for program in programs]
        text += ["", "```py", "\n\n".join(map(described, programs)).rstrip(), "```", ""]
    return "\n".join(text)


def described(program: Program) -> str:
    ways = {"gradient": "at", "second": "second derivative at", "batch": "batch of gradients at"}
    return f"# {ways[program.kind]} {program.at}\n{program.source}"


def summary(answers: dict[str, Any]) -> str:
    """How many programs each library differentiates, gets wrong, and refuses."""
    trues = {program.name: truth(program) for program in PROGRAMS}
    right = sum(is_right(one, ours(one), trues[one.name]) for one in PROGRAMS)
    lines = ["| | right | wrong, silently | refused |", "|---|---|---|---|"]
    lines += [f"| here | {right} | {len(PROGRAMS) - right} | 0 |"]
    for peer in answers:
        cells = [cell(answers[peer]["answers"].get(name), true) for name, true in trues.items()]
        wrong = sum(one.startswith("**") for one in cells)
        refused = sum(one.startswith("`") for one in cells)
        lines += [f"| {PEERS[peer]} | {cells.count('right')} | {wrong} | {refused} |"]
    return "\n".join(lines)


def stored() -> dict[str, Any]:
    return json.loads(ANSWERS.read_text()) if ANSWERS.exists() else {}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ask", nargs="+", metavar=("PYTHON", "LIBRARY"))
    options = parser.parse_args()
    answers = stored()
    if options.ask:
        interpreter, *peers = options.ask
        for peer in peers:
            command = [interpreter, "-m", "truth.peers", peer]
            done = subprocess.run(
                command, cwd=ROOT / "tools", capture_output=True, text=True, check=True
            )
            answers[peer] = json.loads(done.stdout)
        answers = {peer: answers[peer] for peer in PEERS if peer in answers}
        ANSWERS.write_text(json.dumps(answers, indent=1) + "\n")
    PAGE.write_text(page(answers))


if __name__ == "__main__":
    main()
