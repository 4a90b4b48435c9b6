"""Programs that read the layout of arrays, or compute results whose dtype depends on values."""

import numpy as np
from support.every_mode import SIZES, STAGED, Programs

PROGRAMS = Programs()
ROW = np.arange(6.0)
TABLE = np.arange(12.0).reshape(3, 4)
SQUARE = np.array([[2.0, 1.0, 0.5], [0.5, 3.0, 0.25], [0.125, 1.0, 5.0]])
ROTATION = np.array([[0.0, 1.0], [-1.0, 0.0]])


@PROGRAMS.program(TABLE)
def read_strides_and_flags(a):
    return (
        a.strides,
        a.flags.c_contiguous,
        a.flags.f_contiguous,
        a.T.strides,
        (a * 2).strides,
        (a.T * 2).flags.f_contiguous,
        a[::2].strides,
        a.flags.writeable,
        a.copy().strides,
        a.flags["C"],
        a.flags.forc,
    )


@PROGRAMS.program(TABLE)
def strides_of_copies(a):
    b = a.copy()
    b[0] = 1
    return b.strides, b[:, ::-1].strides, np.asfortranarray(b).strides, a.reshape(-1).strides


@PROGRAMS.program(TABLE)
def made_contiguous(a):
    if not a.flags.c_contiguous:
        a = np.ascontiguousarray(a)
    return a.sum(axis=0), a.strides[0] // a.itemsize


@PROGRAMS.program(TABLE)
def as_strided_with_its_strides(a):
    return np.lib.stride_tricks.as_strided(a, (2, 2), a.strides).sum()


@PROGRAMS.program(TABLE)
def windows(a):
    return np.lib.stride_tricks.sliding_window_view(a.ravel(), 3).sum(axis=1)


@PROGRAMS.program(TABLE)
def strides_after_a_write(a):
    a[0, 0] = 5.0
    return a.strides


@PROGRAMS.program(TABLE)
def strides_of_results(a):
    return (
        np.array(a, order="F").strides,
        np.zeros_like(a).strides,
        (a @ a.T).strides,
        np.where(a > 1, a, 0).strides,
        np.transpose(a, (1, 0)).flags.contiguous,
    )


@PROGRAMS.program(TABLE)
def as_strided_corner(a):
    return np.lib.stride_tricks.as_strided(a, (2, 2), a.strides).sum()


@PROGRAMS.program(TABLE, refused=SIZES)
def as_strided_windows(a):
    v = np.lib.stride_tricks.as_strided(a, (a.size - 2, 3), (8, 8))
    return v.sum(axis=1), v.shape


@PROGRAMS.program(TABLE)
def as_strided_written(a):
    v = np.lib.stride_tricks.as_strided(a, (2, 2), (16, 8))
    v[0, 0] = 50.0
    a2 = a.ravel()
    return v, a2


@PROGRAMS.program(TABLE, refused=STAGED)
def as_strided_overlapping_written(a):
    v = np.lib.stride_tricks.as_strided(a, (4, 3), (8, 8))
    v += 1
    return v


@PROGRAMS.program(TABLE)
def nditer(a):
    t = 0.0
    for v in np.nditer(a):
        t = t * 2 + v
    return t


@PROGRAMS.program(TABLE)
def nditer_with_options(a):
    for v in np.nditer(a, op_flags=["readwrite"]):
        v[...] = v * 2
    with np.nditer(a, flags=["multi_index"], op_flags=[["readwrite"]]) as places:
        for v in places:
            v[...] = v + places.multi_index[1]
    return a


@PROGRAMS.program(TABLE)
def nditer_by_positions(a):
    places, found = np.nditer(a, ["multi_index"]), []
    while not places.finished:
        found.append((places.multi_index, places[0] * 2, places.iterindex))
        places.iternext()
    of_columns = [v * 1 for v in np.nditer(a.T, flags=["multi_index"])]
    return found, places.finished, places.itersize, of_columns


@PROGRAMS.program(ROW)
def gradient_check(weights):
    def loss(w):
        return np.sum(np.tanh(w) ** 2)

    found = np.zeros_like(weights)
    it = np.nditer(weights, flags=["multi_index"], op_flags=["readwrite"])
    while not it.finished:
        at = it.multi_index
        before = weights[at]
        weights[at] = before + 1e-5
        above = loss(weights)
        weights[at] = before - 1e-5
        below = loss(weights)
        weights[at] = before
        found[at] = (above - below) / 2e-5
        it.iternext()
    return found


@PROGRAMS.program(TABLE, refused=STAGED)
def nditer_moved_by_the_run(a):
    it, count = np.nditer(a, flags=["multi_index"]), 0
    while not it.finished:
        if a[it.multi_index] < 4:
            it.iternext()
        count += 1
        it.iternext()
    return count


@PROGRAMS.program(TABLE, refused=STAGED)
def nditer_with_an_unknown_flag(a):
    return [v * 1 for v in np.nditer(a, flags=["external_loop"])]


@PROGRAMS.program(TABLE)
def nditer_by_columns(a):
    return [v * 1 for v in np.nditer(a, order="F")]


@PROGRAMS.program(TABLE)
def as_strided_before_a_write(a):
    v = np.lib.stride_tricks.as_strided(a, (4, 3), (8, 8))
    s = v.sum()
    a[...] = 0
    return s


@PROGRAMS.program(ROW)
def shape_of_a_copy(x):
    y = x.copy()
    y.shape = (2, 3)
    return y


@PROGRAMS.program(ROW)
def shape_with_unknown_size(x):
    y = x * 2
    y.shape = -1, 2
    return y, y.shape, y.T


@PROGRAMS.program(ROW)
def shape_under_two_names(x):
    y = x * 2
    z = y
    y.shape = (3, 2)
    z[0] = 9.0
    return y, z is y


@PROGRAMS.program(ROW)
def shape_that_does_not_fit(x):
    y = x.copy()
    y.shape = (4, 2)
    return y


@PROGRAMS.program(ROW, refused=STAGED)
def shape_of_a_viewed_array(x):
    y = x.copy()
    v = y[1:3]
    y.shape = (2, 3)
    return y, v


@PROGRAMS.program(ROW, refused=STAGED)
def shape_of_an_argument(x):
    x.shape = (2, 3)
    return x


@PROGRAMS.program(ROW)
def shape_twice(x):
    y = np.arange(12.0)
    y.shape = 3, 4
    y.shape = 6, 2
    return y * x[0]


@PROGRAMS.program(ROW, refused=STAGED)
def shape_in_a_branch(x):
    y = x.copy()
    if x[0] > 5:
        y.shape = (2, 3)
    return y.sum()


@PROGRAMS.program(ROW)
def shape_in_a_loop(x):
    out = []
    for i in range(3):
        y = x * i
        y.shape = (2, 3)
        out.append(y.sum(axis=0))
    return out


@PROGRAMS.program(ROW, refused=STAGED)
def shape_of_a_transposed(x):
    y = np.outer(x, x).T
    y.shape = 36
    return y


@PROGRAMS.program(ROW)
def shape_of_a_fortran_copy(x):
    y = np.outer(x, x).T.copy("F")
    y.shape = 36
    return y


@PROGRAMS.program(ROW)
def shape_and_rows(x):
    y = x.copy()
    y.shape = (2, 3)
    v = y[0]
    v[1] = 7.0
    y[1] = v
    return y


@PROGRAMS.program(ROW)
def shape_back_and_forth(x):
    y = x.copy()
    for i in range(20):
        y.shape = (2, 3)
        y = y + 1
        y.shape = (6,)
    return y


@PROGRAMS.program(ROW)
def shape_in_a_list(x):
    y = x.copy()
    l = [y]
    y.shape = (3, 2)
    return l


@PROGRAMS.program(TABLE, refused=SIZES)
def enumerated(a):
    total = 0.0
    for (i, j), v in np.ndenumerate(a):
        total = total * 2 + i * j * v
    return total


@PROGRAMS.program(TABLE)
def indexed(a):
    return [a[place] for place in np.ndindex(2, 2)]


@PROGRAMS.program(TABLE)
def sizes_in_bytes(a):
    return a.itemsize, a.size, a.nbytes, a.dtype.itemsize


@PROGRAMS.program(SQUARE)
def eigenvectors(a):
    w, v = np.linalg.eig(a @ a)
    return w, v


@PROGRAMS.program(ROTATION)
def complex_eigenvalues(a):
    return np.abs(np.linalg.eigvals(a)).max(), np.linalg.eigvals(a)


@PROGRAMS.program(SQUARE + 1j)
def eigenvalues_of_a_complex_matrix(a):
    found = np.linalg.eig(a)
    return found.eigenvalues, found


@PROGRAMS.program(ROW[1:5])
def roots(p):
    return np.roots(p), np.sort(np.roots(p[::-1]))


@PROGRAMS.program(SQUARE)
def spectral_radius(a):
    return max(abs(np.linalg.eigvals(a))), np.linalg.eigvals(a).dtype


@PROGRAMS.program(SQUARE, refused=STAGED)
def eigenvalues_in_a_branch(a):
    if a[0, 0] > 1:
        a = np.linalg.eigvals(a)
    return a.sum()


@PROGRAMS.program(SQUARE)
def least_squares(a):
    x, residuals, rank, s = np.linalg.lstsq(a, a[0], rcond=None)
    return x, rank, s, np.linalg.matrix_rank(a), np.linalg.pinv(a), np.linalg.slogdet(a)


@PROGRAMS.program(SQUARE)
def decompositions(a):
    q, r = np.linalg.qr(a)
    u, s, v = np.linalg.svd(a, full_matrices=False)
    return q, r, u, s, v, np.linalg.svd(a, compute_uv=False), np.linalg.qr(a, mode="r")


@PROGRAMS.program(ROW)
def polynomials(p):
    product = np.polymul(p, p[:2])
    q, r = np.polydiv(product, p[1:3])
    return np.polyval(p, 2.0), np.polyder(p), np.polyint(p), np.polyadd(p, p[:2]), q, r
