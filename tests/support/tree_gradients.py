"""Gradients of random functions of trees, compared with difference quotients of plain Python.

is_refused(source, name, arguments, "native")       fails if a gradient differs
"""

import copy

import numpy as np
from loading import load
from outcomes import quiet

import runtime as rt

STEP, TOLERANCE = 1e-6, 2e-4


def paths(tree):
    """The paths of keys to the leaves of dicts and lists."""
    if isinstance(tree, (dict, list)):
        keys = tree if isinstance(tree, dict) else range(len(tree))
        return [(key, *path) for key in keys for path in paths(tree[key])]
    return [()]


def leaf_at(tree, path):
    for key in path:
        tree = tree[key]
    return tree


def moved(tree, path, at, step):
    """A copy of a tree with one element of a leaf moved."""
    new = copy.deepcopy(tree)
    *around, last = path
    leaf = np.array(leaf_at(tree, path))
    leaf[at] += step
    leaf_at(new, around)[last] = leaf[()]
    return new


def slopes(loss, tree, rest, path, at):
    """The difference quotients on both sides; None where they show a kink or a jump."""
    values = [
        loss(moved(tree, path, at, step), *copy.deepcopy(rest)) for step in (-STEP, 0.0, STEP)
    ]
    left, right = (values[1] - values[0]) / STEP, (values[2] - values[1]) / STEP
    is_smooth = abs(left - right) <= 1e-3 * (1 + abs(left) + abs(right))
    return (left + right) / 2 if is_smooth and np.isfinite(left + right) else None


def compare(loss, gradient, tree, rest):
    """Fails if a gradient differs from difference quotients."""
    found = gradient(copy.deepcopy(tree), *rest)
    assert paths(found) == paths(tree)
    for path in paths(tree):
        leaf, slope = leaf_at(tree, path), leaf_at(found, path)
        assert type(slope) is type(leaf) and slope.dtype == leaf.dtype, path
        for at in np.ndindex(np.shape(leaf)):
            wanted = slopes(loss, tree, rest, path, at)
            if wanted is not None:
                bound = TOLERANCE * (1 + abs(wanted))
                assert abs(slope[at] - wanted) <= bound, (path, at, slope[at], wanted)


def is_refused(source, name, given, engine) -> bool:
    """Whether the gradient of a program is refused; fails if it is another one."""
    loss = load(source, name).loss
    gradient = rt.function(rt.grad(loss), engine=engine)
    for x, n, tree in given:
        try:
            with quiet():
                compare(loss, gradient, tree, (x, n))
        except rt.StagingError:
            return True
        except Exception as error:
            error.add_note(f"{name}\n{x, n, tree}\n{source}")
            raise
    return False
