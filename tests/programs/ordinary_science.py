"""Chemistry, control, economics, epidemics, geometry and quadrature, as people write them."""

import math

import numpy as np
from support.engine_runs import Cases

CASES = Cases()
program = CASES.program

A = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
TRIANGLE = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]])
SQUARE = np.array([[0, 0], [2, 0], [2, 2], [0, 2]])
CLOUD = np.array([[0.0, 0.0], [1.0, 3.0], [4.0, 1.0], [2.0, 2.0], [3.0, 3.0], [2.0, -1.0]])


@program((TRIANGLE,), (SQUARE,), (SQUARE[::-1],), (TRIANGLE[:1],), (np.zeros((0, 2)),))
def polygon(points):
    area, cx, cy, perimeter = 0.0, 0.0, 0.0, 0.0
    n = len(points)
    for i in range(n):
        x0, y0 = points[i]
        x1, y1 = points[(i + 1) % n]
        cross = x0 * y1 - x1 * y0
        area += cross
        cx += (x0 + x1) * cross
        cy += (y0 + y1) * cross
        perimeter += math.hypot(x1 - x0, y1 - y0)
    area /= 2
    if area == 0:
        return 0.0, None, perimeter
    return abs(area), (cx / (6 * area), cy / (6 * area)), perimeter


def turn(o, a, b):
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


@program((CLOUD,), (SQUARE,), (CLOUD[:2],), (CLOUD[:1],), (np.zeros((0, 2)),))
def convex_hull(points):
    pts = sorted(tuple(p) for p in points)
    if len(pts) <= 2:
        return pts
    lower = []
    for p in pts:
        while len(lower) >= 2 and turn(lower[-2], lower[-1], p) <= 0:
            lower.pop()
        lower.append(p)
    upper = []
    for p in reversed(pts):
        while len(upper) >= 2 and turn(upper[-2], upper[-1], p) <= 0:
            upper.pop()
        upper.append(p)
    return lower[:-1] + upper[:-1]


@program((CLOUD,), (SQUARE,), (CLOUD[:2],), (CLOUD[:1],))
def closest_pair(points):
    best = None
    for i in range(len(points)):
        for j in range(i + 1, len(points)):
            d = np.linalg.norm(points[i] - points[j])
            if best is None or d < best[0]:
                best = (d, i, j)
    if best is None:
        return -1
    return best


@program(
    (CLOUD, 2.0, 2.0), (SQUARE, 1, 1), (SQUARE, 5, 1), (TRIANGLE, 1.0, 1.0), (TRIANGLE, 4.0, 4.0)
)
def point_in_polygon(points, x, y):
    inside = False
    j = len(points) - 1
    for i in range(len(points)):
        xi, yi = points[i]
        xj, yj = points[j]
        if (yi > y) != (yj > y) and x < (xj - xi) * (y - yi) / (yj - yi) + xi:
            inside = not inside
        j = i
    return "inside" if inside else "outside"


@program(
    (np.array([0.0, 0.0, 4.0, 4.0]), np.array([0.0, 4.0, 4.0, 0.0])),
    (np.array([0.0, 0.0, 1.0, 0.0]), np.array([0.0, 1.0, 1.0, 1.0])),
    (np.array([0, 0, 1, 1]), np.array([2, 2, 3, 3])),
)
def segments_meet(p, q):
    x1, y1, x2, y2 = p
    x3, y3, x4, y4 = q
    d = (x1 - x2) * (y3 - y4) - (y1 - y2) * (x3 - x4)
    if d == 0:
        return "parallel"
    t = ((x1 - x3) * (y3 - y4) - (y1 - y3) * (x3 - x4)) / d
    u = ((x1 - x3) * (y1 - y2) - (y1 - y3) * (x1 - x2)) / d
    if 0 <= t <= 1 and 0 <= u <= 1:
        return x1 + t * (x2 - x1), y1 + t * (y2 - y1)
    return None


@program((0.3, 1e-4, 50), (1.2, 0.1, 5), (0.0, 0.5, 0), (np.float64(0.9), np.float64(0.3), 30))
def sir_epidemic(beta, start, days):
    s, i, r = 1 - start, start, 0.0
    peak, day = i, 0
    history = [(s, i, r)]
    for d in range(days):
        new = beta * s * i
        healed = 0.1 * i
        s, i, r = s - new, i + new - healed, r + healed
        history.append((s, i, r))
        if i > peak:
            peak, day = i, d + 1
        if i < 1e-6:
            break
    return peak, day, len(history), history[-1]


class PID:
    def __init__(self, kp, ki, kd, limits=(None, None)):
        self.kp, self.ki, self.kd = kp, ki, kd
        self.low, self.high = limits
        self.integral = 0.0
        self.last = None

    def step(self, error, dt):
        self.integral += error * dt
        slope = 0.0 if self.last is None else (error - self.last) / dt
        self.last = error
        out = self.kp * error + self.ki * self.integral + self.kd * slope
        if self.high is not None and out > self.high:
            out = self.high
        elif self.low is not None and out < self.low:
            out = self.low
        return out


@program((A, 10.0), (-A, 0.0), (A[:1], 3.0), (A[:0], 3.0))
def heater(noise, target):
    pid = PID(2.0, 0.5, 0.1, (0.0, 8.0))
    temperature, log = 0.0, []
    for w in noise:
        power = pid.step(target - temperature, 0.5)
        temperature += 0.5 * (power - 0.2 * temperature) + 0.01 * w
        log.append(round(temperature, 3))
    return log, pid.last, pid.integral


@program((A, 0.05), (np.array([-100.0, 30, 40, 50]), 0.1), (np.array([-1, 2]), 0.0), (A[:0], 0.1))
def cash_flows(flows, rate):
    npv = 0.0
    for t, c in enumerate(flows):
        npv += c / (1 + rate) ** t
    low, high = -0.9, 10.0
    irr = None
    f = lambda r: sum(c / (1 + r) ** t for t, c in enumerate(flows))  # noqa: E731
    if f(low) * f(high) < 0:
        for _ in range(60):
            mid = (low + high) / 2
            if f(low) * f(mid) <= 0:
                high = mid
            else:
                low = mid
        irr = (low + high) / 2
    payback = None
    total = 0.0
    for t, c in enumerate(flows):
        total += c
        if total >= 0 and payback is None:
            payback = t
    return npv, irr, payback


@program(
    (np.array([10.0, 8.0, 6.0]), np.array([1.0, 3.0, 7.0])),
    (np.array([5.0, 4.0]), np.array([6.0, 7.0])),
    (np.array([]), np.array([])),
    (np.array([3, 2]), np.array([1, 2])),
)
def market(bids, asks):
    bids = sorted(bids, reverse=True)
    asks = sorted(asks)
    trades, surplus = [], 0
    while bids and asks and bids[0] >= asks[0]:
        b, a = bids.pop(0), asks.pop(0)
        trades.append((b + a) / 2)
        surplus += b - a
    price = trades[-1] if trades else None
    return len(trades), price, surplus, bids, asks


@program((np.array([2, 2, 1]),), (np.array([1.5, 0.2, 4.0]),), (np.array([0.0, 1.0, 1.0]),))
def limiting_reagent(amounts):
    need = {"h2": 2, "o2": 1, "c": 1}
    limiting, possible = None, None
    for name, amount in zip(need, amounts):
        runs = amount / need[name]
        if possible is None or runs < possible:
            limiting, possible = name, runs
    left = {name: amount - possible * need[name] for name, amount in zip(need, amounts)}
    return limiting, possible, left


@program((np.array([0.5, 1e-3]), 1e-5), (np.array([0.0, 2.0]), 1e-5), (np.array([-1.0, 0.1]), 1e-5))
def weak_acid(given, ka):
    start, c = given
    if c <= 0 or start < 0:
        return "no solution"
    x = c / 2
    for n in range(100):
        new = math.sqrt(ka * max(c - x, 0.0))
        if abs(new - x) < 1e-12:
            break
        x = new
    ph = -math.log10(x) if x > 0 else 7
    return round(ph, 6), n


def adaptive(f, a, b, tol, depth=0):
    m = (a + b) / 2
    whole = (b - a) / 6 * (f(a) + 4 * f(m) + f(b))
    left = (m - a) / 6 * (f(a) + 4 * f((a + m) / 2) + f(m))
    right = (b - m) / 6 * (f(m) + 4 * f((m + b) / 2) + f(b))
    if depth > 6 or abs(left + right - whole) < 15 * tol:
        return left + right
    return adaptive(f, a, m, tol / 2, depth + 1) + adaptive(f, m, b, tol / 2, depth + 1)


@program((np.float64(0.0), np.float64(2.0)), (np.float64(1.0), np.float64(1.0)), (0.5, 3.0))
def quadrature(a, b):
    return adaptive(lambda x: math.exp(-x * x), a, b, 1e-4)


@program((A, np.array([0.5, 2.0, 9.0])), (np.sort(A), np.array([1.5, np.nan])), (A[:1], A[:2]))
def interpolated(xs, at):
    xs = sorted(xs)
    ys = [x * x for x in xs]
    out = []
    for v in at:
        if v <= xs[0]:
            out.append(ys[0])
        elif v >= xs[-1]:
            out.append(ys[-1])
        else:
            k = 0
            while k + 1 < len(xs) and xs[k + 1] < v:
                k += 1
            if k + 1 == len(xs):
                out.append(math.nan)
                continue
            t = (v - xs[k]) / (xs[k + 1] - xs[k])
            out.append(ys[k] * (1 - t) + ys[k + 1] * t)
    return out
