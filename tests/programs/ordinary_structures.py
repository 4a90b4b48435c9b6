"""Trees, tries, sets of sets, filters, codes and checksums, as people write them."""

import heapq
import math

import numpy as np
from support.engine_runs import Cases

CASES = Cases()
program = CASES.program

A = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
BYTES = np.array([72, 101, 108, 108, 111, 108])
EDGES = np.array([[0, 1], [2, 3], [1, 2], [4, 4]])


class Node:
    def __init__(self, point, axis):
        self.point, self.axis = point, axis
        self.left = self.right = None


def build(points, depth=0):
    if len(points) == 0:
        return None
    axis = depth % 2
    points = sorted(points, key=lambda p: p[axis])
    middle = len(points) // 2
    node = Node(points[middle], axis)
    node.left = build(points[:middle], depth + 1)
    node.right = build(points[middle + 1 :], depth + 1)
    return node


def nearest(node, target, best=None):
    if node is None:
        return best
    d = (node.point[0] - target[0]) ** 2 + (node.point[1] - target[1]) ** 2
    if best is None or d < best[0]:
        best = (d, node.point[0], node.point[1])
    side = target[node.axis] - node.point[node.axis]
    near, far = (node.left, node.right) if side < 0 else (node.right, node.left)
    best = nearest(near, target, best)
    if side * side < best[0]:
        best = nearest(far, target, best)
    return best


@program((np.array([1.5, 2.5]),), (np.array([9, -3]),), (np.array([0.0, np.nan]),))
def kd_tree(target):
    points = [(2.0, 3.0), (5.0, 4.0), (9.0, 6.0), (4.0, 7.0), (8.0, 1.0)]
    return nearest(build(points), target)


@program((EDGES, 5), (EDGES[:1], 5), (EDGES[:0], 3))
def union_find(edges, n):
    parent, size = list(range(n)), [1] * n

    def root(a):
        while parent[a] != a:
            parent[a] = parent[parent[a]]
            a = parent[a]
        return a

    for a, b in edges:
        a, b = root(a), root(b)
        if a == b:
            continue
        if size[a] < size[b]:
            a, b = b, a
        parent[b] = a
        size[a] += size[b]
    roots = [root(i) for i in range(n)]
    return len(set(roots)), roots, max(size)


@program((A, 2.5), (A, -1.0), (A[:0], 1.0), (A[:1], 3.0))
def interval_stabbing(starts, point):
    intervals = [(s, s + 2) for s in starts]
    intervals.sort()
    hits = []
    for low, high in intervals:
        if low > point:
            break
        if point < high:
            hits.append((low, high))
    first, *rest = hits if hits else [(None, None)]
    return first, rest, len(hits)


@program((BYTES,), (BYTES[:1],), (BYTES[:0],))
def crc8(data):
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            if crc & 0x80:
                crc = (crc << 1) ^ 0x07
            else:
                crc <<= 1
            crc &= 0xFF
    return crc


@program((BYTES,), (BYTES[:1],), (BYTES[:0],))
def adler_and_fletcher(data):
    a, b = 1, 0
    for v in data:
        a = (a + v) % 65521
        b = (b + a) % 65521
    low, high = 0, 0
    for v in data:
        low = (low + v) % 255
        high = (high + low) % 255
    return (b << 16) | a, high * 256 + low


@program(
    (np.array([7, 9, 9, 2, 7, 3, 9, 8, 7, 1, 3]),), (np.array([0]),), (np.array([], dtype=int),)
)
def luhn(digits):
    total = 0
    for i, d in enumerate(reversed(digits)):
        if i % 2 == 1:
            d = d * 2
            if d > 9:
                d -= 9
        total += d
    return total % 10 == 0, (10 - total % 10) % 10


@program(
    (np.array([1, 1, 1, 2, 2, 3]),),
    (np.array([5.0, 5.0]),),
    (np.array([], dtype=int),),
    (np.array([1]),),
)
def run_lengths(x):
    runs = []
    for v in x:
        if runs and runs[-1][0] == v:
            runs[-1] = (v, runs[-1][1] + 1)
        else:
            runs.append((v, 1))
    decoded = []
    for v, n in runs:
        decoded.extend([v] * n)
    return runs, decoded, len(runs) < len(x)


@program(
    (np.array([1, 2, 1, 2, 1, 2, 1, 3]),),
    (np.array([0, 0, 0]),),
    (np.array([], dtype=int),),
    refused=True,
)
def lzw(data):
    table = {(i,): i for i in range(4)}
    word, out = (), []
    for symbol in data.tolist() if isinstance(data, list) else [int(v) for v in data]:
        longer = (*word, symbol)
        if longer in table:
            word = longer
        else:
            out.append(table[word])
            table[longer] = len(table)
            word = (symbol,)
    if word:
        out.append(table[word])
    return out


@program((np.array([5, 2, 1, 1]),), (np.array([1]),), (np.array([3, 3]),))
def huffman_cost(weights):
    heap = [(w, i) for i, w in enumerate(weights)]
    heapq.heapify(heap)
    cost = 0
    while len(heap) > 1:
        a, i = heapq.heappop(heap)
        b, j = heapq.heappop(heap)
        cost += a + b
        heapq.heappush(heap, (a + b, min(i, j)))
    return cost, heap


@program(
    (np.array([1, -3, 2]), np.array([1.0, 0.5])), (np.array([2]), np.array([0, 0])), (A, A[:2])
)
def polynomials(p, q):
    product = [0] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            product[i + j] += a * b
    slope = [i * a for i, a in enumerate(p)][1:] or [0]
    value = 0
    for a in reversed(p):
        value = value * 2 + a
    while len(product) > 1 and product[-1] == 0:
        product.pop()
    return product, slope, value, len(product) - 1


@program(
    (np.array([[3, -1], [-2, 4]]),),
    (np.array([[1, 2], [3, 4]]),),
    (np.array([[0.0, 0.0], [0.0, 0.0]]),),
)
def matrix_game(pay):
    lower = max(row.min() for row in pay)
    upper = min(pay[:, j].max() for j in range(2))
    if lower == upper:
        return "saddle", lower
    (a, b), (c, d) = pay
    p = (d - c) / (a + d - b - c)
    return "mixed", p, (a * d - b * c) / (a + d - b - c)


@program((A, np.array([0.1, 0.9, 0.4, 0.2, 0.6])), (A[:1], np.array([0.3])), (A, np.zeros(5)))
def particle_resampling(particles, weights):
    total = sum(weights)
    if total == 0:
        weights = [1 / len(particles)] * len(particles)
    else:
        weights = [w / total for w in weights]
    n = len(particles)
    chosen, i, c = [], 0, weights[0]
    for k in range(n):
        u = (0.5 + k) / n
        while u > c and i < n - 1:
            i += 1
            c += weights[i]
        chosen.append(particles[i])
    effective = 1 / sum(w * w for w in weights)
    mean = sum(chosen) / n
    return chosen, effective, mean, max(set(chosen), key=chosen.count) if n < 2 else None


IMAGE = np.array([[1.0, 9.0, 2.0], [4.0, 5.0, 6.0], [7.0, 3.0, 8.0]])


@program((IMAGE, 1), (IMAGE.astype(int), 1), (IMAGE[:1], 1), (IMAGE, 0))
def median_filter(image, radius):
    rows, cols = image.shape
    out = np.zeros_like(image)
    for r in range(rows):
        for c in range(cols):
            window = []
            for i in range(max(0, r - radius), min(rows, r + radius + 1)):
                for j in range(max(0, c - radius), min(cols, c + radius + 1)):
                    window.append(image[i, j])
            window.sort()
            out[r, c] = window[len(window) // 2]
    return out


@program((IMAGE, 4.5), (IMAGE, 100.0), (IMAGE.astype(int), 3))
def blobs(image, level):
    rows, cols = image.shape
    seen, sizes, centre = set(), [], None
    for r in range(rows):
        for c in range(cols):
            if image[r, c] < level or (r, c) in seen:
                continue
            stack, members = [(r, c)], []
            while stack:
                y, x = stack.pop()
                if (y, x) in seen or not (0 <= y < rows and 0 <= x < cols):
                    continue
                if image[y, x] < level:
                    continue
                seen.add((y, x))
                members.append((y, x))
                stack += [(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)]
            sizes.append(len(members))
            if len(members) == max(sizes):
                ys, xs = zip(*members)
                centre = (sum(ys) / len(ys), sum(xs) / len(xs))
    return sizes, centre


class Trie:
    def __init__(self):
        self.children, self.count = {}, 0

    def add(self, digits):
        node = self
        for d in digits:
            node = node.children.setdefault(d, Trie())
            node.count += 1

    def prefix(self, digits):
        node = self
        for d in digits:
            if d not in node.children:
                return 0
            node = node.children[d]
        return node.count


@program((np.array([12, 123, 13, 2]),), (np.array([7]),), (np.array([], dtype=int),), refused=True)
def trie_of_digits(numbers):
    trie = Trie()
    for n in numbers:
        trie.add(str(int(n)))
    return trie.prefix("1"), trie.prefix("12"), trie.prefix("9")


@program((A,), (A[:1],), (A[:0],), (np.array([2, 2, 1, 3]),), (np.array([1.0, np.nan, 2.0]),))
def five_numbers(x):
    data = sorted(x)
    n = len(data)
    if n == 0:
        return None

    def quantile(q):
        place = q * (n - 1)
        low = math.floor(place)
        high = min(low + 1, n - 1)
        return data[low] + (data[high] - data[low]) * (place - low)

    q1, q2, q3 = (quantile(q) for q in (0.25, 0.5, 0.75))
    spread = q3 - q1
    outliers = [v for v in data if v < q1 - 1.5 * spread or v > q3 + 1.5 * spread]
    return data[0], q1, q2, q3, data[-1], outliers


@program((np.array([1.0, 0.0, 2.0, 3.0]), "a,b;c,d"), (np.array([np.nan, 1.0]), "x,y"))
def number_table(x, header):
    rows = [line.split(",") for line in header.split(";")]
    table, k = [], 0
    for row in rows:
        cells = []
        for name in row:
            v = x[k]
            k += 1
            cells.append(f"{name}={v:.1f}" if v == v else f"{name}=?")
        table.append(" | ".join(cells))
    width = max(map(len, table))
    return "\n".join(line.rjust(width) for line in table)


@program(
    (np.array([3, 1, 2]),),
    (np.array([1]),),
    (np.array([2, 1, 4, 3, 5]),),
    (np.array([], dtype=int),),
    refused=True,
)
def permutation_cycles(p):
    seen, cycles = set(), []
    for i in range(len(p)):
        if i in seen:
            continue
        cycle, j = [], i
        while j not in seen:
            seen.add(j)
            cycle.append(j)
            j = p[j] - 1
        cycles.append(tuple(cycle))
    order = math.lcm(*[len(c) for c in cycles]) if cycles else 1
    longest = max(cycles, key=len, default=())
    return cycles, order, longest
