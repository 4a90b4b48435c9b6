"""Programs of searches and games: dynamic programming, graphs, puzzles, robots, simulations."""

import heapq
import math
from collections import Counter, defaultdict, deque
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from support.every_mode import SIZES, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
X = np.array([3.0, 1.0, 2.0, 5.0, 4.0, -1.0])
N = np.array([2, 3, 5, 7, 1, 4])
GRID = np.array([[0, 0, 1, 0], [1, 0, 1, 0], [0, 0, 0, 0], [0, 1, 1, 0]])
COSTS = np.array([[1, 3, 1, 5], [2, 2, 4, 1], [5, 0, 2, 3]])
LINKS = np.array([[0, 1], [1, 2], [3, 4], [2, 0], [5, 3]])


# -- dynamic programming ---------------------------------------------------------------------------


@prog(N, np.array([3, 4, 5, 6, 1, 2]), 9)
def knapsack_with_choice(weights, values, room):
    best = np.zeros((len(weights) + 1, room + 1), dtype=int)
    for i in range(1, len(weights) + 1):
        for w in range(room + 1):
            best[i, w] = best[i - 1, w]
            if weights[i - 1] <= w:
                best[i, w] = max(best[i, w], best[i - 1, w - weights[i - 1]] + values[i - 1])
    chosen, w = [], room
    for i in range(len(weights), 0, -1):
        if best[i, w] != best[i - 1, w]:
            chosen.append(i - 1)
            w -= weights[i - 1]
    return best[-1, -1], chosen[::-1]


@prog(N)
def longest_increasing(values):
    best, previous = [1] * len(values), [-1] * len(values)
    for i in range(len(values)):
        for j in range(i):
            if values[j] < values[i] and best[j] + 1 > best[i]:
                best[i], previous[i] = best[j] + 1, j
    at = best.index(max(best))
    path = []
    while at != -1:
        path.append(values[at])
        at = previous[at]
    return path[::-1]


@prog(COSTS)
def cheapest_path(costs):
    rows, cols = costs.shape
    total = {}
    for r in range(rows):
        for c in range(cols):
            if r == 0 and c == 0:
                total[r, c] = costs[r, c]
            elif r == 0:
                total[r, c] = total[r, c - 1] + costs[r, c]
            elif c == 0:
                total[r, c] = total[r - 1, c] + costs[r, c]
            else:
                total[r, c] = min(total[r - 1, c], total[r, c - 1]) + costs[r, c]
    return total[rows - 1, cols - 1], len(total)


@prog(N, 11)
def coins_by_memo(coins, target):
    known = {0: 0}

    def fewest(amount):
        if amount < 0:
            return 99
        if amount not in known:
            known[amount] = 1 + min(fewest(amount - int(c)) for c in (2, 3, 5))
        return known[amount]

    return fewest(target), coins.sum()


@prog(X)
def best_span(x):
    best, start, end = -math.inf, 0, 0
    here, begin = 0.0, 0
    for i, v in enumerate(x):
        if here <= 0:
            here, begin = v, i
        else:
            here += v
        if here > best:
            best, start, end = here, begin, i
    return best, x[start : end + 1]


# -- graphs ----------------------------------------------------------------------------------------


@prog(LINKS)
def united(links):
    parent = list(range(6))

    def root(i):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    merges = 0
    for a, b in links:
        ra, rb = root(a), root(b)
        if ra != rb:
            parent[ra] = rb
            merges += 1
    return merges, [root(i) for i in range(6)]


@prog(GRID)
def shortest_way(grid):
    rows, cols = grid.shape
    queue, steps = deque([(0, 0)]), np.full(grid.shape, -1)
    steps[0, 0] = 0
    while queue:
        r, c = queue.popleft()
        if (r, c) == (rows - 1, cols - 1):
            break
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            y, x = r + dr, c + dc
            if 0 <= y < rows and 0 <= x < cols and grid[y, x] == 0 and steps[y, x] < 0:
                steps[y, x] = steps[r, c] + 1
                queue.append((y, x))
    return steps


@prog(np.array([[0, 1, 0], [1, 1, 0]]))
def islands(grid):
    seen, sizes = set(), []
    for r, c in product(range(2), range(3)):
        if grid[r, c] or (r, c) in seen:
            continue
        stack, size = [(r, c)], 0
        seen.add((r, c))
        while stack:
            y, x = stack.pop()
            size += 1
            for a, b in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                if 0 <= a < 2 and 0 <= b < 3 and not grid[a, b] and (a, b) not in seen:
                    seen.add((a, b))
                    stack.append((a, b))
        sizes.append(size)
    return sorted(sizes, reverse=True)


@prog(np.array([[0, 1, 4], [0, 2, 1], [2, 1, 2], [1, 3, 5], [2, 3, 8]]), refused=SIZES)
def tree_of_least_weight(edges):
    group, tree, total = list(range(4)), [], 0
    for a, b, w in sorted(map(tuple, edges), key=lambda e: (e[2], e[0])):
        if group[a] != group[b]:
            old, new = group[a], group[b]
            group = [new if g == old else g for g in group]
            tree.append((a, b))
            total += w
    return tree, total


@prog(np.array([[0, 1, 4], [0, 2, 1], [2, 1, 2], [1, 3, 5], [2, 3, 8]]))
def distances_by_heap(edges):
    neighbours = defaultdict(list)
    for a, b, w in edges:
        neighbours[int(a)].append((int(b), int(w)))
    distance, heap = {0: 0}, [(0, 0)]
    while heap:
        d, node = heapq.heappop(heap)
        if d > distance.get(node, math.inf):
            continue
        for other, w in neighbours[node]:
            if d + w < distance.get(other, math.inf):
                distance[other] = d + w
                heapq.heappush(heap, (d + w, other))
    return sorted(distance.items())


@prog(np.array([[0, 1, 1], [0, 0, 1], [1, 0, 0]]))
def page_rank(links):
    n = len(links)
    rank = np.ones(n) / n
    for turn in range(100):
        new = np.full(n, 0.15 / n)
        for i in range(n):
            out = links[i].sum()
            if out == 0:
                new += 0.85 * rank[i] / n
                continue
            for j in range(n):
                if links[i, j]:
                    new[j] += 0.85 * rank[i] / out
        if np.abs(new - rank).sum() < 1e-6:
            break
        rank = new
    return rank, turn


# -- puzzles and games -----------------------------------------------------------------------------


@prog(np.array([[1, 0, 2], [0, 1, 2], [2, 0, 1]]))
def winner(board):
    lines = [*board, *board.T, board.diagonal(), np.fliplr(board).diagonal()]
    for line in lines:
        if line[0] != 0 and all(v == line[0] for v in line):
            return int(line[0])
    return 0 if (board == 0).any() else -1


@prog(N)
def nim(piles):
    balance = 0
    for pile in piles:
        balance ^= int(pile)
    if balance == 0:
        return None
    for i, pile in enumerate(piles):
        if pile ^ balance < pile:
            return i, pile - (pile ^ balance)


@prog(N, 9)
def sums_of_three(values, target):
    found = []
    for a, b, c in combinations(values, 3):
        if a + b + c == target:
            found.append(tuple(sorted((a, b, c))))
    return found


@prog(np.array([[2, 2, 4, 0], [0, 2, 0, 2], [4, 4, 4, 4], [2, 0, 0, 0]]))
def slid_left(board):
    out, score = np.zeros_like(board), 0
    for r in range(4):
        tiles = [t for t in board[r] if t != 0]
        c = i = 0
        while i < len(tiles):
            if i + 1 < len(tiles) and tiles[i] == tiles[i + 1]:
                out[r, c] = 2 * tiles[i]
                score += 2 * tiles[i]
                i += 2
            else:
                out[r, c] = tiles[i]
                i += 1
            c += 1
    return out, score


@prog(np.array([5, 5, 2, 3, 2]))
def hand_of_cards(cards):
    counts = Counter(int(card) for card in cards)
    shape = sorted(counts.values(), reverse=True)
    if shape[0] == 3 and shape[1] == 2:
        return "full house"
    if shape[0] >= 3:
        return "three"
    pairs = [card for card, n in counts.items() if n == 2]
    return f"{len(pairs)} pair(s) of {sorted(pairs)}"


# -- robots and simulations ------------------------------------------------------------------------


@dataclass
class Robot:
    x: float = 0.0
    y: float = 0.0
    heading: float = 0.0

    def turn_to(self, tx, ty):
        self.heading = math.atan2(ty - self.y, tx - self.x)

    def forward(self, d):
        self.x += d * math.cos(self.heading)
        self.y += d * math.sin(self.heading)


@prog(np.array([[1.0, 0.0], [1.0, 2.0], [-1.0, 1.0]]))
def waypoints(points):
    robot, log = Robot(), []
    for px, py in points:
        robot.turn_to(px, py)
        steps = 0
        while math.hypot(px - robot.x, py - robot.y) > 0.15 and steps < 50:
            robot.forward(0.1)
            steps += 1
        log.append(steps)
    return log, robot.x, robot.y


class Tank:
    capacity = 10.0

    def __init__(self, level):
        self.level, self.spilled = level, 0.0

    @property
    def is_full(self):
        return self.level >= self.capacity

    def fill(self, amount):
        self.level += amount
        if self.is_full:
            self.spilled += self.level - self.capacity
            self.level = self.capacity
        return self


@prog(X)
def tanks(x):
    first, second = Tank(x[0]), Tank(0.0)
    for v in x:
        target = first if first.level <= second.level else second
        target.fill(abs(v) * 2)
    return first.level, second.level, first.spilled + second.spilled


@prog(X)
def lift(x):
    floor, direction, log = 0, 1, []
    waiting = {int(abs(v)) for v in x}
    while waiting and len(log) < 40:
        if floor in waiting:
            waiting.discard(floor)
            log.append(floor)
        if floor == 5:
            direction = -1
        elif floor == 0:
            direction = 1
        floor += direction
    return log, floor


@prog(N)
def events_in_order(times):
    queue, clock, served = [], 0, []
    for i, t in enumerate(times):
        heapq.heappush(queue, (int(t), i, "arrives"))
    while queue:
        clock, who, kind = heapq.heappop(queue)
        if kind == "arrives":
            heapq.heappush(queue, (clock + 2, who, "leaves"))
        else:
            served.append((clock, who))
    return clock, served


@prog(X)
def machine_of_states(x):
    state, trail = "idle", []
    for v in x:
        match state:
            case "idle" if v > 2:
                state = "busy"
            case "busy" if v < 3:
                state = "done"
            case "done":
                state = "idle"
        trail.append(state)
    return trail


@prog(X)
def bounded_history(x):
    recent, alarms = deque(maxlen=3), 0
    for v in x:
        if len(recent) == 3 and v > sum(recent) / 3 + 1:
            alarms += 1
        recent.append(v)
    return alarms, list(recent)


@prog(np.array([40, 2, 50, 1, 3, 60]))
def stack_machine(code):
    stack, at = [], 0
    while at < len(code):
        op = int(code[at])
        if op >= 40 and stack and op == 60:
            b, a = stack.pop(), stack.pop()
            stack.append(a * 10 + b)
        elif op < 40:
            stack.append(op)
        at += 1
    return stack
