"""The Levenshtein distance of two words, by loops over elements: machine code where the extra
`native` is installed.  The same function, unconverted, is Python."""

import numpy as np

import runtime as rt


@rt.function(engine="native")
def distance(first, second):
    """How many letters must be inserted, removed or replaced to make one word of the other."""
    above = np.arange(len(second) + 1)
    for i in range(len(first)):
        row = np.zeros_like(above)
        row[0] = i + 1
        for j in range(len(second)):
            replaced = above[j] + (first[i] != second[j])
            row[j + 1] = min(replaced, above[j + 1] + 1, row[j] + 1)
        above = row
    return above[-1]


def letters(word):
    return np.array([ord(letter) for letter in word], dtype=int)


WORDS = [("kitten", "sitting"), ("flaw", "lawn"), ("", "abc"), ("intention", "execution")]
for first, second in WORDS:
    print(f"{first!r} and {second!r}: {distance(letters(first), letters(second))}")


rng = np.random.default_rng(0)
long, other = rng.integers(0, 4, 300), rng.integers(0, 4, 300)
print("300 random letters:", distance(long, other), "- in Python:", rt.eager(distance)(long, other))
