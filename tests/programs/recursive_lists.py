"""Functions that call themselves with lists, and those that would show which list it was."""

import numpy as np
from support.engine_runs import Cases

CASES = Cases()
program = CASES.program
A = np.array([3.0, 1.0, 2.0, 5.0, 4.0, 9.0, 7.0, 8.0, 0.5])
B = np.array([0.0, -1.0])


def sort1(v):
    if len(v) <= 1:
        return v
    pivot = v[0]
    left = [q for q in v[1:] if q < pivot]
    right = [q for q in v[1:] if q >= pivot]
    return sort1(left) + [pivot] + sort1(right)


@program((A,), (B,), (A[:0],), (A[:1],), refused=True)
def changed_result(x):
    small = [v for v in x if v > 2]
    done = sort1(small)
    done.append(100.0)
    return small, done


@program((A,), (B,), (A[:0],), (A[:1],), refused=True)
def changed_argument(x):
    small = [v for v in x if v > 2]
    done = sort1(small)
    small.append(100.0)
    return small, done


@program((A,), (B,), (A[:0],), (A[:1],), refused=True)
def changed_argument_len(x):
    small = [v for v in x if v > 2]
    done = sort1(small)
    small.append(100.0)
    return len(small), len(done)


@program((A,), (B,), (A[:0],), (A[:1],), refused=True)
def same_object(x):
    small = [v for v in x if v > 2]
    return sort1(small) is small


@program((A,), (B,), (A[:0],), (A[:1],))
def both_returned(x):
    small = [v for v in x if v > 2]
    return small, sort1(small)


def kept(v, log):
    log.append(v)
    if len(v) <= 1:
        return 0
    return 1 + kept([q for q in v if q < v[0]], log)


@program((A,), (B,), (A[:0],), (A[:1],), refused=True)
def logs_lists(x):
    log = []
    small = [v for v in x if v > 2]
    n = kept(small, log)
    small.append(5.0)
    return n, log


class Box:
    pass


def boxed(v, box):
    box.best = v
    if len(v) <= 1:
        return 0
    return 1 + boxed([q for q in v if q < v[0]], box)


@program((A,), (B,), (A[:0],), (A[:1],), refused=True)
def stored_in_object(x):
    box = Box()
    small = [v for v in x if v > 2]
    n = boxed(small, box)
    small.append(5.0)
    return n, box.best


def changing(v):
    if len(v) <= 1:
        return 0
    v.append(-1.0)
    return 1 + changing([q for q in v if q < v[0]])


@program((A,), (B,), (A[:0],), (A[:1],), refused=True)
def changes_argument(x):
    small = [v for v in x if v > 2]
    n = changing(small)
    return n, small


def popping(v):
    if not v:
        return 0
    a = v.pop()
    return a + popping(v)


@program((A,), (B,), (A[:0],), (A[:1],))
def pops_argument(x):
    small = [v for v in x if v > 2]
    n = popping(small)
    return n, small


def chunks(v):
    if len(v) <= 2:
        return [v]
    h = len(v) // 2
    return chunks(v[:h]) + chunks(v[h:])


@program((A,), (B,), (A[:0],), (A[:1],), refused=True)
def chunked(x):
    small = [v for v in x if v > 2]
    c = chunks(small)
    small.append(1.0)
    return c, small


@program((A,), (B,), (A[:0],), (A[:1],), refused=True)
def chunked_changed(x):
    small = [v for v in x if v > 2]
    c = chunks(small)
    c[0].append(1.0)
    return c, small


def shared(v):
    if len(v) <= 1:
        r = list(v)
        return r, r
    a, b = shared(v[1:])
    a.append(v[0])
    return a, b


@program((A,), (B,), (A[:0],), (A[:1],), refused=True)
def returns_twice(x):
    small = [v for v in x if v > 2]
    return shared(small)


def listed(n, out):
    if n <= 0:
        return []
    r = listed(n - 1, out)
    r.append(n)
    out.append(r)
    return r


@program((np.int64(3),), (np.int64(0),), refused=True)
def one_list_many_times(n):
    out = []
    r = listed(n, out)
    return out, r


GLOBAL = [1.0]


def with_global(v):
    GLOBAL.append(1.0)
    if len(v) <= 1:
        return len(v)
    return with_global([q for q in v if q < v[0]]) + len(v)


@program((A,), (B,), (A[:0],), (A[:1],), refused=True)
def global_list(x):
    del GLOBAL[1:]
    n = with_global(GLOBAL) + with_global([v for v in x if v > 2])
    return n, len(GLOBAL)


@program((A,), (B,), (A[:0],), (A[:1],), refused=True)
def outer_list_is_argument(x):
    acc = [v for v in x if v > 2]

    def walk(v):
        acc.append(1.0)
        if len(v) <= 1 or len(acc) > 20:
            return len(v)
        return walk([q for q in v if q < v[0]]) + len(v)

    n = walk(acc)
    return n, acc


@program((A,), (B,), (A[:0],), (A[:1],), refused=True)
def result_in_list_changed(x):
    small = [v for v in x if v > 2]
    out = []
    for k in range(int(np.sum(x > 1))):
        r = sort1(small)
        r.append(3.0)
        out.append(r)
    return out, small


def longest(v, best):
    if not v:
        return best
    if v[0] > 3:
        best = v
    return longest(v[1:], best)


@program((A,), (B,), (A[:0],), (A[:1],))
def accumulates(x):
    small = [v for v in x if v > 2]
    return longest(small, [])


@program((A,), (B,), (A[:0],), (A[:1],), refused=True)
def accumulates_changed(x):
    small = [v for v in x if v > 0]
    r = longest(small, [])
    r.append(3.0)
    return r, small


def grow(n, acc):
    if n == 0:
        return acc
    return grow(n - 1, acc + [n])


@program((np.int64(4),), (np.int64(0),))
def grown(n):
    return grow(n, [])


def grow2(n, acc):
    if n == 0:
        return acc
    acc.append(n)
    return grow2(n - 1, acc)


@program((np.int64(4),), (np.int64(0),))
def grown_in_place(n):
    a = []
    b = grow2(n, a)
    b.append(7)
    return a, b, a is b


def msort(v):
    if len(v) <= 1:
        return v
    mid = len(v) // 2
    a, b = msort(v[:mid]), msort(v[mid:])
    out = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    return out + a[i:] + b[j:]


@program((A,), (B,), (A[:0],), (A[:1],), (np.array([3, 1, 2]),))
def merge_sort_staged(x):
    return msort([v for v in x if v > -5])


def permutations(v):
    if len(v) == 0:
        return [[]]
    out = []
    for i in range(len(v)):
        rest = v[:i] + v[i + 1 :]
        for p in permutations(rest):
            out.append([v[i]] + p)
    return out


@program((A[:3],), (B,), (A[:0],))
def perms_staged(x):
    return permutations([v for v in x if v > -5])


def subsets(v):
    if not v:
        return [[]]
    rest = subsets(v[1:])
    return rest + [[v[0]] + r for r in rest]


@program((A[:3],), (B,), (A[:0],))
def subsets_staged(x):
    return subsets([v for v in x if v > -5])


@program((A[:3],), (B,), (A[:0],), refused=True)
def subsets_changed(x):
    s = subsets([v for v in x if v > -5])
    s[0].append(1.0)
    return s


def pairs(v):
    if len(v) < 2:
        return []
    (a, i), (b, j) = v[0], v[1]
    return [(a + b, i * j)] + pairs(v[2:])


@program((A,), (B,), (A[:0],))
def sums_of_pairs(x):
    return pairs([(v, k) for k, v in enumerate(x) if v > -5])


def total(v):
    if not v:
        return 0
    return v[0] + total(v[1:])


@program((A,), (B,), (A[:0],), (np.array([1, 2]),))
def sum_recursive(x):
    return total([v for v in x if v > 1])


def binary(v, t, lo=0):
    if not v:
        return -1
    m = len(v) // 2
    if v[m] == t:
        return lo + m
    if v[m] < t:
        return binary(v[m + 1 :], t, lo + m + 1)
    return binary(v[:m], t, lo)


@program((A, 5.0), (B, 1.0), (A[:0], 1.0), (np.array([1, 2]), 2))
def binary_recursive(x, t):
    return binary(sorted(v for v in x if v > 0), t)


def combos(v, k):
    if k == 0:
        return [[]]
    if not v:
        return []
    return [[v[0]] + c for c in combos(v[1:], k - 1)] + combos(v[1:], k)


@program((A[:4], 2), (B, 1), (A[:0], 1))
def combinations_staged(x, k):
    return combos([v for v in x if v > -3], k)


def search(v, target, chosen):
    if target == 0:
        return chosen
    if not v or target < 0:
        return None
    got = search(v[1:], target - v[0], chosen + [v[0]])
    if got is not None:
        return got
    return search(v[1:], target, chosen)


@program((np.array([3, 5, 2, 8]), 10), (np.array([3]), 1), (np.array([4, 6]), 6))
def subset_sum_found(x, target):
    return search([v for v in x if v > 0], target, [])


def maxd(v):
    if len(v) == 1:
        return v[0]
    m = maxd(v[1:])
    return m if m > v[0] else v[0]


@program((A,), (B,))
def max_recursive(x):
    return maxd([v for v in x])
