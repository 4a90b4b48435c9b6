"""Programs of everyday life: searches, queues, accounts, counts, clusters, machines, boards.

The file is long because it is a collection of independent programs.
"""

import heapq
import math
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass, field

import numpy as np
from support.every_mode import SIZES, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
X = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
Z = np.array([3, 1, 2, 1, 0])
G = np.array([[0, 0, 1, 0], [1, 0, 1, 0], [0, 0, 0, 0], [0, 1, 1, 0]])
E = np.array([[0, 1, 4], [0, 2, 1], [2, 1, 2], [1, 3, 5], [2, 3, 8]])
T = np.array([72, 101, 108, 108, 111, 32, 119, 111, 114, 108, 100])
POINTS = np.array([[0.0, 0.1], [0.2, 0.0], [5.0, 5.1], [5.2, 4.9], [0.1, 0.2]])


@prog(G)
def flood_fill_labels(grid):
    rows, cols = grid.shape
    labels = np.zeros((rows, cols), dtype=int)
    current = 0
    for r in range(rows):
        for c in range(cols):
            if grid[r, c] == 0 and labels[r, c] == 0:
                current += 1
                stack = [(r, c)]
                while stack:
                    y, x = stack.pop()
                    if y < 0 or x < 0 or y >= rows or x >= cols:
                        continue
                    if grid[y, x] != 0 or labels[y, x] != 0:
                        continue
                    labels[y, x] = current
                    stack.extend([(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)])
    return labels, current


class LRUCache:
    def __init__(self, capacity):
        self.capacity = capacity
        self.items = OrderedDict()

    def get(self, key):
        if key not in self.items:
            return -1
        self.items.move_to_end(key)
        return self.items[key]

    def put(self, key, value):
        if key in self.items:
            self.items.move_to_end(key)
        self.items[key] = value
        if len(self.items) > self.capacity:
            self.items.popitem(last=False)


@prog(Z)
def lru_cache_class(keys):
    cache = LRUCache(2)
    hits = 0
    for k in keys:
        if cache.get(k) != -1:
            hits += 1
        cache.put(k, k * 10)
    return hits, list(cache.items.keys())


class UnionFind:
    def __init__(self, n):
        self.parent = list(range(n))
        self.rank = [0] * n
        self.count = n

    def find(self, x):
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self.rank[a] < self.rank[b]:
            a, b = b, a
        self.parent[b] = a
        if self.rank[a] == self.rank[b]:
            self.rank[a] += 1
        self.count -= 1
        return True


@prog(E)
def kruskal(edges):
    order = sorted(range(len(edges)), key=lambda i: edges[i, 2])
    uf = UnionFind(4)
    total = 0
    chosen = []
    for i in order:
        u, v, w = edges[i]
        if uf.union(u, v):
            total += w
            chosen.append((u, v))
    return total, chosen, uf.count


@prog(E)
def dijkstra_path(edges):
    graph = defaultdict(list)
    for u, v, w in edges:
        graph[u].append((v, w))
    dist = {0: 0}
    prev = {}
    heap = [(0, 0)]
    while heap:
        d, u = heapq.heappop(heap)
        if u == 3:
            break
        if d > dist[u]:
            continue
        for v, w in graph[u]:
            nd = d + w
            if v not in dist or nd < dist[v]:
                dist[v] = nd
                prev[v] = u
                heapq.heappush(heap, (nd, v))
    path = [3]
    while path[-1] != 0:
        path.append(prev[path[-1]])
    return dist[3], path[::-1]


@prog(np.array([2, 3, 4, 5]), np.array([3, 4, 5, 6]))
def knapsack_table(weights, values):
    capacity = 5
    table = [[0] * (capacity + 1) for _ in range(len(weights) + 1)]
    for i in range(1, len(weights) + 1):
        for w in range(capacity + 1):
            table[i][w] = table[i - 1][w]
            if weights[i - 1] <= w:
                table[i][w] = max(table[i][w], table[i - 1][w - weights[i - 1]] + values[i - 1])
    picked = []
    w = capacity
    for i in range(len(weights), 0, -1):
        if table[i][w] != table[i - 1][w]:
            picked.append(i - 1)
            w -= weights[i - 1]
    return table[-1][capacity], picked


class Account:
    def __init__(self, owner, balance=0.0):
        self.owner = owner
        self.balance = balance
        self.history = []

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount
        self.history.append(("deposit", amount))

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError("insufficient funds")
        self.balance -= amount
        self.history.append(("withdraw", amount))


@prog(X)
def bank(amounts):
    acc = Account("ann", 5.0)
    failed = 0
    for a in amounts:
        if a > 2:
            acc.deposit(a)
        elif a <= acc.balance:
            acc.withdraw(a)
        else:
            failed += 1
    return acc.balance, len(acc.history), failed


@prog(X)
def bank_try(amounts):
    acc = Account("bob", 4.0)
    failed = 0
    for a in amounts:
        try:
            acc.withdraw(a)
        except ValueError:
            failed += 1
    return acc.balance, failed


@prog(X)
def bank_many(amounts):
    accounts = [Account(str(i), 3.0) for i in range(3)]
    for i in range(len(amounts)):
        src = accounts[i % 3]
        dst = accounts[(i + 1) % 3]
        if src.balance >= amounts[i]:
            src.balance -= amounts[i]
            dst.balance += amounts[i]
    return [a.balance for a in accounts]


@prog(T)
def char_counts(codes):
    counts = {}
    for c in codes:
        ch = chr(c)
        counts[ch] = counts.get(ch, 0) + 1
    best = max(counts, key=counts.get)
    return best, counts[best], sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))[:3]


@prog(T)
def caesar(codes):
    out = ""
    for c in codes:
        if 97 <= c <= 122:
            out += chr((c - 97 + 3) % 26 + 97)
        else:
            out += chr(c)
    return out


@prog(T)
def word_lengths(codes):
    words = []
    word = []
    for c in codes:
        if c == 32:
            if word:
                words.append(word)
            word = []
        else:
            word.append(c)
    if word:
        words.append(word)
    return [len(w) for w in words], words[0] == words[-1]


@prog(Z)
def run_length(z):
    runs = []
    prev = None
    count = 0
    for v in z:
        if v == prev:
            count += 1
        else:
            if prev is not None:
                runs.append((prev, count))
            prev = v
            count = 1
    runs.append((prev, count))
    return runs


@prog(Z)
def markov(states):
    n = 4
    counts = [[0] * n for _ in range(n)]
    for a, b in zip(states[:-1], states[1:]):
        counts[a][b] += 1
    probs = []
    for row in counts:
        total = sum(row)
        probs.append([c / total if total else 0.0 for c in row])
    return probs


@prog(POINTS)
def kmeans(points):
    centers = [points[0], points[2]]
    for _ in range(5):
        groups = [[], []]
        for p in points:
            d = [np.sum((p - c) ** 2) for c in centers]
            groups[d.index(min(d))].append(p)
        new = [np.mean(g, axis=0) for g in groups]
        if all(np.allclose(a, b) for a, b in zip(new, centers)):
            break
        centers = new
    return centers


@prog(X)
def particle_filter(obs):
    particles = [0.5 * i for i in range(8)]
    for z in obs:
        weights = [math.exp(-0.5 * (z - p) ** 2) for p in particles]
        total = sum(weights)
        weights = [w / total for w in weights]
        cumulative = []
        acc = 0.0
        for w in weights:
            acc += w
            cumulative.append(acc)
        new = []
        for k in range(8):
            u = (k + 0.5) / 8
            i = 0
            while i < 7 and cumulative[i] < u:
                i += 1
            new.append(particles[i] + 0.1)
        particles = new
    return sum(particles) / len(particles)


@prog(Z)
def traffic_light(inputs):
    state = "red"
    log = []
    for v in inputs:
        if state == "red" and v > 1:
            state = "green"
        elif state == "green" and v == 1:
            state = "yellow"
        elif state == "yellow":
            state = "red"
        log.append(state)
    return state, log


TRANSITIONS = {("idle", 1): "busy", ("busy", 2): "idle", ("busy", 0): "done"}


@prog(Z)
def table_machine(inputs):
    state = "idle"
    for v in inputs:
        state = TRANSITIONS.get((state, v), state)
    return state


@dataclass(order=True)
class Task:
    priority: float
    name: int = field(compare=False)


@prog(X)
def task_queue(priorities):
    heap = []
    for i, p in enumerate(priorities):
        heapq.heappush(heap, Task(p, i))
    order = []
    while heap:
        order.append(heapq.heappop(heap).name)
    return order


@prog(np.array([[2.0, 1.0, -1.0, 8.0], [-3.0, -1.0, 2.0, -11.0], [-2.0, 1.0, 2.0, -3.0]]))
def gauss_lists(m):
    a = [list(row) for row in m]
    n = len(a)
    for col in range(n):
        pivot = col
        for r in range(col + 1, n):
            if abs(a[r][col]) > abs(a[pivot][col]):
                pivot = r
        if pivot != col:
            tmp = a[col]
            a[col] = a[pivot]
            a[pivot] = tmp
        for r in range(col + 1, n):
            f = a[r][col] / a[col][col]
            for k in range(col, n + 1):
                a[r][k] -= f * a[col][k]
    x = [0.0] * n
    for i in reversed(range(n)):
        s = a[i][n]
        for k in range(i + 1, n):
            s -= a[i][k] * x[k]
        x[i] = s / a[i][i]
    return x


@prog(G)
def game_of_life(board):
    rows, cols = board.shape
    alive = {(r, c) for r in range(rows) for c in range(cols) if board[r, c]}
    for _ in range(2):
        neighbours = Counter()
        for r, c in alive:
            for dr in (-1, 0, 1):
                for dc in (-1, 0, 1):
                    if (dr, dc) != (0, 0):
                        neighbours[(r + dr, c + dc)] += 1
        alive = {p for p, k in neighbours.items() if k == 3 or (k == 2 and p in alive)}
    return sorted(alive)


@prog(Z)
def rpn(tokens):
    stack = []
    for t in tokens:
        if t == 0:
            b = stack.pop()
            a = stack.pop()
            stack.append(a + b)
        else:
            stack.append(t)
    return stack


class Node:
    def __init__(self, value):
        self.value = value
        self.next = None


@prog(Z, refused=SIZES)
def linked_list(values):
    head = None
    for v in values:
        node = Node(v)
        node.next = head
        head = node
    total = 0
    node = head
    while node is not None:
        total = total * 10 + node.value
        node = node.next
    return total


@prog(X)
def moving_window(x):
    window = deque(maxlen=3)
    out = []
    for v in x:
        window.append(v)
        out.append(sum(window) / len(window))
    return out


@prog(G)
def bfs_distance(grid):
    rows, cols = grid.shape
    start, goal = (0, 0), (3, 3)
    queue = deque([(start, 0)])
    seen = {start}
    while queue:
        (r, c), d = queue.popleft()
        if (r, c) == goal:
            return d
        for dr, dc in [(1, 0), (-1, 0), (0, 1), (0, -1)]:
            p = (r + dr, c + dc)
            if 0 <= p[0] < rows and 0 <= p[1] < cols and grid[p] == 0 and p not in seen:
                seen.add(p)
                queue.append((p, d + 1))
    return -1


@prog(Z)
def inventory(orders):
    stock = {"apple": 3, "pear": 2}
    missed = []
    for i, q in enumerate(orders):
        name = "apple" if i % 2 == 0 else "pear"
        if stock[name] >= q:
            stock[name] -= q
        else:
            missed.append((name, q))
    return stock, missed


@prog(X)
def bodies(x):
    planets = [{"pos": x[i], "vel": 0.0, "mass": 1.0 + i} for i in range(3)]
    for _ in range(3):
        for p in planets:
            force = 0.0
            for q in planets:
                if q is not p:
                    d = q["pos"] - p["pos"]
                    force += q["mass"] * d / (abs(d) ** 3 + 0.1)
            p["vel"] += 0.01 * force
        for p in planets:
            p["pos"] += p["vel"]
    return [p["pos"] for p in planets]


@prog(Z)
def chr_big(z):
    return chr(z[0] + 0x110000)


@prog(Z)
def chr_negative(z):
    return chr(z[0] - 10)


@prog(X)
def chr_float(x):
    return chr(x[0])


@prog(Z)
def chr_array(z):
    return chr(z)


@prog(Z)
def chr_many(z):
    return (
        "".join(chr(97 + v) for v in z),
        [chr(v + 8364) for v in z],
        chr(0x1F600 + z[0]),
        chr(z[4]),
        chr(z[0] + 0xD800) == "x",
    )
