"""Graphs, searches, codes and tables, written by hand.

The file is long because it is a collection of independent programs.
"""

import heapq
from collections import defaultdict, deque

import numpy as np
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
GRID = np.array(
    [[0, 0, 0, 1, 0], [1, 1, 0, 1, 0], [0, 0, 0, 0, 0], [0, 1, 1, 1, 1], [0, 0, 0, 0, 0]]
)
EDGES = np.array([[0, 1, 4], [0, 2, 1], [2, 1, 2], [1, 3, 5], [2, 3, 8], [3, 4, 3]])
TEXT = np.array([1, 2, 1, 2, 1, 2, 3, 1, 2, 1, 1, 1, 1], dtype=np.uint8)
WEIGHTS = np.array([2, 3, 4, 5])
VALUES = np.array([3.0, 4.0, 5.0, 6.5])


@prog(GRID, (0, 0), (4, 4))
def a_star_path(grid, start, goal):
    def guess(cell):
        return abs(cell[0] - goal[0]) + abs(cell[1] - goal[1])

    frontier = [(guess(start), 0, start)]
    came_from = {start: None}
    cost = {start: 0}
    while frontier:
        _, so_far, cell = heapq.heappop(frontier)
        if cell == goal:
            break
        for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            i, j = cell[0] + di, cell[1] + dj
            if not (0 <= i < grid.shape[0] and 0 <= j < grid.shape[1]) or grid[i, j]:
                continue
            if (i, j) not in cost or so_far + 1 < cost[(i, j)]:
                cost[(i, j)] = so_far + 1
                came_from[(i, j)] = cell
                heapq.heappush(frontier, (so_far + 1 + guess((i, j)), so_far + 1, (i, j)))
    if goal not in came_from:
        return None
    path = []
    cell = goal
    while cell is not None:
        path.append(cell)
        cell = came_from[cell]
    return path[::-1], cost[goal]


@prog(EDGES, 5)
def dijkstra_heap(edges, n):
    neighbours = [[] for _ in range(n)]
    for u, v, w in edges:
        neighbours[u].append((v, w))
        neighbours[v].append((u, w))
    distance = [np.inf] * n
    previous = [-1] * n
    distance[0] = 0
    heap = [(0, 0)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > distance[u]:
            continue
        for v, w in neighbours[u]:
            if d + w < distance[v]:
                distance[v] = d + w
                previous[v] = u
                heapq.heappush(heap, (d + w, v))
    return distance, previous


class DisjointSets:
    def __init__(self, n):
        self.parent = list(range(n))
        self.size = [1] * n
        self.count = n

    def find(self, a):
        while self.parent[a] != a:
            self.parent[a] = self.parent[self.parent[a]]
            a = self.parent[a]
        return a

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self.size[a] < self.size[b]:
            a, b = b, a
        self.parent[b] = a
        self.size[a] += self.size[b]
        self.count -= 1
        return True


@prog(np.array([[3, 7, 1], [2, 8, 4], [6, 5, 9]]) / 10, 6)
def percolation(order, bonds):
    n = order.shape[0]
    sets = DisjointSets(n * n + 2)
    cells = sorted((float(order[i, j]), i, j) for i in range(n) for j in range(n))
    opened = np.zeros((n, n), dtype=bool)
    for count, (_, i, j) in enumerate(cells, start=1):
        opened[i, j] = True
        if i == 0:
            sets.union(j, n * n)
        if i == n - 1:
            sets.union(i * n + j, n * n + 1)
        for a, b in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)):
            if 0 <= a < n and 0 <= b < n and opened[a, b]:
                sets.union(i * n + j, a * n + b)
        if sets.find(n * n) == sets.find(n * n + 1):
            return count / (n * n), opened
    return None


@prog(np.array([[0, 10, 5, 0], [0, 0, 4, 6], [0, 0, 0, 8], [0, 0, 0, 0]]))
def max_flow(capacity):
    n = len(capacity)
    residual = capacity.copy()
    flow = 0
    while True:
        parent = [-1] * n
        parent[0] = 0
        queue = deque([0])
        while queue and parent[n - 1] < 0:
            u = queue.popleft()
            for v in range(n):
                if parent[v] < 0 and residual[u, v] > 0:
                    parent[v] = u
                    queue.append(v)
        if parent[n - 1] < 0:
            return flow, capacity - residual
        slack = np.inf
        v = n - 1
        while v != 0:
            slack = min(slack, residual[parent[v], v])
            v = parent[v]
        v = n - 1
        while v != 0:
            residual[parent[v], v] -= int(slack)
            residual[v, parent[v]] += int(slack)
            v = parent[v]
        flow += slack


@prog(TEXT)
def run_length_and_back(data):
    runs = []
    for value in data:
        if runs and runs[-1][0] == value and runs[-1][1] < 255:
            runs[-1][1] += 1
        else:
            runs.append([value, 1])
    back = []
    for value, count in runs:
        back.extend([value] * count)
    assert len(back) == len(data)
    return runs, np.array(back, dtype=np.uint8)


@prog(TEXT, 8)
def lz77(data, window):
    out = []
    i = 0
    while i < len(data):
        length, offset = 0, 0
        for start in range(max(0, i - window), i):
            k = 0
            while i + k < len(data) - 1 and data[start + k] == data[i + k]:
                k += 1
            if k > length:
                length, offset = k, i - start
        out.append((offset, length, int(data[i + length])))
        i += length + 1
    text = []
    for offset, length, following in out:
        for _ in range(length):
            text.append(text[-offset])
        text.append(following)
    return out, text


@prog(TEXT, refused=STAGED)
def huffman(data):
    counts = {}
    for symbol in data.tolist():
        counts[symbol] = counts.get(symbol, 0) + 1
    heap = [(count, i, (symbol,)) for i, (symbol, count) in enumerate(sorted(counts.items()))]
    heapq.heapify(heap)
    codes = {symbol: "" for symbol in counts}
    ties = len(heap)
    while len(heap) > 1:
        n0, _, zeros = heapq.heappop(heap)
        n1, _, ones = heapq.heappop(heap)
        for symbol in zeros:
            codes[symbol] = "0" + codes[symbol]
        for symbol in ones:
            codes[symbol] = "1" + codes[symbol]
        heapq.heappush(heap, (n0 + n1, ties, zeros + ones))
        ties += 1
    return codes, sum(counts[s] * len(code) for s, code in codes.items())


@prog(TEXT)
def crc32(data):
    table = []
    for n in range(256):
        c = n
        for _ in range(8):
            c = 0xEDB88320 ^ (c >> 1) if c & 1 else c >> 1
        table.append(c)
    crc = 0xFFFFFFFF
    for byte in data:
        crc = table[(crc ^ int(byte)) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


@prog(TEXT)
def adler_and_fletcher(data):
    a, b = 1, 0
    low = high = np.uint16(0)
    for byte in data:
        a = (a + int(byte)) % 65521
        b = (b + a) % 65521
        low = np.uint16((int(low) + int(byte)) % 255)
        high = np.uint16((int(high) + int(low)) % 255)
    return (b << 16) | a, low, high


@prog(7, 5)
def permuted_congruential(seed, n):
    mask = (1 << 64) - 1
    state, increment = 0, (54 << 1) | 1
    state = (state * 6364136223846793005 + increment) & mask
    state = (state + seed) & mask
    state = (state * 6364136223846793005 + increment) & mask
    numbers = np.zeros(n, dtype=np.uint32)
    for i in range(n):
        old = state
        state = (old * 6364136223846793005 + increment) & mask
        shifted = (((old >> 18) ^ old) >> 27) & 0xFFFFFFFF
        turn = old >> 59
        numbers[i] = ((shifted >> turn) | (shifted << (-turn & 31))) & 0xFFFFFFFF
    return numbers


@prog(TEXT, np.array([1, 2, 1, 1], dtype=np.uint8))
def boyer_moore(text, pattern):
    last = {}
    for i, symbol in enumerate(pattern):
        last[int(symbol)] = i
    found = []
    m, n = len(pattern), len(text)
    s = 0
    while s <= n - m:
        j = m - 1
        while j >= 0 and pattern[j] == text[s + j]:
            j -= 1
        if j < 0:
            found.append(s)
            s += m - last.get(int(text[s + m]), -1) if s + m < n else 1
        else:
            s += max(1, j - last.get(int(text[s + j]), -1))
    return found


@prog(TEXT, np.array([1, 2, 1, 2, 3], dtype=np.uint8))
def knuth_morris_pratt(text, pattern):
    fail = np.zeros(len(pattern), dtype=int)
    k = 0
    for i in range(1, len(pattern)):
        while k > 0 and pattern[k] != pattern[i]:
            k = fail[k - 1]
        if pattern[k] == pattern[i]:
            k += 1
        fail[i] = k
    q = 0
    for i, symbol in enumerate(text):
        while q > 0 and pattern[q] != symbol:
            q = fail[q - 1]
        if pattern[q] == symbol:
            q += 1
        if q == len(pattern):
            return i - q + 1, fail
    return -1, fail


@prog(WEIGHTS, VALUES, 7)
def knapsack_items(weights, values, capacity):
    n = len(weights)
    table = np.zeros((n + 1, capacity + 1))
    for i in range(1, n + 1):
        for w in range(capacity + 1):
            table[i, w] = table[i - 1, w]
            if weights[i - 1] <= w:
                table[i, w] = max(table[i, w], table[i - 1, w - weights[i - 1]] + values[i - 1])
    chosen, w = [], capacity
    for i in range(n, 0, -1):
        if table[i, w] != table[i - 1, w]:
            chosen.append(i - 1)
            w -= weights[i - 1]
    return table[n, capacity], chosen[::-1]


@prog(np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3]))
def longest_increasing_by_piles(x):
    tails, places, previous = [], [], [-1] * len(x)
    for i, value in enumerate(x):
        low, high = 0, len(tails)
        while low < high:
            middle = (low + high) // 2
            if tails[middle] < value:
                low = middle + 1
            else:
                high = middle
        if low == len(tails):
            tails.append(value)
            places.append(i)
        else:
            tails[low] = value
            places[low] = i
        previous[i] = places[low - 1] if low > 0 else -1
    out, i = [], places[-1] if places else -1
    while i >= 0:
        out.append(x[i])
        i = previous[i]
    return out[::-1]


@prog(TEXT[:6].copy(), TEXT[4:11].copy())
def edit_script(a, b):
    d = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int64)
    d[:, 0], d[0, :] = np.arange(len(a) + 1), np.arange(len(b) + 1)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            same = a[i - 1] == b[j - 1]
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + (0 if same else 1))
    i, j, script = len(a), len(b), []
    while i > 0 or j > 0:
        if i > 0 and j > 0 and d[i, j] == d[i - 1, j - 1] + (a[i - 1] != b[j - 1]):
            script.append("keep" if a[i - 1] == b[j - 1] else "swap")
            i, j = i - 1, j - 1
        elif i > 0 and d[i, j] == d[i - 1, j] + 1:
            script.append("drop")
            i -= 1
        else:
            script.append("add")
            j -= 1
    return d[-1, -1], script[::-1]


@prog(np.array([30, 35, 15, 5, 10, 20]))
def matrix_chain_order(p):
    n = len(p) - 1
    cost = defaultdict(float)
    split = {}
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            cost[i, j] = float("inf")
            for k in range(i, j):
                q = cost[i, k] + cost[k + 1, j] + p[i] * p[k + 1] * p[j + 1]
                if q < cost[i, j]:
                    cost[i, j], split[i, j] = q, k

    def show(i, j):
        if i == j:
            return f"A{i}"
        return "(" + show(i, split[i, j]) + show(split[i, j] + 1, j) + ")"

    return cost[0, n - 1], show(0, n - 1)


@prog(np.array([0.15, 0.1, 0.05, 0.1, 0.2]))
def optimal_search_tree(p):
    n = len(p)
    e = np.zeros((n + 2, n + 1))
    w = np.zeros((n + 2, n + 1))
    root = np.zeros((n + 1, n + 1), dtype=int)
    for length in range(1, n + 1):
        for i in range(1, n - length + 2):
            j = i + length - 1
            e[i, j] = np.inf
            w[i, j] = w[i, j - 1] + p[j - 1]
            for r in range(i, j + 1):
                t = e[i, r - 1] + e[r + 1, j] + w[i, j]
                if t < e[i, j]:
                    e[i, j] = t
                    root[i, j] = r
    return e[1, n], root[1, n]
