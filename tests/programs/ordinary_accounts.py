"""Texts and money, as people write them.

The file is long because it is a collection of independent programs.
"""

import itertools
import math
from collections import deque

import numpy as np
from support.engine_runs import Cases
from support.small_arrays import INTS, E

CASES = Cases()
program = CASES.program
NAN = np.array([1.0, np.nan, 2.0])


@program((np.array([4, 2, 7]), 3), (np.array([], int), 2), (np.array([5]), 1))
def round_robin(bursts, quantum):
    queue = deque((i, int(b)) for i, b in enumerate(bursts))
    time = 0
    finished = {}
    while queue:
        i, left = queue.popleft()
        run = min(quantum, left)
        time += run
        if left > run:
            queue.append((i, left - run))
        else:
            finished[i] = time
    return finished, time


@program((np.array([3, 1, 2, 26, 0]), 3), (np.array([], int), 1), (np.array([-1, 30]), 5))
def shifted_codes(codes, shift):
    out = ""
    for c in codes:
        if 0 <= c < 26:
            out += chr((int(c) + shift) % 26 + ord("a"))
        else:
            out += "?"
    return out, out.upper(), out[::-1]


@program(np.array([1, 1, 1, 2, 2, 3]), np.array([], int), np.array([5]), np.array([1.5, 1.5]))
def run_length(x):
    runs = []
    for v in x:
        if runs and runs[-1][0] == v:
            runs[-1] = (v, runs[-1][1] + 1)
        else:
            runs.append((v, 1))
    text = " ".join(f"{v}x{n}" for v, n in runs)
    longest = max(runs, key=lambda p: p[1], default=None)
    return runs, text, longest


@program(np.array([4, 1944, 9, 0, 3999]), np.array([], int))
def roman_numbers(numbers):
    table = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ]
    out = []
    for n in numbers:
        n = int(n)
        text = ""
        for value, sign in table:
            while n >= value:
                text += sign
                n -= value
        out.append(text)
    return out


@program((np.array([12.5, -3.0, 0.0]), 8), (E, 5), (NAN, 6))
def table_text(values, width):
    lines = ["=" * (width + 4)]
    total = 0.0
    for i, v in enumerate(values):
        mark = "-" if v < 0 else "+" if v > 0 else " "
        lines.append(f"|{i}|{mark}{v:>{width}.2f}|")
        total += v
    lines.append(f"total {total:.3f}".ljust(width + 12, "."))
    return "\n".join(lines)


@program(np.array([1, 0, 1, 1, 0]), np.array([], int), np.array([0]))
def binary_words(bits):
    word = "".join(str(int(b)) for b in bits)
    if not word:
        return "", 0, []
    groups = [len(list(g)) for _, g in itertools.groupby(word)]
    return word, int(word, 2), groups


@program(np.array([104, 101, 108, 108, 111]), np.array([], int), np.array([97, 97]))
def letter_frequencies(codes):
    text = "".join(map(chr, codes))
    counts = {}
    for ch in text:
        counts[ch] = counts.get(ch, 0) + 1
    order = sorted(counts, key=lambda ch: (-counts[ch], ch))
    return [(ch, counts[ch]) for ch in order[:3]], len(counts)


@program((np.array([1, 2, 1]), np.array([1, 2, 3, 1])), (np.array([], int), INTS), (INTS, INTS))
def longest_common_subsequence(a, b):
    m, n = len(a), len(b)
    table = [[0] * (n + 1) for _ in range(m + 1)]
    for i in range(m):
        for j in range(n):
            if a[i] == b[j]:
                table[i + 1][j + 1] = table[i][j] + 1
            else:
                table[i + 1][j + 1] = max(table[i][j + 1], table[i + 1][j])
    out = []
    i, j = m, n
    while i > 0 and j > 0:
        if a[i - 1] == b[j - 1]:
            out.append(a[i - 1])
            i, j = i - 1, j - 1
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return out[::-1], table[m][n]


@program((np.array([-100.0, 30.0, 40.0, 60.0]), 0.1), (np.array([-1.0, 0.5]), 0.0), (NAN, 0.1))
def irr_newton(flows, guess):
    rate = guess
    for it in range(50):
        npv = 0.0
        dnpv = 0.0
        for t, cf in enumerate(flows):
            npv += cf / (1 + rate) ** t
            dnpv -= t * cf / (1 + rate) ** (t + 1)
        if abs(npv) < 1e-9:
            return rate, it
        if dnpv == 0:
            raise ZeroDivisionError("flat")
        rate -= npv / dnpv
    return None, it


@program((200000.0, np.array([0.03, 0.035, 0.04]), 3), (0.0, np.array([0.03]), 1), (10.0, E, 3))
def amortization(principal, rates, years):
    balance = principal
    schedule = []
    for year, rate in enumerate(rates, start=1):
        left = years - year + 1
        payment = balance * rate / (1 - (1 + rate) ** -left) if balance > 0 else 0.0
        interest = balance * rate
        balance = max(0.0, balance - (payment - interest))
        schedule.append({"year": year, "payment": round(payment, 2), "left": round(balance, 2)})
    return schedule


@program((np.array([10.0, 11.0, 9.0, 12.0, 8.0]),), (E,), (np.array([5.0]),), (NAN,))
def max_profit(prices):
    best, low, buy = 0.0, math.inf, None
    trade = None
    for day, p in enumerate(prices):
        if p < low:
            low, buy = p, day
        elif p - low > best:
            best = p - low
            trade = (buy, day)
    return best, trade


@program((np.array([10.0, 11.0, 9.0, 12.0, 8.0]), 2, 3), (np.arange(10.0), 2, 4), (E, 2, 3))
def crossover(prices, fast, slow):
    position, cash = 0, 100.0
    trades = []
    for t in range(slow, len(prices)):
        f = prices[t - fast : t].mean()
        s = prices[t - slow : t].mean()
        if f > s and position == 0:
            position = cash // prices[t]
            cash -= position * prices[t]
            trades.append(("buy", t, position))
        elif f < s and position > 0:
            cash += position * prices[t]
            trades.append(("sell", t, position))
            position = 0
    return cash + position * (prices[-1] if len(prices) else 0), trades
