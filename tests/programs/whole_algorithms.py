"""Whole programs as people write them: parsers, searches on grids and graphs, queues, tables."""

import heapq
from collections import Counter, defaultdict, deque

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

GRID = np.array([[0, 0, 1, 0], [1, 0, 1, 0], [0, 0, 0, 0], [0, 1, 1, 0]])
EDGES = np.array([[0, 1, 4], [0, 2, 1], [2, 1, 2], [1, 3, 5], [2, 3, 8]])
SAMPLES = np.array([0.1, 0.7, 0.4, 0.95, 0.2, 0.6])
CODES = np.array([49, 50, 43, 51, 42, 52, 45, 53])  # the characters of 12+3*4-5
MATRIX = np.array([[2.0, 1.0, -1.0], [-3.0, -1.0, 2.0], [-2.0, 1.0, 2.0]])


@prog(CODES)
def tokenizer(codes):
    tokens = []
    number = None
    for code in codes:
        if 48 <= code <= 57:
            digit = code - 48
            number = digit if number is None else number * 10 + digit
        else:
            if number is not None:
                tokens.append(("num", number))
                number = None
            tokens.append(("op", code))
    if number is not None:
        tokens.append(("num", number))
    return tokens


@prog(CODES)
def shunting_yard(codes):
    precedence = {43: 1, 45: 1, 42: 2}
    output, operators = [], []
    i = 0
    while i < len(codes):
        code = codes[i]
        if 48 <= code <= 57:
            value = 0
            while i < len(codes) and 48 <= codes[i] <= 57:
                value = value * 10 + codes[i] - 48
                i += 1
            output.append(value)
            continue
        while operators and precedence[operators[-1]] >= precedence[code]:
            op = operators.pop()
            b, a = output.pop(), output.pop()
            output.append(a + b if op == 43 else a - b if op == 45 else a * b)
        operators.append(code)
        i += 1
    while operators:
        op = operators.pop()
        b, a = output.pop(), output.pop()
        output.append(a + b if op == 43 else a - b if op == 45 else a * b)
    return output[0]


@prog(GRID)
def a_star(grid):
    rows, columns = grid.shape
    goal = (3, 3)
    start = (0, 0)
    frontier = [(0, start)]
    cost = {start: 0}
    came = {}
    while frontier:
        _, current = heapq.heappop(frontier)
        if current == goal:
            break
        r, c = current
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            nr, nc = r + dr, c + dc
            if 0 <= nr < rows and 0 <= nc < columns and grid[nr, nc] == 0:
                new = cost[current] + 1
                if (nr, nc) not in cost or new < cost[(nr, nc)]:
                    cost[(nr, nc)] = new
                    came[(nr, nc)] = current
                    heapq.heappush(
                        frontier, (new + abs(goal[0] - nr) + abs(goal[1] - nc), (nr, nc))
                    )
    path = []
    node = goal
    while node != start:
        path.append(node)
        node = came[node]
    path.append(start)
    return path[::-1], cost[goal]


@prog(GRID)
def breadth_first(grid):
    rows, columns = grid.shape
    distance = [[-1] * columns for _ in range(rows)]
    distance[0][0] = 0
    queue = deque([(0, 0)])
    while queue:
        r, c = queue.popleft()
        for dr, dc in [(0, 1), (1, 0), (0, -1), (-1, 0)]:
            nr, nc = r + dr, c + dc
            if not (0 <= nr < rows and 0 <= nc < columns):
                continue
            if grid[nr][nc] == 1 or distance[nr][nc] != -1:
                continue
            distance[nr][nc] = distance[r][c] + 1
            queue.append((nr, nc))
    return distance


@prog(EDGES, np.int64(4))
def dijkstra(edges, n):
    graph = defaultdict(list)
    for u, v, w in edges:
        graph[u].append((v, w))
        graph[v].append((u, w))
    distance = {0: 0}
    heap = [(0, 0)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > distance[u]:
            continue
        for v, w in graph[u]:
            if v not in distance or d + w < distance[v]:
                distance[v] = d + w
                heapq.heappush(heap, (d + w, v))
    return [distance[i] for i in range(n)]


@prog(np.array([3, 1, 3, 2, 1, 3]))
def word_statistics(words):
    counts = Counter()
    positions = defaultdict(list)
    for i, word in enumerate(words):
        counts[word] += 1
        positions[word].append(i)
    best, times = counts.most_common(1)[0]
    longest_gap = 0
    for word, places in positions.items():
        for a, b in zip(places, places[1:]):
            longest_gap = max(longest_gap, b - a)
    return (
        best,
        times,
        longest_gap,
        dict(positions),
        sorted(counts.items(), key=lambda p: (-p[1], p[0])),
    )


@prog(MATRIX)
def gauss_jordan(matrix):
    n = len(matrix)
    a = [
        [matrix[i][j] for j in range(n)] + [1.0 if i == j else 0.0 for j in range(n)]
        for i in range(n)
    ]
    for col in range(n):
        pivot = max(range(col, n), key=lambda r: abs(a[r][col]))
        a[col], a[pivot] = a[pivot], a[col]
        p = a[col][col]
        a[col] = [v / p for v in a[col]]
        for r in range(n):
            if r != col:
                factor = a[r][col]
                a[r] = [v - factor * w for v, w in zip(a[r], a[col])]
    return [row[n:] for row in a]


class PriorityQueue:
    def __init__(self):
        self.heap = []

    def push(self, priority, item):
        self.heap.append((priority, item))
        i = len(self.heap) - 1
        while i > 0:
            parent = (i - 1) // 2
            if self.heap[parent][0] <= self.heap[i][0]:
                break
            self.heap[parent], self.heap[i] = self.heap[i], self.heap[parent]
            i = parent

    def pop(self):
        top = self.heap[0]
        last = self.heap.pop()
        if self.heap:
            self.heap[0] = last
            i = 0
            while True:
                left, right, small = 2 * i + 1, 2 * i + 2, i
                if left < len(self.heap) and self.heap[left][0] < self.heap[small][0]:
                    small = left
                if right < len(self.heap) and self.heap[right][0] < self.heap[small][0]:
                    small = right
                if small == i:
                    break
                self.heap[i], self.heap[small] = self.heap[small], self.heap[i]
                i = small
        return top


@prog(SAMPLES)
def priority_queue(samples):
    queue = PriorityQueue()
    for i, s in enumerate(samples):
        queue.push(s, i)
    order = []
    while queue.heap:
        order.append(queue.pop()[1])
    return order


@prog(np.array([4, 8, 15, 16, 23, 42]), np.int64(23))
def stack_machine(program, limit):
    stack = []
    for value in program:
        stack.append(value)
        if len(stack) >= 2 and stack[-1] + stack[-2] < limit:
            b = stack.pop()
            a = stack.pop()
            stack.append(a + b)
    return stack


@prog(np.int64(5))
def pascal_triangle(n):
    rows = [[1]]
    for _ in range(n - 1):
        last = rows[-1]
        rows.append([1] + [last[i] + last[i + 1] for i in range(len(last) - 1)] + [1])
    return rows


@prog(np.array([5, 3, 8, 1, 9, 2]))
def merge_sort(values):
    def sort(items):
        if len(items) <= 1:
            return items
        middle = len(items) // 2
        left, right = sort(items[:middle]), sort(items[middle:])
        merged = []
        i = j = 0
        while i < len(left) and j < len(right):
            if left[i] <= right[j]:
                merged.append(left[i])
                i += 1
            else:
                merged.append(right[j])
                j += 1
        return merged + left[i:] + right[j:]

    return sort(list(values))


@prog(np.array([1, 1, 2, 3, 3, 3, 1]))
def run_lengths(values):
    runs = []
    for v in values:
        if runs and runs[-1][0] == v:
            runs[-1][1] += 1
        else:
            runs.append([v, 1])
    return runs


@prog(np.array([2, 0, 1, 3]))
def linked_permutation(nexts):
    seen = set()
    cycles = []
    for start in range(len(nexts)):
        if start in seen:
            continue
        cycle = []
        node = start
        while node not in seen:
            seen.add(node)
            cycle.append(node)
            node = nexts[node]
        cycles.append(cycle)
    return cycles


@prog(np.array([[1, 2], [2, 3], [4, 5]]), np.int64(6))
def components(edges, n):
    parent = list(range(n))
    size = [1] * n

    def find(x):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for a, b in edges:
        ra, rb = find(a), find(b)
        if ra == rb:
            continue
        if size[ra] < size[rb]:
            ra, rb = rb, ra
        parent[rb] = ra
        size[ra] += size[rb]
    groups = {}
    for i in range(n):
        groups.setdefault(find(i), []).append(i)
    return groups
