"""Games and simulations, as people write them.

The file is long because it is a collection of independent programs.
"""

import heapq
from collections import Counter

import numpy as np
from support.engine_runs import Cases
from support.small_arrays import A, E, N

CASES = Cases()
program = CASES.program


NAN = np.array([1.0, np.nan, 2.0])

GRID = np.array([[0, 1, 0, 0], [0, 1, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0]])


@program((GRID, 3), (np.zeros((0, 0), int), 2), (GRID[:1], 1), (GRID, 0))
def life(board, steps):
    """Conway's life on a board with edges, and when it repeats."""
    seen = []
    for step in range(steps):
        rows, cols = board.shape
        new = np.zeros_like(board)
        for i in range(rows):
            for j in range(cols):
                alive = 0
                for di in (-1, 0, 1):
                    for dj in (-1, 0, 1):
                        if di == 0 and dj == 0:
                            continue
                        r, c = i + di, j + dj
                        if 0 <= r < rows and 0 <= c < cols:
                            alive += board[r, c]
                if board[i, j] == 1 and alive in (2, 3):
                    new[i, j] = 1
                elif board[i, j] == 0 and alive == 3:
                    new[i, j] = 1
        seen.append(int(new.sum()))
        if np.array_equal(new, board):
            break
        board = new
    return board, seen


BOARD = np.array([[1, 2, 1], [2, 1, 2], [1, 1, 2]])


@program(BOARD, np.zeros((3, 3), int), np.eye(3, dtype=int) * 2)
def tictactoe_winner(board):
    lines = []
    for i in range(3):
        lines.append(board[i])
        lines.append(board[:, i])
    lines.append(np.diag(board))
    lines.append(np.diag(np.fliplr(board)))
    for line in lines:
        if line[0] != 0 and (line == line[0]).all():
            return int(line[0])
    if (board == 0).any():
        return None
    return 0


@program((np.array([3, 4, 5]),), (np.array([1, 1]),), (np.array([], int),), (np.array([7]),))
def nim_move(piles):
    x = 0
    for p in piles:
        x ^= int(p)
    if x == 0:
        return "lost", None
    for i, p in enumerate(piles):
        target = int(p) ^ x
        if target < p:
            return "won", (i, int(p) - target)
    return "error", None


MINES = np.array([[0, 0, 0, 1], [0, 0, 0, 0], [1, 0, 0, 0]])


@program((MINES, 0, 0), (MINES, 0, 3), (MINES, 2, 3), (np.zeros((1, 1), int), 0, 0))
def minesweeper_open(mines, r, c):
    h, w = mines.shape
    shown = np.full((h, w), -1)
    if mines[r, c]:
        return None, shown
    stack = [(r, c)]
    while stack:
        i, j = stack.pop()
        if shown[i, j] != -1:
            continue
        count = 0
        around = []
        for a in range(max(0, i - 1), min(h, i + 2)):
            for b in range(max(0, j - 1), min(w, j + 2)):
                if (a, b) != (i, j):
                    count += mines[a, b]
                    around.append((a, b))
        shown[i, j] = count
        if count == 0:
            stack.extend(around)
    return int((shown >= 0).sum()), shown


@program(([10, 6, 4, 3, 10],), ([10, 10, 10],), ([],), ([5, 5, 1],))
def bowling_score(rolls):
    score = 0
    i = 0
    frame = 0
    while frame < 10 and i < len(rolls):
        if rolls[i] == 10:
            score += 10 + sum(rolls[i + 1 : i + 3])
            i += 1
        elif i + 1 < len(rolls) and rolls[i] + rolls[i + 1] == 10:
            score += 10 + (rolls[i + 2] if i + 2 < len(rolls) else 0)
            i += 2
        else:
            score += sum(rolls[i : i + 2])
            i += 2
        frame += 1
    return score, frame


@program(
    np.array([10, 6, 4, 3, 10]), np.array([10, 10, 10]), np.array([], int), np.array([5, 5, 1])
)
def bowling_score_array(rolls):
    score = 0
    i = 0
    frame = 0
    while frame < 10 and i < len(rolls):
        if rolls[i] == 10:
            score += 10 + sum(rolls[i + 1 : i + 3])
            i += 1
        elif i + 1 < len(rolls) and rolls[i] + rolls[i + 1] == 10:
            score += 10 + (rolls[i + 2] if i + 2 < len(rolls) else 0)
            i += 2
        else:
            score += sum(rolls[i : i + 2])
            i += 2
        frame += 1
    return score, frame


@program((np.array([1, 5, 14, 9, 14]), 2), (np.array([], int), 2), (np.array([14, 14, 14, 14]), 3))
def counted_hand(ranks, suits):
    counts = Counter(int(r) for r in ranks)
    pairs = [r for r, n in counts.items() if n == 2]
    trips = [r for r, n in counts.items() if n == 3]
    quads = [r for r, n in counts.items() if n == 4]
    if quads:
        name = "four of a kind"
    elif trips and pairs:
        name = "full house"
    elif trips:
        name = "three of a kind"
    elif len(pairs) == 2:
        name = "two pairs"
    elif pairs:
        name = f"pair of {pairs[0]}"
    else:
        name = "high card"
    return name, max(counts, default=0)


@program((A, 2.0), (E, 1.0), (N, 1.0), (NAN, 1.0))
def queue_wait(arrivals, service):
    arrivals = np.sort(arrivals)
    free_at = 0.0
    waits = []
    for t in arrivals:
        start = max(t, free_at)
        waits.append(start - t)
        free_at = start + service
    return {
        "mean": sum(waits) / len(waits) if waits else 0.0,
        "max": max(waits) if waits else None,
        "busy": free_at,
    }


@program((np.array([1.0, 2.0, 0.5, 3.0]), 2), (E, 1), (A, 3))
def servers_queue(services, k):
    free = [0.0] * k
    heapq.heapify(free)
    log = []
    for i, s in enumerate(services):
        t = heapq.heappop(free)
        end = t + s
        heapq.heappush(free, end)
        log.append((i, t, end))
    return max((end for _, _, end in log), default=0.0), log


@program((np.array([0.0, 1.0, 2.0]), 0.1, 20), (E, 0.1, 3), (np.array([5.0]), 0.5, 4))
def sir_model(x, beta, days):
    s, i, r = 0.99, 0.01, 0.0
    history = []
    for day in range(days):
        new_i = beta * s * i * (1 + x.sum())
        new_r = 0.1 * i
        s, i, r = s - new_i, i + new_i - new_r, r + new_r
        history.append((s, i, r))
        if i < 1e-3:
            break
    peak = max(range(len(history)), key=lambda d: history[d][1])
    return history[-1], peak


@program((np.array([0.2, 0.7, 0.4, 0.9]), 5), (E, 5), (np.array([0.1]), 0))
def elevator(requests, floors):
    current, direction = 0, 1
    pending = sorted({int(r * floors) for r in requests})
    visited = []
    while pending:
        ahead = [f for f in pending if (f - current) * direction >= 0]
        if not ahead:
            direction = -direction
            continue
        nxt = min(ahead, key=lambda f: abs(f - current))
        visited.append(nxt)
        pending.remove(nxt)
        current = nxt
    return visited, current


@program((np.array([3, 1, 2, 5, 4]), 2), (np.array([], int), 3), (np.array([1, 1, 2, 1]), 1))
def lru_cache_hits(keys, size):
    cache = []
    hits = 0
    for k in keys:
        if k in cache:
            hits += 1
            cache.remove(k)
        elif len(cache) >= size:
            cache.pop(0)
        cache.append(k)
    return hits, cache
