"""Functions that call themselves and return lists, as people write them."""

import numpy as np
from support.engine_runs import Cases

CASES = Cases()
program = CASES.program
A = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
E = A[:0]


def sort1(v):
    if len(v) <= 1:
        return v
    pivot = v[0]
    left = [q for q in v[1:] if q < pivot]
    right = [q for q in v[1:] if q >= pivot]
    return sort1(left) + [pivot] + sort1(right)


@program((A,), (E,))
def quick_list(xs):
    return sort1(list(xs))


@program((A,), (E,))
def quick_array_in(xs):
    return sort1(xs.tolist())


def merge(a, b):
    out = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    out.extend(a[i:])
    out.extend(b[j:])
    return out


def msort(v):
    if len(v) <= 1:
        return v
    mid = len(v) // 2
    return merge(msort(v[:mid]), msort(v[mid:]))


@program((A,), (E,))
def merge_sort(xs):
    return msort(list(xs))


@program((A,), (E,))
def merge_sort_array(xs):
    return msort(xs)


def qsort_np(x):
    if len(x) <= 1:
        return x
    p = x[0]
    return np.concatenate([qsort_np(x[1:][x[1:] < p]), [p], qsort_np(x[1:][x[1:] >= p])])


@program((A,), (E,))
def quick_arrays(xs):
    return qsort_np(xs)


def partition(a, lo, hi):
    p = a[hi]
    i = lo - 1
    for j in range(lo, hi):
        if a[j] <= p:
            i += 1
            a[i], a[j] = a[j], a[i]
    a[i + 1], a[hi] = a[hi], a[i + 1]
    return i + 1


def qs(a, lo, hi):
    if lo < hi:
        p = partition(a, lo, hi)
        qs(a, lo, p - 1)
        qs(a, p + 1, hi)


@program((A,), (E,))
def quick_in_place(xs):
    a = list(xs)
    qs(a, 0, len(a) - 1)
    return a


@program((A,), (E,))
def quick_in_place_array(xs):
    a = xs.copy()
    qs(a, 0, len(a) - 1)
    return a


def subsets(v, i, current, out, target):
    if target == 0:
        out.append(list(current))
        return
    if i == len(v) or target < 0:
        return
    current.append(v[i])
    subsets(v, i + 1, current, out, target - v[i])
    current.pop()
    subsets(v, i + 1, current, out, target)


@program((np.array([1, 2, 3, 4]), 5), (np.array([2]), 3))
def subset_sums(v, target):
    out = []
    subsets(v, 0, [], out, target)
    return out


def hanoi(n, a, b, c, moves):
    if n == 0:
        return
    hanoi(n - 1, a, c, b, moves)
    moves.append((n, a, b))
    hanoi(n - 1, c, b, a, moves)


@program((np.array([3]),), (np.array([0]),))
def towers(n):
    moves = []
    hanoi(n[0], 0, 1, 2, moves)
    return moves


def gcd_list(v):
    if len(v) == 1:
        return v[0]
    return np.gcd(v[0], gcd_list(v[1:]))


@program((np.array([12, 18, 24]),), (np.array([5]),))
def gcds(v):
    return gcd_list([q for q in v if q > 0])


def flat_max(v, lo, hi):
    if lo == hi:
        return v[lo]
    mid = (lo + hi) // 2
    a = flat_max(v, lo, mid)
    b = flat_max(v, mid + 1, hi)
    return a if a > b else b


@program((A,), (A[:1],))
def max_divide(v):
    return flat_max(v, 0, len(v) - 1)


def permutations(v):
    if len(v) == 0:
        return [[]]
    out = []
    for i in range(len(v)):
        rest = v[:i] + v[i + 1 :]
        for p in permutations(rest):
            out.append([v[i]] + p)
    return out


@program((A[:3],), (E,))
def perms(x):
    return permutations(list(x))


def power(b, e):
    if e == 0:
        return 1
    h = power(b, e // 2)
    return h * h if e % 2 == 0 else h * h * b


@program((2, 10), (np.float64(1.5), 3), (3, 0))
def powers(b, e):
    return power(b, e)


def build(n):
    if n <= 0:
        return []
    return build(n - 1) + [n]


@program((np.int64(4),), (np.int64(0),))
def built(n):
    return build(n)


def halves(n):
    if n < 2:
        return [n]
    return halves(n // 2) + [n] + halves(n // 3)


@program((np.int64(14),), (np.int64(0),))
def halved(n):
    return halves(n)


def appended(n):
    if n <= 0:
        return []
    r = appended(n - 1)
    r.append(n)
    return r


@program((np.int64(4),), (np.int64(0),))
def built_by_append(n):
    return appended(n)


def digits(n):
    if n < 10:
        return [n]
    rest = digits(n // 10)
    rest.append(n % 10)
    return rest


@program((np.int64(1456),), (np.int64(3),))
def digits_of(n):
    return digits(n), sum(digits(n))


def collatz(n):
    if n == 1:
        return [1]
    return [n] + collatz(n // 2 if n % 2 == 0 else 3 * n + 1)


@program((np.int64(6),), (np.int64(1),))
def hailstones(n):
    return collatz(n)


def both(n):
    if n < 2:
        return [n, 1]
    a, b = both(n // 2)
    return [b, a + n]


@program((np.int64(14),), (np.int64(0),))
def two_numbers(n):
    return both(n)


def depth(n):
    if n < 2:
        return (n, [n])
    a, zs = depth(n // 2)
    zs.append(a)
    return a + 1, zs


@program((np.int64(14),), (np.int64(0),))
def pair_with_list(n):
    return depth(n)


def paths(n, target):
    if n == target:
        return [[n]]
    if n > target:
        return []
    found = []
    for step in (1, 2):
        for rest in paths(n + step, target):
            found.append([n] + rest)
    return found


@program((np.int64(1), np.int64(4)), (np.int64(0), np.int64(0)))
def stairs(n, target):
    return paths(n, target)


def kept_if(n, chosen):
    if n <= 0:
        return chosen
    got = kept_if(n - 3, chosen + [n])
    if got[0] > 2:
        return got
    return kept_if(n - 2, chosen)


@program((np.int64(7),), (np.int64(1),))
def chosen_of_two(n):
    return kept_if(n, [1])


def last_or_first(n, chosen):
    if n <= 0:
        return chosen
    got = last_or_first(n - 3, chosen + [n])
    r = last_or_first(n - 2, chosen)
    return r if got[0] > 2 else got


@program((np.int64(7),), (np.int64(1),))
def chosen_results(n):
    return last_or_first(n, [1])


def first_found(n, chosen):
    if n == 0:
        return chosen
    if n < 0:
        return None
    got = first_found(n - 3, chosen + [n])
    if got is not None:
        return got
    return first_found(n - 2, chosen)


@program((np.int64(7),), (np.int64(1),))
def found_list(n):
    return first_found(n, [])


def first_new(n):
    if n == 0:
        return [n]
    if n < 0:
        return None
    got = first_new(n - 3)
    if got is not None:
        return got
    return first_new(n - 2)


@program((np.int64(7),), (np.int64(1),))
def found_new_list(n):
    return first_new(n)


def first_of_one(n):
    if n < 0:
        return None
    if n == 0:
        return [n]
    return first_of_one(n - 2)


@program((np.int64(7),), (np.int64(1),))
def found_in_one(n):
    return first_of_one(n)


def first_pair(n):
    if n < 0:
        return None
    if n == 0:
        return (n, 1)
    got = first_pair(n - 3)
    if got is not None:
        return got
    return first_pair(n - 2)


@program((np.int64(7),), (np.int64(1),))
def found_pair(n):
    return first_pair(n)
