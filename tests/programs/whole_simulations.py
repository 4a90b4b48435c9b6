"""Whole programs as people write them: accounts, stocks, particles, queues, chains of states."""

import heapq
from collections import Counter, deque
from dataclasses import dataclass

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

MOVES = np.array([5, -3, 7, -20, 4, -1])
SAMPLES = np.array([0.1, 0.7, 0.4, 0.95, 0.2, 0.6])


class Account:
    def __init__(self, owner, balance=0.0):
        self.owner = owner
        self.balance = balance
        self.history = []

    def deposit(self, amount):
        self.balance += amount
        self.history.append(("deposit", amount))

    def withdraw(self, amount):
        if amount > self.balance:
            self.history.append(("refused", amount))
            return False
        self.balance -= amount
        self.history.append(("withdraw", amount))
        return True


@prog(MOVES)
def bank_account(moves):
    account = Account("ann", 10)
    failures = 0
    for move in moves:
        if move >= 0:
            account.deposit(move)
        elif not account.withdraw(-move):
            failures += 1
    return account.balance, failures, account.history


@prog(MOVES, np.int64(6))
def bank_transfers(moves, n):
    accounts = [{"id": i, "balance": 10} for i in range(3)]
    log = []
    for i in range(n):
        source, target = accounts[i % 3], accounts[(i + 1) % 3]
        amount = moves[i]
        if 0 < amount <= source["balance"]:
            source["balance"] -= amount
            target["balance"] += amount
            log.append((source["id"], target["id"], amount))
    return [a["balance"] for a in accounts], log


@prog(SAMPLES)
def markov_chain(samples):
    chain = {"sun": [("sun", 0.6), ("rain", 1.0)], "rain": [("sun", 0.3), ("rain", 1.0)]}
    state = "sun"
    counts = {"sun": 0, "rain": 0}
    for u in samples:
        for name, limit in chain[state]:
            if u < limit:
                state = name
                break
        counts[state] += 1
    return state, counts


@prog(np.array([0, 1, 1, 2, 0, 1, 2, 2, 0]))
def transition_matrix(states):
    n = 3
    counts = [[0] * n for _ in range(n)]
    for a, b in zip(states, states[1:]):
        counts[a][b] += 1
    result = []
    for row in counts:
        total = sum(row)
        result.append([c / total if total else 0.0 for c in row])
    return result


@dataclass
class Item:
    price: float
    quantity: int = 0


@prog(np.array([[0, 5], [1, 3], [0, -2], [2, 7], [1, -4]]))
def inventory(orders):
    items = {0: Item(2.5), 1: Item(1.0), 2: Item(4.0)}
    rejected = []
    for product, change in orders:
        item = items[product]
        if item.quantity + change < 0:
            rejected.append((product, change))
            continue
        item.quantity += change
    return sum(i.price * i.quantity for i in items.values()), rejected


@prog(np.array([[0, 5], [1, 3], [0, -2], [2, 7], [1, -4]]))
def inventory_of_dicts(orders):
    stock = {}
    for product, change in orders:
        stock.setdefault(product, {"quantity": 0, "orders": 0})
        stock[product]["orders"] += 1
        if stock[product]["quantity"] + change >= 0:
            stock[product]["quantity"] += change
    return stock


class Particle:
    def __init__(self, x, v):
        self.x = x
        self.v = v

    def step(self, dt):
        self.x += self.v * dt
        if self.x < 0 or self.x > 1:
            self.v = -self.v


@prog(SAMPLES, np.int64(5))
def particles(samples, steps):
    particles = [Particle(samples[i], samples[i + 1] - 0.5) for i in range(len(samples) - 1)]
    energies = []
    for _ in range(steps):
        for p in particles:
            p.step(0.5)
        energies.append(sum(p.v**2 for p in particles))
    leftmost = min(particles, key=lambda p: p.x)
    return [p.x for p in particles], energies, leftmost.v


@prog(SAMPLES, np.int64(3))
def moving_average(samples, window):
    queue, total, result = deque(), 0.0, []
    for s in samples:
        queue.append(s)
        total += s
        if len(queue) > window:
            total -= queue.popleft()
        result.append(total / len(queue))
    return result


@prog(SAMPLES)
def queue_simulation(samples):
    events = []
    for i, s in enumerate(samples):
        heapq.heappush(events, (s, 0, i))
    waiting = []
    busy = False
    served = []
    now = 0.0
    while events:
        now, kind, customer = heapq.heappop(events)
        if kind == 0:
            waiting.append(customer)
        else:
            busy = False
            served.append((customer, now))
        if not busy and waiting:
            customer = waiting.pop(0)
            busy = True
            heapq.heappush(events, (now + 0.25, 1, customer))
    return served, now


@prog(np.array([[0, 1, 0], [0, 1, 0], [0, 1, 0]]), np.int64(3))
def game_of_life(board, steps):
    cells = {(r, c) for r in range(3) for c in range(3) if board[r, c]}
    for _ in range(steps):
        neighbours = Counter(
            (r + dr, c + dc)
            for r, c in cells
            for dr in (-1, 0, 1)
            for dc in (-1, 0, 1)
            if (dr, dc) != (0, 0)
        )
        cells = {
            cell
            for cell, count in neighbours.items()
            if count == 3 or (count == 2 and cell in cells)
        }
    return sorted(cells)


@prog(SAMPLES, np.int64(4))
def best_candidate(samples, n):
    candidates = [{"score": samples[i], "index": i} for i in range(n)]
    best = candidates[0]
    for candidate in candidates[1:]:
        if candidate["score"] > best["score"]:
            best = candidate
    return best["index"], best


@prog(np.array([10, 20, 5]), np.int64(4))
def elevator(requests, start):
    floor, log = start, []
    pending = list(requests)
    while pending:
        nearest = min(pending, key=lambda r: abs(r - floor))
        pending.remove(nearest)
        log.append(f"{floor}->{nearest}")
        floor = nearest
    return log
