"""Lists of lists, and lists that variables are bound to again."""

import numpy as np
from support.every_mode import SIZES, STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
X = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
N = np.int64(4)
Z = np.array([3, 1, 2, 1, 0])
M = np.array([[0.0, 3.0, 9.0], [2.0, 0.0, 4.0], [7.0, 1.0, 0.0]])
E = np.array([[0, 1], [1, 2], [3, 4], [0, 2]])


@PROGRAMS.program(M)
def nested_ll_grid(m):
    grid = [[0.0] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(3):
            grid[i][j] = m[i, j] * 2
    return grid


@PROGRAMS.program(M, N)
def nested_ll_grid_n(m, n):
    grid = [[0.0] * n for _ in range(n)]
    for i in range(3):
        for j in range(3):
            grid[i][j] = m[i, j] * 2
    return grid


@PROGRAMS.program(Z)
def nested_ll_count(z):
    grid = [[0] * 4 for _ in range(4)]
    for a, b in zip(z, z[1:]):
        grid[a][b] += 1
    return grid


@PROGRAMS.program(E)
def nested_ll_adj(e):
    adj = [[] for _ in range(5)]
    for u, v in e:
        adj[u].append(v)
        adj[v].append(u)
    return adj


@PROGRAMS.program(E, np.int64(5))
def nested_ll_adj_n(e, n):
    adj = [[] for _ in range(n)]
    for k in range(len(e)):
        u = e[k, 0]
        v = e[k, 1]
        adj[u].append(v)
        adj[v].append(u)
    return adj


@PROGRAMS.program(E, np.int64(5))
def nested_ll_dfs(e, n):
    adj = [[] for _ in range(n)]
    for u, v in e:
        adj[u].append(v)
        adj[v].append(u)
    seen = [False] * n
    order = []
    stack = [0]
    while stack:
        u = stack.pop()
        if seen[u]:
            continue
        seen[u] = True
        order.append(u)
        for v in adj[u]:
            if not seen[v]:
                stack.append(v)
    return order


@PROGRAMS.program(X, N)
def nested_ll_append_row(x, n):
    z = []
    for i in range(n):
        z.append([x[0] + i, x[1]])
    return z


@PROGRAMS.program(X, N)
def nested_ll_append_empty(x, n):
    z = []
    for i in range(n):
        z.append([])
        for j in range(i):
            z[i].append(x[j])
    return z


@PROGRAMS.program(X, N)
def nested_ll_pascal(x, n):
    rows = [[1]]
    for i in range(1, n):
        prev = rows[-1]
        row = [1]
        for j in range(1, i):
            row.append(prev[j - 1] + prev[j])
        row.append(1)
        rows.append(row)
    return rows


@PROGRAMS.program(X, N, refused=STAGED)
def nested_ll_alias(x, n):
    z = []
    for i in range(n):
        row = []
        z.append(row)
        row.append(x[i])
        row.append(i)
    return z


@PROGRAMS.program(X, N, refused=STAGED)
def nested_ll_shared(x, n):
    row = []
    z = []
    for i in range(n):
        row.append(x[i])
        z.append(row)
    return z


@PROGRAMS.program(X, N)
def nested_ll_none_fill(x, n):
    z = [None] * n
    for i in range(n):
        z[i] = x[i] * 2
    return z


@PROGRAMS.program(X)
def nested_ll_none_fill5(x):
    z = [None] * 5
    for i in range(5):
        z[i] = x[i] * 2
    return z


@PROGRAMS.program(X, N)
def nested_ll_memo(x, n):
    z = [None] * 6
    z[n] = x[0]
    if z[2] is None:
        z[2] = x[1]
    return (z[2], z[n])


@PROGRAMS.program(X, N)
def nested_ll_buckets(x, n):
    b = [[] for _ in range(4)]
    for v in x:
        b[int(v) % 4].append(v)
    return b


@PROGRAMS.program(X, N)
def nested_ll_buckets_flat(x, n):
    b = [[] for _ in range(4)]
    for v in x:
        b[int(v) % 4].append(v)
    out = []
    for q in b:
        out.extend(sorted(q))
    return out


@PROGRAMS.program(X, N)
def nested_ll_same_row(x, n):
    z = [[]] * 3
    z[0].append(x[0])
    return z


@PROGRAMS.program(X, N, refused=STAGED)
def nested_ll_same_row_staged(x, n):
    z = [[]] * 3
    for i in range(n):
        z[i % 3].append(x[i])
    return z


@PROGRAMS.program(X, N)
def nested_ll_path(x, n):
    q = [(0, [0])]
    found = []
    while q:
        u, path = q.pop(0)
        if u >= n:
            found.append(path)
        else:
            q.append((u + 1, path + [u + 1]))
            q.append((u + 3, path + [u + 3]))
    return found


@PROGRAMS.program(X, N)
def nested_ll_path2(x, n):
    path = [0]
    for i in range(n):
        path = path + [x[i]]
    return path


@PROGRAMS.program(M)
def nested_ll_zip_rows(m):
    rows = [[m[0, 0], m[0, 1]], [m[1, 0], m[1, 1]]]
    return (list(zip(*rows)), list(map(list, zip(*rows))))


@PROGRAMS.program(M, refused=SIZES)
def nested_ll_zip_arr(m):
    return (list(map(list, zip(*m))), [list(r) for r in m], [list(r) for r in zip(*m)])


@PROGRAMS.program(M)
def nested_ll_tolist(m):
    g = m.tolist()
    g[0][1] = 5.0
    return ([[v * 2 for v in row] for row in g], g)


@PROGRAMS.program(M)
def nested_ll_matmul(m):
    a = m.tolist()
    n = len(a)
    c = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            for k in range(n):
                c[i][j] += a[i][k] * a[k][j]
    return c


@PROGRAMS.program(M)
def nested_ll_floyd(m):
    n = len(m)
    d = [list(r) for r in m]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i][k] + d[k][j] < d[i][j]:
                    d[i][j] = d[i][k] + d[k][j]
    return d


@PROGRAMS.program(Z, np.array([1, 2, 1, 3, 2]), np.int64(7))
def nested_ll_knap(w, v, W):
    n = len(w)
    t = [[0] * (W + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        for c in range(W + 1):
            t[i][c] = t[i - 1][c]
            if w[i - 1] <= c:
                t[i][c] = max(t[i][c], t[i - 1][c - w[i - 1]] + v[i - 1])
    return t[n][W]


@PROGRAMS.program(np.array([3, 1, 2]), np.array([1, 2, 1]), 8)
def nested_ll_knap_known(w, v, W):
    n = len(w)
    t = [[0] * (W + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        for c in range(W + 1):
            if w[i - 1] <= c:
                t[i][c] = max(t[i - 1][c], t[i - 1][c - w[i - 1]] + v[i - 1])
            else:
                t[i][c] = t[i - 1][c]
    return t[n][W]


@PROGRAMS.program(X, N)
def nested_ll_row_var(x, n):
    g = [[0.0] * 3 for _ in range(3)]
    for i in range(n):
        row = g[i % 3]
        row[0] = row[0] + x[i]
        row[1] = g[i % 3][0]
    return g


@PROGRAMS.program(X, N)
def nested_ll_swap_rows(x, n):
    g = [[x[0], x[1]], [x[2], x[3]], [x[4], x[0]]]
    k = n - 3
    g[0], g[k] = (g[k], g[0])
    return g


@PROGRAMS.program(X, N)
def nested_ll_strings(x, n):
    names = ["a", "b", "c"]
    t = 0.0
    for i, nm in enumerate(names):
        if nm != "b":
            t = t + x[i]
    return (t, names)


@PROGRAMS.program(X, N)
def nested_ll_strings_idx(x, n):
    return (["a", "b", "c", "d", "e"][n], ["lo", "hi"][int(x[0] > 2)])


@PROGRAMS.program(X, N)
def nested_lo_stack_frames(x, n):
    st = [(n, False)]
    out = []
    while st:
        k, done = st.pop()
        if done:
            out.append(k)
        elif k > 0:
            st.append((k, True))
            st.append((k - 1, False))
            st.append((k - 2, False))
    return out


@PROGRAMS.program(X, N)
def nested_lo_tuple_pick(x, n):
    moves = [(0, 1), (1, 0), (0, -1), (-1, 0), (2, 2)]
    dx, dy = moves[n]
    return (dx, dy)


@PROGRAMS.program(Z)
def nested_ll_uf(z):
    p = list(range(5))

    def find(a):
        while p[a] != a:
            p[a] = p[p[a]]
            a = p[a]
        return a

    for a, b in zip(z, z[1:]):
        ra = find(a)
        rb = find(b)
        if ra != rb:
            p[ra] = rb
    return p


@PROGRAMS.program(Z, N, refused=SIZES)
def nested_ll_subsets(z, n):
    out = [[]]
    for v in z[:3]:
        out = out + [s + [v] for s in out]
    return out


@PROGRAMS.program(Z, N)
def nested_ll_chunks(z, n):
    return (
        [list(z[i : i + 2]) for i in range(0, 5, 2)],
        [z[i : i + 2].tolist() for i in range(0, 5, 2)],
    )


@PROGRAMS.program(X, N)
def nested_ll_groups(x, n):
    groups = []
    cur = []
    for v in x:
        if cur and v < cur[-1]:
            groups.append(cur)
            cur = []
        cur.append(v)
    groups.append(cur)
    return groups


@PROGRAMS.program(X, N)
def nested_ll_best_path(x, n):
    best = []
    cur = []
    for v in x:
        if cur and v < cur[-1]:
            cur = []
        cur.append(v)
        if len(cur) > len(best):
            best = cur[:]
    return best
