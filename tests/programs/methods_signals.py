"""Transforms, filters, splines and images, written by hand.

The file is long because it is a collection of independent programs.
"""

import cmath
import math
from collections import deque

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
RNG = np.random.default_rng(21)
SIGNAL = RNG.standard_normal(8)
IMAGE = (RNG.random((7, 8)) * 255).astype(np.uint8)
FIELD = RNG.standard_normal((5, 5))
MASK = FIELD > 0


@prog(SIGNAL)
def fft_with_bit_reversal(x):
    n = len(x)
    if n & (n - 1):
        raise ValueError(f"{n} is no power of two")
    out = x.astype(complex)
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j |= bit
        if i < j:
            out[i], out[j] = out[j], out[i]
    length = 2
    while length <= n:
        root = cmath.exp(-2j * cmath.pi / length)
        for start in range(0, n, length):
            w = 1 + 0j
            for k in range(length // 2):
                even = out[start + k]
                odd = out[start + k + length // 2] * w
                out[start + k] = even + odd
                out[start + k + length // 2] = even - odd
                w *= root
        length *= 2
    return out


def fft(x):
    n = len(x)
    if n == 1:
        return x
    even, odd = fft(x[::2]), fft(x[1::2])
    turned = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
    return np.concatenate([even + turned, even - turned])


@prog(SIGNAL[:5])
def bluestein(x):
    n = len(x)
    m = 1
    while m < 2 * n - 1:
        m *= 2
    k = np.arange(n)
    chirp = np.exp(-1j * np.pi * (k * k % (2 * n)) / n)
    a, b = np.zeros(m, dtype=complex), np.zeros(m, dtype=complex)
    a[:n] = x * chirp
    b[:n] = np.conj(chirp)
    for i in range(1, n):
        b[m - i] = b[i]
    product = fft(a) * fft(b)
    convolved = np.conj(fft(np.conj(product))) / m
    return convolved[:n] * chirp


@prog(SIGNAL, 3)
def haar_and_back(x, levels):
    details = []
    approximation = x
    for _ in range(levels):
        if len(approximation) % 2:
            break
        pairs = approximation.reshape(-1, 2)
        details.append((pairs[:, 0] - pairs[:, 1]) / np.sqrt(2))
        approximation = (pairs[:, 0] + pairs[:, 1]) / np.sqrt(2)
    rebuilt = approximation
    for detail in reversed(details):
        longer = np.empty(2 * len(rebuilt))
        longer[0::2] = (rebuilt + detail) / np.sqrt(2)
        longer[1::2] = (rebuilt - detail) / np.sqrt(2)
        rebuilt = longer
    return approximation, details, rebuilt


@prog(SIGNAL)
def daubechies_4(x):
    s3 = math.sqrt(3)
    h = [(1 + s3) / 4, (3 + s3) / 4, (3 - s3) / 4, (1 - s3) / 4]
    g = [h[3], -h[2], h[1], -h[0]]
    out, n = x.copy(), len(x)
    while n >= 4:
        half = n >> 1
        t = np.zeros(n)
        for i in range(half):
            for k in range(4):
                t[i] += h[k] * out[(2 * i + k) % n] / math.sqrt(2)
                t[i + half] += g[k] * out[(2 * i + k) % n] / math.sqrt(2)
        out[:n] = t
        n = half
    return out


@prog(SIGNAL, 5, 2)
def savitzky_golay(y, window, order):
    if window % 2 != 1 or window < 1:
        raise TypeError("window must be a positive odd number")
    if window < order + 2:
        raise TypeError("window is too small for the polynomial")
    half = (window - 1) // 2
    b = np.array([[float(k) ** i for i in range(order + 1)] for k in range(-half, half + 1)])
    m = np.linalg.pinv(b)[0]
    first = y[0] - np.abs(y[1 : half + 1][::-1] - y[0])
    last = y[-1] + np.abs(y[-half - 1 : -1][::-1] - y[-1])
    padded = np.concatenate((first, y, last))
    return np.convolve(m[::-1], padded, mode="valid")


@prog(
    np.array([0.0, 1.0, 2.5, 3.0, 4.0]),
    np.array([0.0, 2.0, 1.0, 3.0, 2.0]),
    np.linspace(-0.5, 4, 7),
)
def natural_spline(x, y, at):
    n = len(x) - 1
    h = [x[i + 1] - x[i] for i in range(n)]
    alpha = [0.0] * n
    for i in range(1, n):
        alpha[i] = 3 / h[i] * (y[i + 1] - y[i]) - 3 / h[i - 1] * (y[i] - y[i - 1])
    c, low, mu, z = np.zeros(n + 1), np.ones(n + 1), np.zeros(n + 1), np.zeros(n + 1)
    for i in range(1, n):
        low[i] = 2 * (x[i + 1] - x[i - 1]) - h[i - 1] * mu[i - 1]
        mu[i] = h[i] / low[i]
        z[i] = (alpha[i] - h[i - 1] * z[i - 1]) / low[i]
    b, d = np.zeros(n), np.zeros(n)
    for j in range(n - 1, -1, -1):
        c[j] = z[j] - mu[j] * c[j + 1]
        b[j] = (y[j + 1] - y[j]) / h[j] - h[j] * (c[j + 1] + 2 * c[j]) / 3
        d[j] = (c[j + 1] - c[j]) / (3 * h[j])
    values = []
    for t in at:
        if t < x[0] or t > x[-1]:
            values.append(np.nan)
            continue
        i = 0
        while i < n - 1 and t > x[i + 1]:
            i += 1
        s = t - x[i]
        values.append(y[i] + s * (b[i] + s * (c[i] + s * d[i])))
    return np.array(values)


@prog(
    np.array([0.0, 0, 0, 0, 1, 2, 2, 2, 2]), FIELD[:, :2].copy(), 3, np.array([0.0, 0.4, 1.0, 1.9])
)
def de_boor(knots, control, p, at):
    curve = np.zeros((len(at), control.shape[1]))
    for row, t in enumerate(at):
        k = p
        while k < len(control) - 1 and knots[k + 1] <= t:
            k += 1
        d = [control[j + k - p].copy() for j in range(p + 1)]
        for r in range(1, p + 1):
            for j in range(p, r - 1, -1):
                left = knots[j + k - p]
                alpha = (t - left) / (knots[j + 1 + k - r] - left)
                d[j] = (1.0 - alpha) * d[j - 1] + alpha * d[j]
        curve[row] = d[p]
    return curve


@prog(FIELD, 0.2)
def marching_squares(field, level):
    segments = []
    table = {
        1: "lb",
        2: "br",
        3: "lr",
        4: "tr",
        6: "tb",
        7: "lt",
        8: "lt",
        9: "tb",
        11: "tr",
        12: "lr",
        13: "br",
        14: "lb",
    }
    rows, columns = field.shape
    for i in range(rows - 1):
        for j in range(columns - 1):
            a, b, c, d = field[i, j], field[i, j + 1], field[i + 1, j + 1], field[i + 1, j]
            case = 8 * (a > level) + 4 * (b > level) + 2 * (c > level) + 1 * (d > level)
            if case in (0, 15, 5, 10):
                continue
            points = []
            for side in table[int(case)]:
                if side == "t":
                    points.append((float(i), j + float((level - a) / (b - a))))
                elif side == "b":
                    points.append((float(i + 1), j + float((level - d) / (c - d))))
                elif side == "l":
                    points.append((i + float((level - a) / (d - a)), float(j)))
                else:
                    points.append((i + float((level - b) / (c - b)), float(j + 1)))
            segments.append(points)
    length = 0.0
    for (y0, x0), (y1, x1) in segments:
        length += math.hypot(y1 - y0, x1 - x0)
    return len(segments), length


@prog(MASK)
def two_pass_components(mask):
    labels = np.zeros(mask.shape, dtype=int)
    parent = [0]

    def find(a):
        while parent[a] != a:
            parent[a] = parent[parent[a]]
            a = parent[a]
        return a

    for i in range(mask.shape[0]):
        for j in range(mask.shape[1]):
            if not mask[i, j]:
                continue
            up = labels[i - 1, j] if i > 0 else 0
            left = labels[i, j - 1] if j > 0 else 0
            if up == 0 and left == 0:
                parent.append(len(parent))
                labels[i, j] = len(parent) - 1
            elif up and left:
                a, b = find(up), find(left)
                labels[i, j] = min(a, b)
                parent[max(a, b)] = min(a, b)
            else:
                labels[i, j] = max(up, left)
    names = {}
    for i, j in zip(*np.nonzero(labels)):
        root = find(labels[i, j])
        if root not in names:
            names[root] = len(names) + 1
        labels[i, j] = names[root]
    return labels, len(names)


@prog(IMAGE, 2, 3, 7)
def flood_fill(image, row, column, colour):
    image = image.copy()
    old = image[row, column]
    if old == colour:
        return image, 0
    queue = deque([(row, column)])
    painted = 0
    while queue:
        i, j = queue.popleft()
        if not (0 <= i < image.shape[0] and 0 <= j < image.shape[1]):
            continue
        if abs(int(image[i, j]) - int(old)) > 60 or image[i, j] == colour:
            continue
        image[i, j] = colour
        painted += 1
        queue.extend([(i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)])
    return image, painted


@prog(IMAGE)
def otsu_threshold(image):
    histogram = np.zeros(256, dtype=int)
    for pixel in image.ravel():
        histogram[pixel] += 1
    total = image.size
    everything = sum(i * histogram[i] for i in range(256))
    best, threshold = -1.0, 0
    weight, below = 0, 0
    for t in range(256):
        weight += histogram[t]
        if weight == 0:
            continue
        if weight == total:
            break
        below += t * histogram[t]
        gap = below / weight - (everything - below) / (total - weight)
        between = weight * (total - weight) * gap * gap
        if between > best:
            best, threshold = between, t
    return threshold, best


@prog(IMAGE, 60.0, 200.0)
def canny(image, low, high):
    a = image.astype(float)
    gx, gy = np.zeros_like(a), np.zeros_like(a)
    gx[:, 1:-1] = a[:, 2:] - a[:, :-2]
    gy[1:-1, :] = a[2:, :] - a[:-2, :]
    size = np.hypot(gx, gy)
    angle = np.rad2deg(np.arctan2(gy, gx)) % 180
    rows, columns = a.shape
    thin = np.zeros_like(a)
    for i in range(1, rows - 1):
        for j in range(1, columns - 1):
            t = angle[i, j]
            if t < 22.5 or t >= 157.5:
                p, q = size[i, j - 1], size[i, j + 1]
            elif t < 67.5:
                p, q = size[i + 1, j + 1], size[i - 1, j - 1]
            elif t < 112.5:
                p, q = size[i - 1, j], size[i + 1, j]
            else:
                p, q = size[i - 1, j + 1], size[i + 1, j - 1]
            if size[i, j] >= p and size[i, j] >= q:
                thin[i, j] = size[i, j]
    edges = thin >= high
    changed = True
    while changed:
        changed = False
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                if (
                    not edges[i, j]
                    and thin[i, j] >= low
                    and edges[i - 1 : i + 2, j - 1 : j + 2].any()
                ):
                    edges[i, j] = True
                    changed = True
    return edges, int(edges.sum())


@prog(MASK, 8)
def hough_lines(edges, angles):
    rows, columns = edges.shape
    longest = int(np.ceil(np.hypot(rows, columns)))
    accumulator = np.zeros((2 * longest + 1, angles), dtype=np.int64)
    theta = np.arange(angles) * np.pi / angles
    for y, x in np.argwhere(edges):
        for k in range(angles):
            rho = int(round(x * math.cos(theta[k]) + y * math.sin(theta[k])))
            accumulator[rho + longest, k] += 1
    peak = np.unravel_index(np.argmax(accumulator), accumulator.shape)
    return peak[0] - longest, theta[peak[1]], accumulator.max()


@prog(IMAGE)
def contrast_limited_equalisation(image):
    histogram = np.bincount(image.ravel(), minlength=256)
    limit = 2
    spare = 0
    for level in range(256):
        if histogram[level] > limit:
            spare += histogram[level] - limit
            histogram[level] = limit
    histogram = histogram + spare // 256
    for level in range(spare % 256):
        histogram[level] += 1
    cdf = histogram.cumsum()
    low = cdf[cdf > 0].min()
    table = np.round((cdf - low) / (cdf[-1] - low) * 255).astype(np.uint8)
    return table[image]


@prog(SIGNAL, 0.4)
def ramer_douglas_peucker(y, tolerance):
    keep = np.zeros(len(y), dtype=bool)
    keep[0] = keep[-1] = True
    stack = [(0, len(y) - 1)]
    while stack:
        first, last = stack.pop()
        largest, at = 0.0, -1
        for i in range(first + 1, last):
            line = y[first] + (y[last] - y[first]) * (i - first) / (last - first)
            if abs(y[i] - line) > largest:
                largest, at = abs(y[i] - line), i
        if largest > tolerance:
            keep[at] = True
            stack.append((first, at))
            stack.append((at, last))
    return np.flatnonzero(keep)
