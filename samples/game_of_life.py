"""Conway's game of life, until it is over: until a pattern is one that was there before.

python samples/game_of_life.py --picture life.png          (pip install autograph-numpy[pictures])
"""

import sys

import numpy as np

import runtime as rt

GLIDER = np.array([[0, 1, 0], [0, 0, 1], [1, 1, 1]])
ACORN = np.array([[0, 1, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0], [1, 1, 0, 0, 1, 1, 1]])


def following(cells):
    """The next generation, on a torus."""
    neighbours = np.zeros_like(cells)
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            if (down, right) != (0, 0):
                neighbours += np.roll(cells, (down, right), axis=(0, 1))
    return ((neighbours == 3) | ((cells == 1) & (neighbours == 2))).astype(cells.dtype)


@rt.function
def play(cells, most):
    """The last pattern, when it was first there, how often it repeats, and the living cells of
    each generation.  A second game runs at half the speed, to find a repetition (Floyd, 1967)."""
    slow, living = cells, []
    for generation in range(1, most + 1):
        living.append(np.sum(cells))
        cells = following(cells)
        if generation % 2 == 0:
            slow = following(slow)
        if np.all(cells == slow):
            break
    else:
        return cells, most, 0, np.array(living)
    period, later = 1, following(cells)
    while not np.all(later == cells):
        later = following(later)
        period += 1
    return cells, generation, period, np.array(living)


def world(pattern, height, width):
    cells = np.zeros((height, width), dtype=np.int64)
    top, left = height // 2 - 2, width // 2 - 4
    cells[top : top + pattern.shape[0], left : left + pattern.shape[1]] = pattern
    return cells


cells, found, period, living = play(world(GLIDER, 12, 12), np.int64(1000))
print(f"glider: found after {found} generations, period {period}, {living[-1]} cells live")
cells, found, period, living = play(world(ACORN, 32, 64), np.int64(5000))
print(f"acorn: found after {found} generations, period {period}, at most {living.max()} cells live")
for row in cells:
    print("".join(".O"[cell] for cell in row))

if "--picture" in sys.argv:
    from matplotlib import pyplot

    _, (above, below) = pyplot.subplots(2, figsize=(6, 8), height_ratios=(3, 1))
    above.imshow(cells, cmap="gray_r")
    below.plot(living)
    below.set(xlabel="generation", ylabel="living cells")
    pyplot.savefig(sys.argv[-1])
