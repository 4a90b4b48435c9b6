"""Beam search for the likeliest lines, with counts of the letters after each pair of letters in the
sonnets.  A staged loop extends the best beginnings by one letter each, until all have ended."""

from pathlib import Path

import numpy as np

import runtime as rt

TEXT = (Path(__file__).parent / "data" / "sonnets.txt").read_text().lower()
LETTERS = sorted(set(TEXT))
END = LETTERS.index("\n")


@rt.function
def likeliest(logarithms, first, beams, longest):
    """The best lines, as numbers of letters, and the logarithms of their probabilities in
    thousandths, with 1,200 for each letter: else the shortest lines would be the best ones."""
    count = len(logarithms)
    lines = np.full((beams, longest), END)
    lines[:, :2] = first
    scores = np.where(np.arange(beams) == 0, 0.0, -np.inf)  # one beginning, to begin with
    for length in range(2, longest):
        before, last = lines[:, length - 2], lines[:, length - 1]
        ended = (last == END)[:, None]
        # A line that has ended stays as it is: END is all that may follow.
        following = np.where(np.arange(count) == END, 0.0, -np.inf)
        longer = scores[:, None] + np.where(ended, following, logarithms[before, last] + 1200)
        best = np.argsort(-longer.ravel(), kind="stable")[:beams]
        scores = longer.ravel()[best]
        lines = lines[best // count]
        lines[:, length] = best % count
        if np.all(lines[:, length] == END):
            print("all lines have ended after", length, "letters")
            break
    return lines, scores


numbers = np.array([LETTERS.index(letter) for letter in TEXT])
counts = np.full([len(LETTERS)] * 3, 0.001)
np.add.at(counts, (numbers[:-2], numbers[1:-1], numbers[2:]), 1)
# Whole thousandths: their sums are exact, so lines of equal probability tie on every machine.
logarithms = np.rint(1000 * np.log(counts / counts.sum(axis=2, keepdims=True)))

for letters in ("wh", "be", "lo"):
    first = np.array([LETTERS.index(letter) for letter in letters])
    lines, scores = likeliest(logarithms, first, np.int64(20), np.int64(50))
    for line, score in zip(lines[:3], scores, strict=False):
        print(f"{score / 1000:8.3f}", "".join(LETTERS[n] for n in line).strip())
