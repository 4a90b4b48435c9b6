"""Lists that may be None, as arguments of the functions that take iterables."""

import numpy as np
from support.engine_runs import Cases

CASES = Cases()
program = CASES.program
A = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
ARGS = ((A, 2.5), (A, 10.0), (A[:0], 1.0))


def best_of(x, t):
    best = None
    if np.sum(x) > t * 3:
        best = [v for v in x if v > t]
    return best


@program(*ARGS)
def optional_list_sum(x, t):
    return sum(best_of(x, t))


@program(*ARGS)
def optional_list_max(x, t):
    return max(best_of(x, t))


@program(*ARGS)
def optional_list_len(x, t):
    return len(best_of(x, t))


@program(*ARGS)
def optional_list_sorted(x, t):
    return sorted(best_of(x, t))


@program(*ARGS)
def optional_list_for(x, t):
    s = 0
    for v in best_of(x, t):
        s += v
    return s


@program(*ARGS)
def optional_list_enum(x, t):
    s = 0
    for i, v in enumerate(best_of(x, t)):
        s += v * i
    return s


@program(*ARGS)
def optional_list_comp(x, t):
    return [v * 2 for v in best_of(x, t)]


@program(*ARGS)
def optional_list_list(x, t):
    return list(best_of(x, t))


@program(*ARGS)
def optional_list_index(x, t):
    return best_of(x, t)[0]


@program(*ARGS, refused=True)
def optional_list_array(x, t):
    return np.array(best_of(x, t)).sum()


@program(*ARGS)
def optional_list_in(x, t):
    return 3.0 in best_of(x, t)


@program(*ARGS)
def optional_list_or(x, t):
    return best_of(x, t) or [0.0]


@program(*ARGS)
def optional_list_if(x, t):
    b = best_of(x, t)
    if b:
        return sum(b), max(b), sorted(b), len(b), list(zip(b, b[1:])), np.mean(b)
    return None


@program(*ARGS)
def optional_list_not_none(x, t):
    b = best_of(x, t)
    if b is not None:
        return sum(b), sorted(b), len(b), np.sum(b), any(v > 3 for v in b)
    return None


@program(*ARGS)
def optional_list_any(x, t):
    return any(v > 3 for v in best_of(x, t))


@program(*ARGS)
def optional_list_zip(x, t):
    return [a + b for a, b in zip(best_of(x, t), x)]


@program(*ARGS)
def optional_list_min_default(x, t):
    return min(best_of(x, t), default=0)


@program(*ARGS)
def optional_list_tuple(x, t):
    return tuple(best_of(x, t))


@program(*ARGS)
def optional_list_set(x, t):
    return len(set(best_of(x, t)))


@program(*ARGS)
def optional_list_join(x, t):
    return ",".join(f"{v}" for v in best_of(x, t))


@program(*ARGS)
def optional_list_rev(x, t):
    return list(reversed(best_of(x, t)))


@program(*ARGS)
def optional_list_map(x, t):
    return list(map(abs, best_of(x, t)))


@program(*ARGS)
def optional_list_plus(x, t):
    return best_of(x, t) + [1.0]


@program(*ARGS)
def optional_list_star(x, t):
    a, *b = best_of(x, t)
    return a, b


@program(*ARGS)
def optional_list_extend(x, t):
    z = [0.0]
    z.extend(best_of(x, t))
    return z


@program(*ARGS, refused=True)
def optional_list_np_sum(x, t):
    return np.sum(best_of(x, t)), np.mean(best_of(x, t))


@program(*ARGS)
def optional_starred(x, t):
    a, *b = best_of(x, t)
    return a, b


@program(*ARGS)
def optional_extended(x, t):
    return [0.0, *best_of(x, t)]


@program(*ARGS)
def optional_unpacked(x, t):
    a, b, c = best_of(x, t)
    return a, b


@program(*ARGS)
def optional_unpacked_in_branch(x, t):
    b = best_of(x, t)
    if b is not None:
        p, q, r = b
        return [*b, 1], p
    return 0


@program(*ARGS)
def optional_pair_unpacked(x, t):
    best = None
    for i, v in enumerate(x):
        if v > t and (best is None or v > best[1]):
            best = (i, v)
    i, v = best
    return i, v


@program(*ARGS)
def optional_pair_starred(x, t):
    best = None
    for i, v in enumerate(x):
        if v > t and (best is None or v > best[1]):
            best = (i, v)
    a, *b = best
    return a, b


@program(*ARGS)
def optional_pair_iterated(x, t):
    best = None
    for i, v in enumerate(x):
        if v > t and (best is None or v > best[1]):
            best = (i, v)
    for q in best:
        t = t + q
    return t, sum(best), list(best)
