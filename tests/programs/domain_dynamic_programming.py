"""Dynamic programming over arrays: tables that are filled entry by entry."""

import numpy as np
from collection import Collection

PROGRAMS = Collection()
example = PROGRAMS.example

rng = np.random.default_rng(3)
WORD = rng.integers(0, 4, 14)
OTHER = rng.integers(0, 4, 12)
WEIGHTS = rng.integers(1, 9, 10)
VALUES = rng.integers(5, 50, 10)
PRICES = rng.random(30) * 100
COSTS = rng.random((9, 11))
CHAIN = rng.integers(5, 40, 8)


@example(WORD, OTHER)
def edit_distance(a, b):
    n, m = len(a), len(b)
    d = np.zeros((n + 1, m + 1), dtype=int)
    d[:, 0] = np.arange(n + 1)
    d[0, :] = np.arange(m + 1)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)
    return d[n, m]


@example(WORD, OTHER)
def longest_common_subsequence(x, y):
    m, n = len(x), len(y)
    c = np.zeros((m + 1, n + 1), dtype=np.int64)
    for i in range(m):
        for j in range(n):
            if x[i] == y[j]:
                c[i + 1, j + 1] = c[i, j] + 1
            else:
                c[i + 1, j + 1] = max(c[i + 1, j], c[i, j + 1])
    length = c[m, n]
    out = np.full(min(m, n), -1)
    i, j, k = m, n, length - 1
    while i > 0 and j > 0:
        if x[i - 1] == y[j - 1]:
            out[k] = x[i - 1]
            i, j, k = i - 1, j - 1, k - 1
        elif c[i - 1, j] >= c[i, j - 1]:
            i -= 1
        else:
            j -= 1
    return length, out


@example(WEIGHTS, VALUES, 25)
def knapsack(weights, values, capacity):
    best = np.zeros(capacity + 1, dtype=np.int64)
    for i in range(len(weights)):
        for w in range(capacity, weights[i] - 1, -1):
            best[w] = max(best[w], best[w - weights[i]] + values[i])
    return best


@example(WEIGHTS, VALUES, 20)
def knapsack_table(weights, values, capacity):
    n = len(weights)
    table = [[0 for _ in range(capacity + 1)] for _ in range(n + 1)]
    for i in range(1, n + 1):
        for w in range(1, capacity + 1):
            if weights[i - 1] <= w:
                table[i][w] = max(values[i - 1] + table[i - 1][w - weights[i - 1]], table[i - 1][w])
            else:
                table[i][w] = table[i - 1][w]
    return table[n][capacity]


@example(np.array([1, 5, 10, 25]), 63)
def coin_change(coins, amount):
    ways = np.zeros(amount + 1, dtype=np.int64)
    ways[0] = 1
    for coin in coins:
        for value in range(coin, amount + 1):
            ways[value] += ways[value - coin]
    return ways[amount]


@example(np.array([4, 3, 1]), 22)
def fewest_coins(coins, amount):
    fewest = np.full(amount + 1, np.inf)
    fewest[0] = 0
    for a in range(1, amount + 1):
        for c in coins:
            if c <= a and fewest[a - c] + 1 < fewest[a]:
                fewest[a] = fewest[a - c] + 1
    return fewest[amount] if fewest[amount] != np.inf else -1


@example(CHAIN)
def matrix_chain(p):
    n = len(p) - 1
    m = np.zeros((n, n))
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            m[i, j] = np.inf
            for k in range(i, j):
                q = m[i, k] + m[k + 1, j] + p[i] * p[k + 1] * p[j + 1]
                if q < m[i, j]:
                    m[i, j] = q
    return m[0, n - 1]


@example(PRICES)
def longest_increasing(x):
    n = len(x)
    length = np.ones(n, dtype=int)
    for i in range(1, n):
        for j in range(i):
            if x[j] < x[i] and length[j] + 1 > length[i]:
                length[i] = length[j] + 1
    return length.max()


@example(rng.standard_normal(30))
def largest_sum(x):
    best = current = x[0]
    start = begin = end = 0
    for i in range(1, len(x)):
        if current < 0:
            current = x[i]
            start = i
        else:
            current += x[i]
        if current > best:
            best = current
            begin, end = start, i
    return best, begin, end


@example(COSTS)
def cheapest_path(cost):
    rows, columns = cost.shape
    total = cost.copy()
    for i in range(1, rows):
        total[i, 0] += total[i - 1, 0]
    for j in range(1, columns):
        total[0, j] += total[0, j - 1]
    for i in range(1, rows):
        for j in range(1, columns):
            total[i, j] += min(total[i - 1, j], total[i, j - 1], total[i - 1, j - 1])
    return total


@example(COSTS)
def seam(energy):
    h, w = energy.shape
    m = energy.copy()
    back = np.zeros((h, w), dtype=np.int64)
    for i in range(1, h):
        for j in range(w):
            left = max(j - 1, 0)
            k = left + np.argmin(m[i - 1, left : j + 2])
            back[i, j] = k
            m[i, j] += m[i - 1, k]
    path = np.zeros(h, dtype=np.int64)
    path[-1] = np.argmin(m[-1])
    for i in range(h - 2, -1, -1):
        path[i] = back[i + 1, path[i + 1]]
    return path


@example(PRICES)
def two_trades(prices):
    n = len(prices)
    first = np.zeros(n)
    low = prices[0]
    for i in range(1, n):
        low = min(low, prices[i])
        first[i] = max(first[i - 1], prices[i] - low)
    best = 0.0
    high = prices[n - 1]
    second = 0.0
    for i in range(n - 2, -1, -1):
        high = max(high, prices[i])
        second = max(second, high - prices[i])
        best = max(best, first[i] + second)
    return best


@example(rng.random(20), rng.random(24))
def time_warping(a, b):
    n, m = len(a), len(b)
    d = np.full((n + 1, m + 1), np.inf)
    d[0, 0] = 0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = abs(a[i - 1] - b[j - 1])
            d[i, j] = cost + np.min([d[i - 1, j], d[i, j - 1], d[i - 1, j - 1]])
    return d[n, m]


@example(WORD, OTHER)
def smith_waterman(a, b):
    match, mismatch, gap = 3, -3, 2
    h = np.zeros((a.size + 1, b.size + 1), int)
    best, where = 0, (0, 0)
    for i in range(1, h.shape[0]):
        for j in range(1, h.shape[1]):
            score = h[i - 1, j - 1] + (match if a[i - 1] == b[j - 1] else mismatch)
            h[i, j] = max(score, h[i - 1, j] - gap, h[i, j - 1] - gap, 0)
            if h[i, j] > best:
                best, where = h[i, j], (i, j)
    return h, where


@example(WORD, OTHER)
def needleman_wunsch(a, b):
    n, m = len(a), len(b)
    f = np.zeros((n + 1, m + 1))
    for i in range(n + 1):
        f[i, 0] = -i
    for j in range(m + 1):
        f[0, j] = -j
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            s = 1 if a[i - 1] == b[j - 1] else -1
            f[i, j] = max(f[i - 1, j - 1] + s, f[i - 1, j] - 1, f[i, j - 1] - 1)
    return f[n, m]


@example(rng.integers(0, 4, 16))
def nussinov(seq):
    n = seq.shape[0]
    table = np.zeros((n, n), np.int32)
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            if j - 1 >= 0:
                table[i, j] = max(table[i, j], table[i, j - 1])
            if i + 1 < n:
                table[i, j] = max(table[i, j], table[i + 1, j])
            if j - 1 >= 0 and i + 1 < n:
                if i < j - 1:
                    table[i, j] = max(
                        table[i, j], table[i + 1, j - 1] + (1 if seq[i] + seq[j] == 3 else 0)
                    )
                else:
                    table[i, j] = max(table[i, j], table[i + 1, j - 1])
            for k in range(i + 1, j):
                table[i, j] = max(table[i, j], table[i, k] + table[k + 1, j])
    return table


@example(rng.random((4, 4)), rng.random((4, 5)), rng.random(4), rng.integers(0, 5, 12))
def viterbi(transition, emission, start, observed):
    states, n = transition.shape[0], len(observed)
    v = np.zeros((n, states))
    back = np.zeros((n, states), dtype=int)
    v[0] = np.log(start) + np.log(emission[:, observed[0]])
    for t in range(1, n):
        for s in range(states):
            scores = v[t - 1] + np.log(transition[:, s])
            back[t, s] = np.argmax(scores)
            v[t, s] = scores[back[t, s]] + np.log(emission[s, observed[t]])
    path = [np.argmax(v[-1])]
    for t in range(n - 1, 0, -1):
        path.append(back[t, path[-1]])
    path.reverse()
    return np.array(path), v


@example(rng.random((4, 4)), rng.random((4, 5)), rng.random(4), rng.integers(0, 5, 12))
def forward_algorithm(transition, emission, start, observed):
    alpha = start * emission[:, observed[0]]
    likelihood = 0.0
    for o in observed[1:]:
        alpha = (alpha @ transition) * emission[:, o]
        scale = alpha.sum()
        likelihood += np.log(scale)
        alpha = alpha / scale
    return likelihood


@example(30)
def fibonacci_table(n):
    f = np.zeros(n + 1, dtype=np.int64)
    f[1] = 1
    for i in range(2, n + 1):
        f[i] = f[i - 1] + f[i - 2]
    return f


@example(np.array([3, 34, 4, 12, 5, 2]), 9)
def subset_sum(numbers, target):
    possible = np.zeros((len(numbers) + 1, target + 1), dtype=bool)
    possible[:, 0] = True
    for i in range(1, len(numbers) + 1):
        for s in range(1, target + 1):
            if numbers[i - 1] > s:
                possible[i, s] = possible[i - 1, s]
            else:
                possible[i, s] = possible[i - 1, s] or possible[i - 1, s - numbers[i - 1]]
    return possible[-1, -1]


@example(np.array([1, 5, 8, 9, 10, 17, 17, 20]))
def rod_cutting(prices):
    n = len(prices)
    best = [0] * (n + 1)
    for j in range(1, n + 1):
        q = -1
        for i in range(j):
            q = max(q, prices[i] + best[j - i - 1])
        best[j] = q
    return best[n]


@example(np.array([[1, 1, 0, 1], [1, 1, 1, 1], [0, 1, 1, 1], [1, 1, 1, 1]]))
def largest_square(m):
    rows, cols = m.shape
    size = np.zeros_like(m)
    for i in range(rows):
        for j in range(cols):
            if m[i, j]:
                if i == 0 or j == 0:
                    size[i, j] = 1
                else:
                    size[i, j] = 1 + min(size[i - 1, j], size[i, j - 1], size[i - 1, j - 1])
    return size.max() ** 2
