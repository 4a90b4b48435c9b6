"""Accounts, inventories, schedules, tournaments, calendars and caches, as people write them."""

from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np
from support.engine_runs import Cases

CASES = Cases()
program = CASES.program

V = np.array([50, -20, 30, -80, 10])
SALES = np.array([[0, 3.0], [1, 2.0], [0, -1.0], [2, 9.0], [1, 0.5]])
GAMES = np.array([[0, 1, 3, 1], [1, 2, 0, 0], [2, 0, 2, 4], [0, 2, 1, 1]])


class InsufficientFunds(Exception):
    def __init__(self, need, have):
        super().__init__(f"need {need}, have {have}")
        self.need, self.have = need, have


class Account:
    fee = 1

    def __init__(self, owner, balance=0):
        self.owner, self.balance, self.history = owner, balance, []

    def apply(self, amount):
        if amount < 0 and self.balance + amount - self.fee < 0:
            raise InsufficientFunds(-amount, self.balance)
        self.balance += amount - (self.fee if amount < 0 else 0)
        self.history.append(amount)
        return self

    def __repr__(self):
        return f"Account({self.owner!r}, {self.balance})"


@program((V,), (V[:3],), (V * 0.5,), (V[:0],))
def statement(amounts):
    account = Account("ann", 10)
    try:
        for amount in amounts:
            account.apply(amount)
    except InsufficientFunds as error:
        return str(error), repr(account), len(account.history)
    return repr(account), account.history, sum(account.history)


@program((V,), (V[:2],), (V[:0],))
def refused_payments(amounts):
    account, refused = Account("bob", 5), []
    for amount in amounts:
        if amount < 0 and account.balance + amount - Account.fee < 0:
            refused.append(amount)
        else:
            account.apply(amount)
    return account.balance, refused, account.history


@dataclass
class Item:
    name: str
    stock: float
    price: float = 1.0
    sold: float = 0.0

    @property
    def value(self):
        return self.stock * self.price


@program((SALES,), (SALES[:1],), (np.zeros((0, 2)),), (SALES[::-1],))
def inventory(sales):
    items = [Item("nut", 5.0, 0.5), Item("bolt", 2.0), Item("gear", 8.0, 3.5)]
    backlog = []
    for which, count in sales:
        item = items[int(which)]
        if count > item.stock:
            backlog.append((item.name, count - item.stock))
            count = item.stock
        item.stock -= count
        item.sold += count
    total = sum(item.value for item in items)
    best = max(items, key=lambda item: item.sold * item.price)
    return total, best.name, backlog, [item.stock for item in items]


@program((GAMES,), (GAMES[:1],), (GAMES[:0],))
def league(games):
    points, goals = [0, 0, 0], [0, 0, 0]
    for home, away, a, b in games:
        goals[home] += a - b
        goals[away] += b - a
        if a > b:
            points[home] += 3
        elif a < b:
            points[away] += 3
        else:
            points[home] += 1
            points[away] += 1
    order = sorted(range(3), key=lambda i: (-points[i], -goals[i]))
    return order, points, goals


@program((GAMES,), (GAMES[1:2],), (GAMES[:0],))
def elo(games):
    rating = {0: 1500.0, 1: 1500.0, 2: 1400.0}
    for home, away, a, b in games:
        expected = 1 / (1 + 10 ** ((rating[away] - rating[home]) / 400))
        score = 1.0 if a > b else 0.5 if a == b else 0.0
        change = 32 * (score - expected)
        rating[home] += change
        rating[away] -= change
    leader = max(rating, key=rating.get)
    return leader, [round(r, 2) for r in rating.values()]


@program(
    (2024, 2, 29),
    (1999, 12, 31),
    (1900, 3, 1),
    (np.int64(2000), np.int64(1), np.int64(1)),
    (2023, 2, 29),
)
def day_of_year(year, month, day):
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    lengths = [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    if not 1 <= month <= 12 or not 1 <= day <= lengths[month - 1]:
        return None
    number = sum(lengths[: month - 1]) + day
    t = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4]
    y = year - 1 if month < 3 else year
    weekday = (y + y // 4 - y // 100 + y // 400 + t[month - 1] + day) % 7
    return number, ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][weekday], leap


@program((np.int64(2024),), (1961,), (np.int64(2000),))
def easter(year):
    a, b, c = year % 19, year // 100, year % 100
    d, e = divmod(b, 4)
    f = (b + 8) // 25
    g = (b - f + 1) // 3
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    el = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * el) // 451
    month, day = divmod(h + el - 7 * m + 114, 31)
    return f"{year}-{month:02d}-{day + 1:02d}"


JOBS = np.array([[3, 9], [2, 5], [1, 3], [4, 20], [2, 4]])


@program((JOBS,), (JOBS[:1],), (JOBS[:0],), (JOBS.astype(float),))
def earliest_deadline(jobs):
    order = sorted(range(len(jobs)), key=lambda j: jobs[j, 1])
    clock, late, plan = 0, [], []
    for j in order:
        clock += jobs[j, 0]
        plan.append((j, clock))
        if clock > jobs[j, 1]:
            late.append(j)
    worst = max((clock - jobs[j, 1] for j, clock in plan), default=0)
    return plan, late, worst


@program((JOBS,), (JOBS[:1],), (JOBS[:0],), (JOBS - 0.5,))
def free_slots(meetings):
    busy = []
    for start, end in sorted(meetings.tolist()) if isinstance(meetings, list) else meetings:
        if busy and start <= busy[-1][1]:
            busy[-1] = (busy[-1][0], max(busy[-1][1], end))
        else:
            busy.append((start, end))
    gaps = []
    for (_, end), (start, _) in zip(busy, busy[1:]):
        if start > end:
            gaps.append((end, start))
    return busy, gaps


class LRU:
    def __init__(self, size):
        self.size, self.order, self.values = size, [], {}
        self.hits = 0

    def get(self, key, make):
        if key in self.values:
            self.hits += 1
            self.order.remove(key)
        else:
            if len(self.order) == self.size:
                old = self.order.pop(0)
                del self.values[old]
            self.values[key] = make(key)
        self.order.append(key)
        return self.values[key]


@program((np.array([1, 2, 1, 3, 4, 1, 2]),), (np.array([5]),), (np.array([], dtype=int),))
def cached_squares(keys):
    cache = LRU(3)
    total = 0
    for k in keys:
        total += cache.get(k, lambda n: n * n)
    return total, cache.hits, cache.order


@program((np.array([3, 3, 7, 7, 9]),), (np.array([2, 4, 6, 8, 10]),), (np.array([5, 5, 5, 2, 2]),))
def poker_hand(cards):
    counts = Counter(cards.tolist() if isinstance(cards, list) else list(cards))
    shape = sorted(counts.values(), reverse=True)
    values = sorted(cards)
    straight = len(shape) == 5 and values[4] - values[0] == 4
    if shape[0] == 4:
        return "four of a kind"
    if shape[:2] == [3, 2]:
        return "full house"
    if straight:
        return "straight"
    if shape[0] == 3:
        return "three of a kind"
    if shape[:2] == [2, 2]:
        return "two pairs"
    return "pair" if shape[0] == 2 else f"high card {values[-1]}"


@program(
    (np.array([10, 6, 3]),), (np.array([1, 1]),), (np.array([11]),), (np.array([], dtype=int),)
)
def blackjack(cards):
    total, aces = 0, 0
    for c in cards:
        if c == 1:
            aces += 1
            total += 11
        else:
            total += min(c, 10)
    while total > 21 and aces:
        total -= 10
        aces -= 1
    if total > 21:
        return "bust"
    if total == 21 and len(cards) == 2:
        return "blackjack"
    return total


@program((SALES,), (SALES[:1],), (SALES[:0],))
def grouped_report(sales):
    groups = defaultdict(list)
    for which, amount in sales:
        groups[int(which)].append(amount)
    lines = []
    for which in sorted(groups):
        amounts = groups[which]
        lines.append(f"{which}: n={len(amounts)} mean={sum(amounts) / len(amounts):.2f}")
    return "\n".join(lines)
