"""Derivatives of rotations, `scipy.spatial.transform.Rotation`, as quaternions (x, y, z, w)."""

import numpy as np

from runtime.transforms.libraries.table import StandInObject, stands_for, stands_for_method
from runtime.transforms.markers import stop_gradient


def _length(x):
    return np.sqrt(np.sum(x * x, axis=-1))


def _cross(a, b):
    ax, ay, az = (a[..., i] for i in range(3))
    bx, by, bz = (b[..., i] for i in range(3))
    return np.stack((ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx), axis=-1)


class Rotations(StandInObject):
    """Rotations, as quaternions of length one."""

    def __init__(self, quaternions):
        self.q = quaternions

    def as_quat(self, canonical=False, *, scalar_first=False):
        """The quaternions."""
        q = self.q
        if canonical:
            q = np.where(q[..., 3:] < 0, -q, q)
        return np.concatenate((q[..., 3:], q[..., :3]), axis=-1) if scalar_first else q

    def as_matrix(self):
        """The matrices of the rotations."""
        x, y, z, w = (self.q[..., i] for i in range(4))
        entries = (
            (x * x - y * y - z * z + w * w, 2 * (x * y - z * w), 2 * (x * z + y * w)),
            (2 * (x * y + z * w), -x * x + y * y - z * z + w * w, 2 * (y * z - x * w)),
            (2 * (x * z - y * w), 2 * (y * z + x * w), -x * x - y * y + z * z + w * w),
        )
        return np.stack([np.stack(row, axis=-1) for row in entries], axis=-2)

    def as_rotvec(self, degrees=False):
        """The axes, times the angles."""
        q = np.where(self.q[..., 3:] < 0, -self.q, self.q)
        square = np.sum(q[..., :3] * q[..., :3], axis=-1, keepdims=True)
        is_small = square < 1e-12
        length = np.sqrt(np.where(is_small, 1.0, square))
        factor = np.where(is_small, 2 + square / 3, 2 * np.arctan2(length, q[..., 3:]) / length)
        return q[..., :3] * factor * (180 / np.pi if degrees else 1)

    def magnitude(self):
        """The angles."""
        return 2 * np.arctan2(_length(self.q[..., :3]), np.abs(self.q[..., 3]))

    def apply(self, vectors, inverse=False):
        """The rotated vectors."""
        axis, w = self.q[..., :3], self.q[..., 3:]
        axis = -axis if inverse else axis
        shape = np.broadcast_shapes(np.shape(axis), np.shape(vectors))
        vectors, axis = np.broadcast_to(vectors, shape), np.broadcast_to(axis, shape)
        turned = 2 * _cross(axis, vectors)
        return vectors + w * turned + _cross(axis, turned)

    def inv(self):
        """The inverse rotations."""
        return Rotations(self.q * np.array([-1.0, -1.0, -1.0, 1.0]))

    def as_euler(self, seq, degrees=False):
        """The angles about three axes (Bernardes and Viollet, 2022)."""
        angles = _euler_angles(self.q, seq)
        return angles * (180 / np.pi if degrees else 1)

    def as_mrp(self):
        """The axes, times the tangents of a quarter of the angles."""
        q = np.where(self.q[..., 3:] < 0, -self.q, self.q)
        return q[..., :3] / (1 + q[..., 3:])

    def __getitem__(self, places):
        if len(np.shape(self.q)) == 1:
            raise NotImplementedError("an element of a single rotation")
        return Rotations(self.q[places])

    def __pow__(self, exponent):
        return from_rotvec(self.as_rotvec() * exponent)

    def __mul__(self, other):
        return _product(self.q, _quaternions(other))

    def __rmul__(self, other):
        return _product(_quaternions(other), self.q)


def _quaternions(rotations):
    return rotations.q if isinstance(rotations, Rotations) else rotations.as_quat()


def _product(a, b):
    vector = a[..., 3:] * b[..., :3] + b[..., 3:] * a[..., :3] + _cross(*_alike(a, b))
    number = a[..., 3] * b[..., 3] - np.sum(a[..., :3] * b[..., :3], axis=-1)
    return Rotations(np.concatenate((vector, np.expand_dims(number, -1)), axis=-1))


def _euler_angles(q, seq):
    if len(seq) != 3:
        raise NotImplementedError("as_euler of other than three axes")
    is_intrinsic = seq.isupper()
    i, j, k = ("xyz".index(axis) for axis in (seq.lower()[::-1] if is_intrinsic else seq))
    is_proper = i == k
    k = 3 - i - j if is_proper else k
    sign = (i - j) * (j - k) * (k - i) // 2
    x, y, z, w = q[..., i], q[..., j], q[..., k] * sign, q[..., 3]
    a, b, c, d = (w, x, y, z) if is_proper else (w - y, x + z, y + w, z - x)
    middle = 2 * np.arctan2(np.sqrt(c * c + d * d), np.sqrt(a * a + b * b))
    half_sum, half_difference = np.arctan2(b, a), np.arctan2(d, c)
    first, last = half_sum - half_difference, half_sum + half_difference
    if not is_proper:
        middle, last = middle - np.pi / 2, last * sign
    parts = (last, middle, first) if is_intrinsic else (first, middle, last)
    return _between_half_turns(np.stack(parts, axis=-1))


def _between_half_turns(angles):
    return angles - 2 * np.pi * np.round(stop_gradient(angles) / (2 * np.pi))


def _alike(a, b):
    shape = (*np.broadcast_shapes(np.shape(a)[:-1], np.shape(b)[:-1]), 3)
    return np.broadcast_to(a[..., :3], shape), np.broadcast_to(b[..., :3], shape)


ROTATION = "scipy.spatial.transform.Rotation"


@stands_for(f"{ROTATION}.from_quat")
def from_quat(quat, *, scalar_first=False):
    """Rotations from quaternions of any length."""
    quat = quat * 1.0
    if scalar_first:
        quat = np.concatenate((quat[..., 1:], quat[..., :1]), axis=-1)
    return Rotations(quat / np.expand_dims(_length(quat), -1))


@stands_for(f"{ROTATION}.from_rotvec")
def from_rotvec(rotvec, degrees=False):
    """Rotations from axes times angles."""
    rotvec = rotvec * (np.pi / 180 if degrees else 1.0)
    square = np.sum(rotvec * rotvec, axis=-1, keepdims=True)
    is_small = square < 1e-10
    angle = np.sqrt(np.where(is_small, 1.0, square))
    factor = np.where(is_small, 0.5 - square / 48, np.sin(angle / 2) / angle)
    cosine = np.where(is_small, 1 - square / 8, np.cos(angle / 2))
    return Rotations(np.concatenate((rotvec * factor, cosine), axis=-1))


STEPS = 8  # of an iteration that converges quadratically


@stands_for(f"{ROTATION}.from_matrix")
def from_matrix(matrix, *, assume_valid=False):
    """Rotations from matrices: of the nearest orthogonal ones, by Newton's iteration."""
    for _ in range(0 if assume_valid else STEPS):
        matrix = (matrix + np.swapaxes(np.linalg.inv(matrix), -1, -2)) / 2
    m = [[matrix[..., i, j] for j in range(3)] for i in range(3)]
    trace = m[0][0] + m[1][1] + m[2][2]
    candidates = []  # each is the quaternion times one of its elements
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        row = [None] * 4
        row[i] = 1 - trace + 2 * m[i][i]
        row[j], row[k] = m[j][i] + m[i][j], m[k][i] + m[i][k]
        row[3] = m[k][j] - m[j][k]
        candidates.append(np.stack(row, axis=-1))
    row = (m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], 1 + trace)
    candidates.append(np.stack(row, axis=-1))
    sizes = np.stack([m[0][0], m[1][1], m[2][2], trace], axis=-1)
    largest = np.argmax(sizes, axis=-1)
    found = sum(
        np.where(np.expand_dims(largest == i, -1), one, 0.0) for i, one in enumerate(candidates)
    )
    return Rotations(found / np.expand_dims(_length(found), -1))


@stands_for(f"{ROTATION}.from_mrp")
def from_mrp(mrp):
    """Rotations from axes, times the tangents of a quarter of the angles."""
    square = np.sum(mrp * mrp, axis=-1, keepdims=True)
    return Rotations(np.concatenate((2 * mrp, 1 - square), axis=-1) / (1 + square))


@stands_for(f"{ROTATION}.concatenate")
def concatenate(rotations):
    """Rotations, one after the other."""
    rows = [np.reshape(_quaternions(one), (-1, 4)) for one in rotations]
    return Rotations(np.concatenate(rows, axis=0))


@stands_for_method("Rotation.apply")
def _applied(owner, vectors, inverse=False):
    return Rotations(owner.as_quat()).apply(vectors, inverse)


@stands_for(f"{ROTATION}.from_euler")
def from_euler(seq, angles, degrees=False):
    """Rotations about axes, one after the other."""
    angles = angles * (np.pi / 180 if degrees else 1.0)
    angles = np.reshape(angles, (1,)) if len(np.shape(angles)) == 0 else angles
    found = None
    for i, axis in enumerate(seq):
        unit = np.eye(3)["xyz".index(axis.lower())]
        turn = from_rotvec(np.expand_dims(angles[..., i], -1) * unit)
        before = seq.isupper()
        found = turn if found is None else found * turn if before else turn * found
    return found
