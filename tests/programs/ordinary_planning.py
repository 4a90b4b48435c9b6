"""Plans, queues, images, accounts and equations, as people write them."""

from collections import defaultdict, deque

import numpy as np
from support.engine_runs import Cases

CASES = Cases()
program = CASES.program
A = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
N = np.array([4, 1, 3, 7, 8, 12, 3])
E = np.array([])
G = np.array(
    [[0, 4, 0, 0, 8], [4, 0, 8, 0, 11], [0, 8, 0, 7, 0], [0, 0, 7, 0, 9], [8, 11, 0, 9, 0]]
)


@program((G, 0), (G.astype(float), 2), (G[:1, :1], 0))
def prim_mst(graph, start):
    n = len(graph)
    in_tree = [False] * n
    cost = [float("inf")] * n
    parent = [-1] * n
    cost[start] = 0
    total = 0
    for _ in range(n):
        u = -1
        for v in range(n):
            if not in_tree[v] and (u == -1 or cost[v] < cost[u]):
                u = v
        in_tree[u] = True
        total += cost[u]
        for v in range(n):
            if graph[u][v] and not in_tree[v] and graph[u][v] < cost[v]:
                cost[v] = graph[u][v]
                parent[v] = u
    return total, parent


@program((np.array([0.1, 0.05, 0.12, -0.2, 0.3]), 1000.0), (np.array([0.5]), 10), (E, 5.0))
def max_drawdown(returns, capital):
    equity = capital
    peak = equity
    worst = 0.0
    start = end = 0
    peak_at = 0
    curve = [equity]
    for i, r in enumerate(returns):
        equity *= 1 + r
        curve.append(equity)
        if equity > peak:
            peak = equity
            peak_at = i + 1
        dd = (peak - equity) / peak
        if dd > worst:
            worst, start, end = dd, peak_at, i + 1
    return {"curve": curve, "drawdown": worst, "from": start, "to": end}


@program(
    (np.array([[1, 3], [2, 5], [4, 7], [6, 8]]), np.array([5, 6, 5, 4])),
    (np.array([[1, 3]]), np.array([2.5])),
    (np.array([[3, 4], [1, 2]]), np.array([1, 1])),
)
def weighted_intervals(jobs, weights):
    order = sorted(range(len(jobs)), key=lambda i: jobs[i][1])
    n = len(order)
    best = [0] * (n + 1)
    take = []
    for i in range(1, n + 1):
        job = jobs[order[i - 1]]
        j = i - 1
        while j > 0 and jobs[order[j - 1]][1] > job[0]:
            j -= 1
        with_it = best[j] + weights[order[i - 1]]
        if with_it > best[i - 1]:
            best[i] = with_it
            take.append(order[i - 1])
        else:
            best[i] = best[i - 1]
    return best[n], take


@program((np.array([1, 2, 3, 4]), 5), (np.array([2.0, 1.0]), 3), (np.array([7]), 1))
def turns_by_quantum(burst, quantum):
    queue = deque((i, b) for i, b in enumerate(burst))
    time = 0
    finished = {}
    while queue:
        i, left = queue.popleft()
        run = min(left, quantum)
        time += run
        left -= run
        if left > 0:
            queue.append((i, left))
        else:
            finished[i] = time
    return finished, time


@program(
    (np.array([[0.0, 1, 0], [1, 1, 1], [0, 1, 0]]),),
    (np.array([[5, 200, 3], [7, 90, 250]], dtype=np.uint8),),
    (np.ones((4, 4)),),
)
def median3(img):
    out = np.copy(img)
    h, w = img.shape
    for y in range(1, h - 1):
        for x in range(1, w - 1):
            window = []
            for dy in (-1, 0, 1):
                for dx in (-1, 0, 1):
                    window.append(img[y + dy, x + dx])
            window.sort()
            out[y, x] = window[4]
    return out


@program(
    (np.array([50, 60, 200, 200, 60], dtype=np.uint8),),
    (np.array([[0, 0], [255, 255]], dtype=np.uint8),),
    (np.array([7], dtype=np.uint8),),
)
def otsu(image):
    hist = np.zeros(256)
    for v in image.ravel():
        hist[v] += 1
    total = image.size
    sum_all = 0
    for t in range(256):
        sum_all += t * hist[t]
    best, threshold = 0, 0
    wb = sb = 0
    for t in range(256):
        wb += hist[t]
        if wb == 0:
            continue
        wf = total - wb
        if wf == 0:
            break
        sb += t * hist[t]
        mb, mf = sb / wb, (sum_all - sb) / wf
        between = wb * wf * (mb - mf) ** 2
        if between > best:
            best, threshold = between, t
    return threshold, best


@program(
    (np.array([[5, 3, 0], [6, 0, 2]]),),
    (np.zeros((2, 2), int),),
    (np.array([[1, 0, 0], [0, 0, 0], [0, 0, 9]]),),
)
def shortest_in_grid(grid):
    rows, cols = grid.shape
    start = (0, 0)
    goal = (rows - 1, cols - 1)
    queue = deque([(start, [start])])
    visited = {start}
    while queue:
        (r, c), path = queue.popleft()
        if (r, c) == goal:
            return path
        for dr, dc in [(0, 1), (1, 0), (0, -1), (-1, 0)]:
            nr, nc = r + dr, c + dc
            if 0 <= nr < rows and 0 <= nc < cols and grid[nr, nc] == 0 and (nr, nc) not in visited:
                visited.add((nr, nc))
                queue.append(((nr, nc), path + [(nr, nc)]))
    return None


@program((np.array([3, 4, 5, 1, 2]), 1), (np.array([5, 6, 7]), 6), (np.array([2.0]), 3.0))
def rotated_search(nums, target):
    lo, hi = 0, len(nums) - 1
    steps = []
    while lo <= hi:
        mid = (lo + hi) // 2
        steps.append(mid)
        if nums[mid] == target:
            return mid, steps
        if nums[lo] <= nums[mid]:
            if nums[lo] <= target < nums[mid]:
                hi = mid - 1
            else:
                lo = mid + 1
        else:
            if nums[mid] < target <= nums[hi]:
                lo = mid + 1
            else:
                hi = mid - 1
    return -1, steps


@program((N,), (A,), (N[:1],), (N[:0],))
def lis_path(a):
    n = len(a)
    if n == 0:
        return []
    length = [1] * n
    prev = [None] * n
    for i in range(n):
        for j in range(i):
            if a[j] < a[i] and length[j] + 1 > length[i]:
                length[i] = length[j] + 1
                prev[i] = j
    best = max(range(n), key=lambda i: length[i])
    path = []
    k = best
    while k is not None:
        path.append(a[k])
        k = prev[k]
    return path[::-1]


@program(
    (np.array([1, 5, 2]), np.array([10.0, 20.0, 15.0])),
    (np.array([1]), np.array([2])),
    (np.array([], int), E),
)
def summary_by_group(keys, values):
    groups = defaultdict(list)
    for k, v in zip(keys, values):
        groups[k % 2].append(v)
    out = {}
    for k, vs in groups.items():
        out[k] = {"mean": np.mean(vs), "max": max(vs), "n": len(vs)}
    return out


@program((np.array([2.0, -3.0, 1.0]), 1.5), (np.array([1, 0, -2]), 3), (np.array([5]), 0))
def newton_poly(coeffs, x0):
    def f(x):
        r = 0
        for c in coeffs:
            r = r * x + c
        return r

    def df(x):
        r = 0
        n = len(coeffs) - 1
        for i, c in enumerate(coeffs[:-1]):
            r = r * x + c * (n - i)
        return r

    x = x0
    history = [x]
    for _ in range(30):
        d = df(x)
        if d == 0:
            return None, history
        x_new = x - f(x) / d
        history.append(x_new)
        if abs(x_new - x) < 1e-10:
            return x_new, history
        x = x_new
    return x, history


@program(
    (np.array([[2.0, 1], [1, 3]]), np.array([1.0, 2.0])),
    (np.array([[0.0, 1], [1, 0]]), np.array([3.0, 4])),
    (np.array([[1.0, 2], [2, 4]]), np.array([1.0, 2])),
    (np.array([[4.0]]), np.array([2.0])),
)
def gauss_pivot(a, b):
    a = a.copy()
    b = b.copy()
    n = len(b)
    swaps = 0
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[p, k]):
                p = i
        if a[p, k] == 0:
            return None
        if p != k:
            a[[k, p]] = a[[p, k]]
            b[k], b[p] = b[p], b[k]
            swaps += 1
        for i in range(k + 1, n):
            m = a[i, k] / a[k, k]
            a[i, k:] -= m * a[k, k:]
            b[i] -= m * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - a[i, i + 1 :] @ x[i + 1 :]) / a[i, i]
    return x, swaps


@program(([1, 2, 3], 2), ([1, 2, 3, 4], 0), ([5], 3), (np.array([1, 2, 3, 4, 5]), 2))
def rotate_list(xs, k):
    if len(xs) == 0:
        return xs
    k = k % len(xs)
    return list(xs[k:]) + list(xs[:k])


@program((np.array([3, 0, 2, 0, 4]),), (np.array([1.5, 0.5, 2.5]),), (np.array([2]),))
def rain_water(heights):
    stack = []
    water = 0
    for i, h in enumerate(heights):
        while stack and heights[stack[-1]] < h:
            low = stack.pop()
            if not stack:
                break
            left = stack[-1]
            water += (min(heights[left], h) - heights[low]) * (i - left - 1)
        stack.append(i)
    return water


@program(
    (np.array([10, 5, 20]), 3, 100.0), (np.array([1.5, 2.5]), 1, 10.0), (np.array([7]), 2, 0.0)
)
def portfolio(prices, shares, cash):
    position = 0
    trades = []
    last = None
    for day, price in enumerate(prices):
        if last is not None and price < last and cash >= price * shares:
            cash -= price * shares
            position += shares
            trades.append(("buy", day, price))
        elif last is not None and price > last and position > 0:
            cash += price * position
            trades.append(("sell", day, price))
            position = 0
        last = price
    return cash, position, trades
