"""Images and signals."""

import math

import numpy as np
from collection import Collection

PROGRAMS = Collection()
example = PROGRAMS.example

rng = np.random.default_rng(6)
IMAGE = rng.random((14, 12))
BYTES = rng.integers(0, 256, (12, 10)).astype(np.uint8)
COLOURS = rng.integers(0, 256, (6, 7, 3)).astype(np.uint8)
SIGNAL = np.sin(np.arange(48) * 0.4) + 0.3 * rng.standard_normal(48)
KERNEL = np.array([[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]]) / 16


@example(IMAGE, KERNEL)
def convolve(image, kernel):
    h, w = image.shape
    kh, kw = kernel.shape
    out = np.zeros((h - kh + 1, w - kw + 1))
    for y in range(out.shape[0]):
        for x in range(out.shape[1]):
            for i in range(kh):
                for j in range(kw):
                    out[y, x] += image[y + i, x + j] * kernel[i, j]
    return out


@example(IMAGE, KERNEL)
def convolve_padded(image, kernel):
    pad = kernel.shape[0] // 2
    padded = np.pad(image, pad, mode="edge")
    out = np.zeros_like(image)
    for y in range(image.shape[0]):
        for x in range(image.shape[1]):
            out[y, x] = np.sum(padded[y : y + 3, x : x + 3] * kernel)
    return out


@example(IMAGE)
def sobel(image):
    gx = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
    gy = gx.T
    h, w = image.shape
    out = np.zeros((h, w))
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            patch = image[i - 1 : i + 2, j - 1 : j + 2]
            sx, sy = (patch * gx).sum(), (patch * gy).sum()
            out[i, j] = math.sqrt(sx * sx + sy * sy)
    return out


@example(IMAGE)
def median_filter(image):
    out = image.copy()
    for i in range(1, image.shape[0] - 1):
        for j in range(1, image.shape[1] - 1):
            out[i, j] = np.median(image[i - 1 : i + 2, j - 1 : j + 2])
    return out


@example(BYTES)
def otsu(image):
    histogram = np.bincount(image.ravel(), minlength=256)
    total = image.size
    weighted = np.dot(np.arange(256), histogram)
    sum_b, weight_b, best, threshold = 0.0, 0, 0.0, 0
    for t in range(256):
        weight_b += histogram[t]
        if weight_b == 0:
            continue
        weight_f = total - weight_b
        if weight_f == 0:
            break
        sum_b += t * histogram[t]
        mean_b = sum_b / weight_b
        mean_f = (weighted - sum_b) / weight_f
        between = weight_b * weight_f * (mean_b - mean_f) ** 2
        if between > best:
            best, threshold = between, t
    return threshold


@example(BYTES)
def equalize(image):
    counts, _ = np.histogram(image, bins=256, range=(0, 256))
    cdf = counts.cumsum()
    low = cdf[cdf > 0].min()
    table = np.round((cdf - low) / (cdf[-1] - low) * 255)
    return table[image].astype(np.uint8)


@example(COLOURS)
def greyscale(image):
    out = np.zeros(image.shape[:2])
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            r, g, b = image[i, j]
            out[i, j] = 0.299 * r + 0.587 * g + 0.114 * b
    return out


@example(IMAGE)
def dither(image):
    image = image.copy()
    h, w = image.shape
    for y in range(h):
        for x in range(w):
            old = image[y, x]
            new = 1.0 if old > 0.5 else 0.0
            image[y, x] = new
            e = old - new
            if x + 1 < w:
                image[y, x + 1] += e * 7 / 16
            if y + 1 < h:
                if x > 0:
                    image[y + 1, x - 1] += e * 3 / 16
                image[y + 1, x] += e * 5 / 16
                if x + 1 < w:
                    image[y + 1, x + 1] += e * 1 / 16
    return image


@example(IMAGE, 20, 17)
def resize_bilinear(image, height, width):
    h, w = image.shape
    out = np.empty((height, width))
    for i in range(height):
        for j in range(width):
            y, x = i * (h - 1) / (height - 1), j * (w - 1) / (width - 1)
            y0, x0 = int(y), int(x)
            y1, x1 = min(y0 + 1, h - 1), min(x0 + 1, w - 1)
            dy, dx = y - y0, x - x0
            top = image[y0, x0] * (1 - dx) + image[y0, x1] * dx
            bottom = image[y1, x0] * (1 - dx) + image[y1, x1] * dx
            out[i, j] = top * (1 - dy) + bottom * dy
    return out


@example(IMAGE > 0.6)
def erode(mask):
    out = np.zeros_like(mask)
    for i in range(1, mask.shape[0] - 1):
        for j in range(1, mask.shape[1] - 1):
            out[i, j] = mask[i - 1 : i + 2, j - 1 : j + 2].all()
    return out


@example((IMAGE > 0.5).astype(int))
def label_components(mask):
    labels = np.zeros_like(mask)
    current = 0
    stack = np.zeros((mask.size, 2), dtype=int)
    for i in range(mask.shape[0]):
        for j in range(mask.shape[1]):
            if mask[i, j] == 1 and labels[i, j] == 0:
                current += 1
                top = 0
                stack[0] = i, j
                labels[i, j] = current
                while top >= 0:
                    y, x = stack[top]
                    top -= 1
                    for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                        yy, xx = y + dy, x + dx
                        if 0 <= yy < mask.shape[0] and 0 <= xx < mask.shape[1]:
                            if mask[yy, xx] == 1 and labels[yy, xx] == 0:
                                labels[yy, xx] = current
                                top += 1
                                stack[top] = yy, xx
    return labels, current


@example(IMAGE)
def integral_image(image):
    out = np.zeros((image.shape[0] + 1, image.shape[1] + 1))
    for i in range(1, out.shape[0]):
        for j in range(1, out.shape[1]):
            out[i, j] = image[i - 1, j - 1] + out[i - 1, j] + out[i, j - 1] - out[i - 1, j - 1]
    return out


@example(16, 12)
def mandelbrot(height, width):
    out = np.zeros((height, width), dtype=np.int64)
    for i in range(height):
        for j in range(width):
            c = complex(-2.0 + 3.0 * j / width, -1.5 + 3.0 * i / height)
            z = 0j
            n = 0
            while abs(z) <= 2 and n < 30:
                z = z * z + c
                n += 1
            out[i, j] = n
    return out


@example(SIGNAL[:32].astype(complex))
def fft_radix_2(x):
    n = len(x)
    x = x.copy()
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j ^= bit
        if i < j:
            temporary = x[i]
            x[i] = x[j]
            x[j] = temporary
    length = 2
    while length <= n:
        w_length = np.exp(-2j * np.pi / length)
        for i in range(0, n, length):
            w = 1.0 + 0j
            for k in range(length // 2):
                u = x[i + k]
                v = x[i + k + length // 2] * w
                x[i + k] = u + v
                x[i + k + length // 2] = u - v
                w *= w_length
        length <<= 1
    return x


@example(SIGNAL)
def fourier_by_definition(x):
    n = len(x)
    out = np.zeros(n, dtype=complex)
    for k in range(n):
        for t in range(n):
            out[k] += x[t] * np.exp(-2j * np.pi * k * t / n)
    return out


@example(SIGNAL)
def moving_average(x):
    return np.array([np.mean(x[max(0, i - 2) : i + 3]) for i in range(len(x))])


@example(SIGNAL, np.array([0.2, 0.3, 0.2]), np.array([1.0, -0.5, 0.1]))
def iir_filter(x, b, a):
    y = np.zeros(len(x))
    for n in range(len(x)):
        for i in range(len(b)):
            if n - i >= 0:
                y[n] += b[i] * x[n - i]
        for j in range(1, len(a)):
            if n - j >= 0:
                y[n] -= a[j] * y[n - j]
        y[n] /= a[0]
    return y


@example(SIGNAL)
def find_peaks(x):
    peaks = []
    for i in range(1, len(x) - 1):
        if x[i - 1] < x[i] and x[i] > x[i + 1] and x[i] > 0.5:
            peaks.append(i)
    return np.array(peaks)


@example(SIGNAL)
def zero_crossings(x):
    count = 0
    for i in range(1, len(x)):
        if (x[i - 1] < 0 <= x[i]) or (x[i - 1] >= 0 > x[i]):
            count += 1
    return count


@example(SIGNAL, 0.05, 4)
def adaptive_filter(x, mu, taps):
    w = np.zeros(taps)
    errors = np.zeros(len(x))
    for n in range(taps, len(x)):
        window = x[n - taps : n][::-1]
        e = x[n] - w @ window
        w = w + mu * e * window
        errors[n] = e
    return w, errors


@example(SIGNAL)
def goertzel(x):
    coefficient = 2 * math.cos(2 * math.pi * 3 / len(x))
    s1 = s2 = 0.0
    for sample in x:
        s = sample + coefficient * s1 - s2
        s2, s1 = s1, s
    return s1 * s1 + s2 * s2 - coefficient * s1 * s2


@example(SIGNAL)
def haar_wavelet(x):
    out = x.copy()
    n = 32
    while n > 1:
        half = n // 2
        tmp = out[:n].copy()
        for i in range(half):
            out[i] = (tmp[2 * i] + tmp[2 * i + 1]) / np.sqrt(2)
            out[half + i] = (tmp[2 * i] - tmp[2 * i + 1]) / np.sqrt(2)
        n = half
    return out


@example(SIGNAL)
def autocorrelation(x):
    x = x - x.mean()
    n = len(x)
    out = np.zeros(n)
    for lag in range(n):
        out[lag] = np.dot(x[: n - lag], x[lag:]) / np.dot(x, x)
    return out


@example(np.frombuffer(b"123456789", np.uint8))
def crc16(data):
    crc = 0xFFFF
    for byte in data:
        crc ^= int(byte) << 8
        for _ in range(8):
            if crc & 0x8000:
                crc = ((crc << 1) ^ 0x1021) & 0xFFFF
            else:
                crc = (crc << 1) & 0xFFFF
    return crc
