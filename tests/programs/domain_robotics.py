"""Filters, control and robotics."""

import math

import numpy as np
from collection import Collection

PROGRAMS = Collection()
example = PROGRAMS.example

rng = np.random.default_rng(4)
MEASURED = np.cumsum(rng.standard_normal(25))
PLANE = rng.random((20, 2)) * 10
STATE = np.array([0.0, 0.0, 0.3, 1.0])
ANGLES = np.array([0.3, -0.4, 0.9])


@example(MEASURED)
def kalman_1d(z):
    q, r = 1e-3, 0.1
    n = len(z)
    x_hat, p = np.zeros(n), np.zeros(n)
    p[0] = 1.0
    for k in range(1, n):
        prior, p_prior = x_hat[k - 1], p[k - 1] + q
        gain = p_prior / (p_prior + r)
        x_hat[k] = prior + gain * (z[k] - prior)
        p[k] = (1 - gain) * p_prior
    return x_hat, p


@example(MEASURED)
def kalman_with_velocity(z):
    f = np.array([[1.0, 0.1], [0.0, 1.0]])
    h = np.array([[1.0, 0.0]])
    q, r = np.eye(2) * 0.01, np.array([[0.5]])
    x, p = np.zeros((2, 1)), np.eye(2)
    track = []
    for m in z:
        x = f @ x
        p = f @ p @ f.T + q
        y = m - h @ x
        s = h @ p @ h.T + r
        k = p @ h.T @ np.linalg.inv(s)
        x = x + k @ y
        p = (np.eye(2) - k @ h) @ p
        track.append(x[0, 0])
    return np.array(track)


def motion(x, u, dt):
    theta = x[2] + u[1] * dt
    return np.array(
        [x[0] + u[0] * math.cos(theta) * dt, x[1] + u[0] * math.sin(theta) * dt, theta, u[0]]
    )


@example(STATE, np.array([1.0, 0.1]), 40)
def drive(x, u, steps):
    path = np.zeros((steps + 1, 4))
    path[0] = x
    for i in range(steps):
        x = motion(x, u, 0.1)
        path[i + 1] = x
    return path


@example(np.eye(4) * 0.1, STATE, np.array([1.0, 0.1]), PLANE[:10])
def extended_kalman(p, x, u, seen):
    dt = 0.1
    q, r = np.diag([0.1, 0.1, 0.02, 1.0]) ** 2, np.diag([1.0, 1.0]) ** 2
    h = np.array([[1.0, 0, 0, 0], [0, 1.0, 0, 0]])
    for z in seen:
        jacobian = np.array(
            [
                [1.0, 0.0, -dt * u[0] * math.sin(x[2]), dt * math.cos(x[2])],
                [0.0, 1.0, dt * u[0] * math.cos(x[2]), dt * math.sin(x[2])],
                [0.0, 0.0, 1.0, 0.0],
                [0.0, 0.0, 0.0, 1.0],
            ]
        )
        x_pred = motion(x, u, dt)
        p_pred = jacobian @ p @ jacobian.T + q
        y = z - h @ x_pred
        s = h @ p_pred @ h.T + r
        k = p_pred @ h.T @ np.linalg.inv(s)
        x = x_pred + k @ y
        p = (np.eye(len(x)) - k @ h) @ p_pred
    return x, p


@example(rng.random(50), rng.random(50), 2.5)
def low_variance_resampling(particles, weights, start):
    n = len(particles)
    weights = weights / np.sum(weights)
    cumulative = np.cumsum(weights)
    base = np.arange(0.0, 1.0, 1 / n)
    ids = base + (start % 1) / n
    chosen = np.zeros(n, dtype=int)
    index = 0
    for i in range(n):
        while ids[i] > cumulative[index]:
            index += 1
        chosen[i] = index
    return particles[chosen]


@example(3.0, 0.4)
def pid(target, gain):
    position, velocity, integral, last = 0.0, 0.0, 0.0, target
    history = np.zeros(50)
    for t in range(50):
        error = target - position
        integral += error * 0.05
        derivative = (error - last) / 0.05
        force = gain * error + 0.1 * integral + 0.3 * derivative
        if force > 2.0:
            force = 2.0
        elif force < -2.0:
            force = -2.0
        velocity += force * 0.05
        position += velocity * 0.05
        last = error
        history[t] = position
    return history


@example(ANGLES, np.array([1.0, 0.8, 0.5]))
def forward_kinematics(angles, lengths):
    points = np.zeros((len(angles) + 1, 2))
    for i in range(1, len(angles) + 1):
        points[i, 0] = points[i - 1, 0] + lengths[i - 1] * np.cos(np.sum(angles[:i]))
        points[i, 1] = points[i - 1, 1] + lengths[i - 1] * np.sin(np.sum(angles[:i]))
    return points


@example(ANGLES, np.array([1.0, 0.8, 0.5]), np.array([0.9, 1.1]))
def inverse_kinematics(angles, lengths, goal):
    for iteration in range(200):
        position = np.zeros(2)
        total = 0.0
        for angle, length in zip(angles, lengths, strict=True):
            total += angle
            position = position + length * np.array([np.cos(total), np.sin(total)])
        error = goal - position
        distance = np.hypot(error[0], error[1])
        if distance < 1e-3:
            return angles, iteration, True
        jacobian = np.zeros((2, len(angles)))
        for i in range(len(angles)):
            s, c = 0.0, 0.0
            for j in range(i, len(angles)):
                s -= lengths[j] * np.sin(np.sum(angles[: j + 1]))
                c += lengths[j] * np.cos(np.sum(angles[: j + 1]))
            jacobian[0, i] = s
            jacobian[1, i] = c
        angles = angles + 0.5 * np.linalg.pinv(jacobian) @ error
    return angles, 200, False


@example(np.array([0.0, 0.0, 0.2]), PLANE[:6])
def pure_pursuit(state, course):
    x, y, yaw = state
    index = 0
    for _ in range(30):
        while index < len(course) - 1 and np.hypot(course[index, 0] - x, course[index, 1] - y) < 1:
            index += 1
        alpha = math.atan2(course[index, 1] - y, course[index, 0] - x) - yaw
        delta = math.atan2(2.0 * math.sin(alpha), 2.0)
        x += 0.3 * math.cos(yaw)
        y += 0.3 * math.sin(yaw)
        yaw += 0.3 * math.tan(delta) / 2.9
    return x, y, yaw, index


@example(np.eye(2), np.array([[1.0, 0.1], [0.0, 1.0]]), np.array([[0.0], [0.1]]))
def riccati(q, a, b):
    x = q
    r = np.eye(1)
    for i in range(150):
        gain = np.linalg.inv(r + b.T @ x @ b) @ b.T @ x @ a
        new = a.T @ x @ a - a.T @ x @ b @ gain + q
        if np.abs(new - x).max() < 0.01:
            break
        x = new
    return new, i


def angle_mod(x):
    return (x + np.pi) % (2 * np.pi) - np.pi


@example(np.array([0.1, 3.0, -2.0]), np.array([5.0, 4.0, 1.0]))
def move_to_pose(start, goal):
    x, y, theta = start
    rho = np.hypot(goal[0] - x, goal[1] - y)
    steps = 0
    while rho > 0.05 and steps < 300:
        dx, dy = goal[0] - x, goal[1] - y
        rho = np.hypot(dx, dy)
        alpha = angle_mod(np.arctan2(dy, dx) - theta)
        beta = angle_mod(goal[2] - theta - alpha)
        v = 9 * rho
        w = 15 * alpha + 3 * beta
        if alpha > np.pi / 2 or alpha < -np.pi / 2:
            v = -v
        v, w = min(max(v, -10), 10), np.clip(w, -7, 7)
        theta = theta + w * 0.01
        x = x + v * np.cos(theta) * 0.01
        y = y + v * np.sin(theta) * 0.01
        steps += 1
    return x, y, theta, steps


@example(PLANE)
def clusters_by_range(points):
    n = len(points)
    label = np.zeros(n, dtype=int)
    current = 0
    for i in range(n):
        if label[i] != 0:
            continue
        current += 1
        label[i] = current
        for j in range(i + 1, n):
            if label[j] == 0 and np.linalg.norm(points[i] - points[j]) < 3.0:
                label[j] = current
    return label


@example(PLANE)
def circle_fit(points):
    x, y = points[:, 0], points[:, 1]
    n = len(x)
    a = np.array(
        [
            [np.sum(x * x), np.sum(x * y), np.sum(x)],
            [np.sum(x * y), np.sum(y * y), np.sum(y)],
            [np.sum(x), np.sum(y), n],
        ]
    )
    b = -np.array([np.sum(x**3 + x * y * y), np.sum(x * x * y + y**3), np.sum(x * x + y * y)])
    t = np.linalg.inv(a) @ b
    cx, cy = t[0] / -2.0, t[1] / -2.0
    return cx, cy, math.sqrt(cx**2 + cy**2 - t[2])


@example(PLANE, PLANE + 0.3)
def iterative_closest_point(previous, current):
    h = np.eye(3)
    error_before = np.inf
    count = 0
    while count < 15:
        count += 1
        distances = np.linalg.norm(
            np.repeat(current, len(previous), axis=0) - np.tile(previous, (len(current), 1)), axis=1
        )
        indexes = np.argmin(distances.reshape(len(current), len(previous)), axis=1)
        error = np.min(distances.reshape(len(current), len(previous)), axis=1).sum()
        matched = previous[indexes]
        pm, cm = np.mean(matched, axis=0), np.mean(current, axis=0)
        u, s, vt = np.linalg.svd((current - cm).T @ (matched - pm))
        rotation = (u @ vt).T
        shift = pm - rotation @ cm
        current = (rotation @ current.T).T + shift
        h[0:2, 0:2] = rotation @ h[0:2, 0:2]
        h[0:2, 2] = rotation @ h[0:2, 2] + shift
        if abs(error_before - error) <= 1e-4:
            break
        error_before = error
    return h, error, count


def quaternion_product(p, q):
    w = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3]
    x = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2]
    y = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1]
    z = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]
    return np.array([w, x, y, z])


@example(rng.standard_normal((12, 3)), 0.02)
def integrate_gyroscope(rates, dt):
    q = np.array([1.0, 0.0, 0.0, 0.0])
    for rate in rates:
        angle = np.linalg.norm(rate) * dt
        if angle > 0:
            axis = rate / np.linalg.norm(rate)
            dq = np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * axis])
            q = quaternion_product(q, dq)
        q /= np.linalg.norm(q)
    return q


@example(np.array([0.5, 1.2, -0.7]))
def euler_to_matrix(rpy):
    r, p, y = rpy
    rx = np.array([[1, 0, 0], [0, math.cos(r), -math.sin(r)], [0, math.sin(r), math.cos(r)]])
    ry = np.array([[math.cos(p), 0, math.sin(p)], [0, 1, 0], [-math.sin(p), 0, math.cos(p)]])
    rz = np.array([[math.cos(y), -math.sin(y), 0], [math.sin(y), math.cos(y), 0], [0, 0, 1]])
    return rz.dot(ry).dot(rx)


@example(np.array([0.0, 1.0]), np.array([3.0, 0.5]), 2.0)
def quintic_polynomial(start, end, duration):
    a0, a1 = start
    t = duration
    m = np.array(
        [[t**3, t**4, t**5], [3 * t**2, 4 * t**3, 5 * t**4], [6 * t, 12 * t**2, 20 * t**3]]
    )
    b = np.array([end[0] - a0 - a1 * t, end[1] - a1, 0.0])
    a3, a4, a5 = np.linalg.solve(m, b)
    times = np.linspace(0, t, 11)
    return a0 + a1 * times + a3 * times**3 + a4 * times**4 + a5 * times**5


@example(np.array([1.0, 2.0, 2.5, 0.0, -1.0]), np.array([0.0, 1.0, 2.0, 3.5, 4.0]), 1.4)
def cubic_spline(y, x, t):
    n = len(x)
    h = np.diff(x)
    a = np.zeros((n, n))
    a[0, 0] = 1.0
    b = np.zeros(n)
    for i in range(n - 1):
        if i != n - 2:
            a[i + 1, i + 1] = 2.0 * (h[i] + h[i + 1])
            b[i + 1] = 3.0 * (y[i + 2] - y[i + 1]) / h[i + 1] - 3.0 * (y[i + 1] - y[i]) / h[i]
        a[i + 1, i] = h[i]
        a[i, i + 1] = h[i]
    a[0, 1] = 0.0
    a[n - 1, n - 2] = 0.0
    a[n - 1, n - 1] = 1.0
    c = np.linalg.solve(a, b)
    i = np.searchsorted(x, t) - 1
    d = (c[i + 1] - c[i]) / (3.0 * h[i])
    slope = (y[i + 1] - y[i]) / h[i] - h[i] * (c[i + 1] + 2.0 * c[i]) / 3.0
    dx = t - x[i]
    return y[i] + slope * dx + c[i] * dx**2 + d * dx**3


@example(np.zeros((12, 12)), np.array([2.0, 3.0]), rng.random(16) * 5)
def lidar_map(grid, origin, ranges):
    for k, distance in enumerate(ranges):
        angle = 2 * np.pi * k / len(ranges)
        steps = int(distance / 0.5)
        for s in range(steps):
            i = int(origin[0] + s * 0.5 * np.cos(angle))
            j = int(origin[1] + s * 0.5 * np.sin(angle))
            if 0 <= i < grid.shape[0] and 0 <= j < grid.shape[1]:
                grid[i, j] = 0.5
    return grid


@example(np.array([0.4, 0.0]), 120)
def pendulum_runge_kutta(y, steps):
    def slope(y):
        theta, omega = y
        return np.array([omega, -0.25 * omega - 5.0 * np.sin(theta)])

    dt = 0.05
    out = np.empty((steps, 2))
    for i in range(steps):
        k1 = slope(y)
        k2 = slope(y + dt / 2 * k1)
        k3 = slope(y + dt / 2 * k2)
        k4 = slope(y + dt * k3)
        y = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        out[i] = y
    return out
