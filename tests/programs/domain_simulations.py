"""Games and simulations."""

import numpy as np
from collection import Collection

PROGRAMS = Collection()
example = PROGRAMS.example

rng = np.random.default_rng(8)
BOARD = (rng.random((12, 12)) < 0.4).astype(int)
BODIES = rng.random((5, 3))
MASSES = rng.random(5) + 0.5
MAZE = np.array([[0, 0, 1, 0], [1, 0, 1, 0], [0, 0, 0, 0], [0, 1, 1, 0]])


@example(BOARD, 4)
def life(board, generations):
    n, m = board.shape
    for _ in range(generations):
        new = np.zeros_like(board)
        for i in range(n):
            for j in range(m):
                neighbours = 0
                for di in (-1, 0, 1):
                    for dj in (-1, 0, 1):
                        if di != 0 or dj != 0:
                            neighbours += board[(i + di) % n, (j + dj) % m]
                if board[i, j] == 1 and neighbours in (2, 3):
                    new[i, j] = 1
                elif board[i, j] == 0 and neighbours == 3:
                    new[i, j] = 1
        board = new
    return board


@example(BOARD, 5)
def life_by_slices(z, generations):
    z = z.copy()
    for _ in range(generations):
        n = (
            z[:-2, :-2] + z[:-2, 1:-1] + z[:-2, 2:] + z[1:-1, :-2]
            + z[1:-1, 2:] + z[2:, :-2] + z[2:, 1:-1] + z[2:, 2:]
        )  # fmt: skip
        birth = (n == 3) & (z[1:-1, 1:-1] == 0)
        survive = ((n == 2) | (n == 3)) & (z[1:-1, 1:-1] == 1)
        z[...] = 0
        z[1:-1, 1:-1][birth | survive] = 1
    return z


@example(30, 20, sizes=False)
def elementary_automaton(rule, steps):
    row = np.zeros(41, dtype=int)
    row[20] = 1
    out = [row]
    for _ in range(steps):
        code = 4 * np.roll(row, 1) + 2 * row + np.roll(row, -1)
        row = (rule >> code) & 1
        out.append(row)
    return np.array(out)


@example(BODIES, BODIES * 0.1, MASSES, 20)
def n_body(position, velocity, mass, steps):
    position, velocity = position.copy(), velocity.copy()
    n = len(mass)
    for _ in range(steps):
        acceleration = np.zeros_like(position)
        for i in range(n):
            for j in range(n):
                if i == j:
                    continue
                r = position[j] - position[i]
                distance = (np.dot(r, r) + 0.01) ** 1.5
                acceleration[i] += mass[j] * r / distance
        velocity += acceleration * 0.01
        position += velocity * 0.01
    return position, velocity


@example(BODIES, MASSES)
def potential_energy(position, mass):
    e = 0.0
    for i in range(len(mass)):
        for j in range(i):
            e -= mass[i] * mass[j] / np.linalg.norm(position[i] - position[j])
    return e


@example(rng.random(3), 200)
def lorenz(state, steps):
    x, y, z = state
    path = np.zeros((steps, 3))
    for i in range(steps):
        dx = 10.0 * (y - x)
        dy = x * (28.0 - z) - y
        dz = x * y - 8.0 / 3.0 * z
        x, y, z = x + dx * 0.01, y + dy * 0.01, z + dz * 0.01
        path[i] = x, y, z
    return path


@example(10.0, 5.0, 300)
def predators_and_prey(prey, predators, steps):
    a, b, c, d = 1.1, 0.4, 0.1, 0.4
    history = []
    for _ in range(steps):
        prey, predators = (
            prey + 0.01 * (a * prey - b * prey * predators),
            predators + 0.01 * (c * prey * predators - d * predators),
        )
        history.append((prey, predators))
    return np.array(history)


@example(0.99, 0.01, 0.0, 60)
def epidemic(s, i, r, days):
    peak, peak_day = i, 0
    for day in range(days):
        infected = 0.4 * s * i
        recovered = 0.1 * i
        s -= infected
        i += infected - recovered
        r += recovered
        if i > peak:
            peak, peak_day = i, day
        if i < 1e-4:
            break
    return s, i, r, peak, peak_day


@example(np.sign(rng.standard_normal((8, 8))).astype(int), rng.random((60, 3)))
def ising(spins, draws):
    n = len(spins)
    for draw in draws:
        i, j = int(draw[0] * n), int(draw[1] * n)
        neighbours = (
            spins[(i + 1) % n, j] + spins[(i - 1) % n, j]
            + spins[i, (j + 1) % n] + spins[i, (j - 1) % n]
        )  # fmt: skip
        cost = 2 * spins[i, j] * neighbours
        if cost < 0 or draw[2] < np.exp(-cost / 2.0):
            spins[i, j] *= -1
    return spins.sum()


@example(3, 100)
def random_walk(seed, steps):
    generator = np.random.default_rng(seed)
    position = np.zeros(2)
    furthest = 0.0
    for _ in range(steps):
        direction = generator.integers(0, 4)
        if direction == 0:
            position[0] += 1
        elif direction == 1:
            position[0] -= 1
        elif direction == 2:
            position[1] += 1
        else:
            position[1] -= 1
        furthest = max(furthest, np.hypot(position[0], position[1]))
    return position, furthest


@example(11, 500)
def estimate_pi(seed, n):
    random = np.random.default_rng(seed)
    inside = 0
    for _ in range(n):
        x, y = random.random(), random.random()
        if x * x + y * y <= 1.0:
            inside += 1
    return 4 * inside / n


@example(np.array([[1, 1, 2], [2, 1, 0], [2, 0, 1]]))
def winner(board):
    for player in (1, 2):
        for i in range(3):
            if np.all(board[i] == player) or np.all(board[:, i] == player):
                return player
        if np.all(np.diag(board) == player) or np.all(np.diag(np.fliplr(board)) == player):
            return player
    return 0


@example(np.array([2, 2, 4, 8]))
def slide_left(row):
    out = np.zeros_like(row)
    position = 0
    merged = False
    for v in row:
        if v == 0:
            continue
        if position > 0 and out[position - 1] == v and not merged:
            out[position - 1] *= 2
            merged = True
        else:
            out[position] = v
            position += 1
            merged = False
    return out


@example(8)
def queens(n):
    columns = np.full(n, -1)
    row, count = 0, 0
    while row >= 0 and count < 10:
        columns[row] += 1
        while columns[row] < n:
            safe = True
            for r in range(row):
                if columns[r] == columns[row] or abs(columns[r] - columns[row]) == row - r:
                    safe = False
                    break
            if safe:
                break
            columns[row] += 1
        if columns[row] < n:
            if row == n - 1:
                count += 1
            else:
                row += 1
                columns[row] = -1
        else:
            row -= 1
    return count


@example(MAZE)
def flood(maze):
    n, m = maze.shape
    distance = np.full(maze.shape, -1)
    distance[0, 0] = 0
    changed = True
    while changed:
        changed = False
        for i in range(n):
            for j in range(m):
                if maze[i, j] == 1 or distance[i, j] < 0:
                    continue
                for di, dj in [(0, 1), (1, 0), (0, -1), (-1, 0)]:
                    a, b = i + di, j + dj
                    if 0 <= a < n and 0 <= b < m and maze[a, b] == 0:
                        if distance[a, b] < 0 or distance[a, b] > distance[i, j] + 1:
                            distance[a, b] = distance[i, j] + 1
                            changed = True
    return distance


@example(27)
def collatz_lengths(n):
    best, best_length = 1, 1
    for start in range(1, n + 1):
        length, x = 1, start
        while x != 1:
            if x % 2 == 0:
                x //= 2
            else:
                x = 3 * x + 1
            length += 1
        if length > best_length:
            best, best_length = start, length
    return best, best_length


@example(rng.random((4, 4, 2)), 30)
def value_iteration(rewards, sweeps):
    values = np.zeros((4, 4))
    for sweep in range(sweeps):
        delta = 0.0
        for i in range(4):
            for j in range(4):
                old = values[i, j]
                right = values[i, min(j + 1, 3)]
                down = values[min(i + 1, 3), j]
                values[i, j] = max(rewards[i, j, 0] + 0.9 * right, rewards[i, j, 1] + 0.9 * down)
                delta = max(delta, abs(old - values[i, j]))
        if delta < 1e-2:
            break
    return values, sweep


@example(100.0, 0.02, 12, 5.0)
def savings(balance, rate, months, payment):
    total = 0.0
    for month in range(1, months + 1):
        interest = balance * rate / 12
        total += interest
        balance = balance + interest + payment
        if balance > 150:
            return balance, total, month
    return balance, total, months


@example(100.0, 95.0, 0.05, 0.2, 25)
def binomial_option(spot, strike, rate, sigma, n):
    dt = 1.0 / n
    u = np.exp(sigma * np.sqrt(dt))
    d = 1 / u
    p = (np.exp(rate * dt) - d) / (u - d)
    values = np.maximum(strike - spot * u ** np.arange(n, -n - 1, -2.0), 0.0)
    for step in range(n - 1, -1, -1):
        for i in range(step + 1):
            values[i] = np.exp(-rate * dt) * (p * values[i] + (1 - p) * values[i + 1])
    return values[0]
