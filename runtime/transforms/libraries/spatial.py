"""Derivatives of `scipy.spatial`: distances, and rotations as quaternions (x, y, z, w)."""

import numpy as np

from runtime.transforms.libraries.table import stands_for


def _distances(x, y, metric="euclidean", *, out=None, p=2, w=None):
    """The distances along the last axis of two arrays that broadcast."""
    if w is not None or not isinstance(metric, str):
        raise NotImplementedError("cdist with weights, or with the user's function")
    step = x - y
    match metric.lower():
        case "euclidean":
            return np.sqrt(np.sum(step * step, axis=-1))
        case "sqeuclidean":
            return np.sum(step * step, axis=-1)
        case "cityblock":
            return np.sum(np.abs(step), axis=-1)
        case "chebyshev":
            return np.max(np.abs(step), axis=-1)
        case "minkowski":
            return np.sum(np.abs(step) ** p, axis=-1) ** (1 / p)
        case "cosine":
            return 1 - np.sum(x * y, axis=-1) / (_length(x) * _length(y))
    raise NotImplementedError(f"cdist with the metric {metric}")


def _length(x):
    return np.sqrt(np.sum(x * x, axis=-1))


@stands_for("scipy.spatial.distance.cdist")
def cdist(first, second, metric="euclidean", **options):
    """The distances of all pairs of points."""
    return _distances(np.expand_dims(first, 1), np.expand_dims(second, 0), metric, **options)


@stands_for("scipy.spatial.distance.pdist")
def pdist(points, metric="euclidean", **options):
    """The distances of all pairs of points among one set."""
    first, second = np.triu_indices(np.shape(points)[0], 1)
    return _distances(points[first], points[second], metric, **options)


for _name in ("euclidean", "sqeuclidean", "cityblock", "chebyshev", "minkowski", "cosine"):
    stands_for(f"scipy.spatial.distance.{_name}")(
        lambda u, v, p=2, w=None, _name=_name: _distances(u, v, _name, p=p, w=w)
    )


# -- rotations -------------------------------------------------------------------------------------


def _cross(a, b):
    ax, ay, az = (a[..., i] for i in range(3))
    bx, by, bz = (b[..., i] for i in range(3))
    return np.stack((ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx), axis=-1)


class Rotations:
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

    def __mul__(self, other):
        a, b = self.q, other.q
        vector = a[..., 3:] * b[..., :3] + b[..., 3:] * a[..., :3] + _cross(*_alike(a, b))
        number = a[..., 3] * b[..., 3] - np.sum(a[..., :3] * b[..., :3], axis=-1)
        return Rotations(np.concatenate((vector, np.expand_dims(number, -1)), axis=-1))


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
