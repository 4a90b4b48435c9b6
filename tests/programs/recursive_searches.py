"""Recursive algorithms that sort and search: they change lists, dicts, sets and arrays.

`KEYS`, `GRAPH` and `SEARCHES`: for each function a function that makes its arguments.
"""

import numpy as np

known_values = {}


def memoised(n, known):
    if n in known:
        return known[n]
    known[n] = n if n < 2 else memoised(n - 1, known) + memoised(n - 2, known)
    return known[n]


def memoised_in_a_global(n):
    if n not in known_values:
        known_values[n] = n if n < 2 else memoised_in_a_global(n - 1) + memoised_in_a_global(n - 2)
    return known_values[n]


def memoised_in_a_default(n, known={}):  # noqa: B006
    if n < 2:
        return n
    if n not in known:
        known[n] = memoised_in_a_default(n - 1) + memoised_in_a_default(n - 2)
    return known[n]


def depth_first(graph, node, seen, order):
    if node in seen:
        return
    seen.add(node)
    order.append(node)
    for other in graph[node]:
        depth_first(graph, other, seen, order)


def ordered_nodes(graph):
    seen, order = set(), []
    for node in graph:
        depth_first(graph, node, seen, order)
    return order, sorted(seen)


def topological(graph, node, marks, order):
    if marks.get(node) == "done":
        return True
    if marks.get(node) == "open":
        return False
    marks[node] = "open"
    for other in graph[node]:
        if not topological(graph, other, marks, order):
            return False
    marks[node] = "done"
    order.insert(0, node)
    return True


def breadth_first(graph, queue, seen):
    if not queue:
        return seen
    node = queue.pop(0)
    for other in graph[node]:
        if other not in seen:
            seen.append(other)
            queue.append(other)
    return breadth_first(graph, queue, seen)


def components(matrix):
    colours = [0] * len(matrix)

    def paint(i, colour):
        colours[i] = colour
        for j, edge in enumerate(matrix[i]):
            if edge and not colours[j]:
                paint(j, colour)

    count = 0
    for i in range(len(matrix)):
        if not colours[i]:
            count += 1
            paint(i, count)
    return count, colours


def merged(a, b):
    if not a or not b:
        return a + b
    if a[0] < b[0]:
        return [a[0], *merged(a[1:], b)]
    return [b[0], *merged(a, b[1:])]


def merge_sort(items):
    if len(items) < 2:
        return items
    middle = len(items) // 2
    return merged(merge_sort(items[:middle]), merge_sort(items[middle:]))


def merge_sort_in_place(items, low, high):
    if high - low < 2:
        return
    middle = (low + high) // 2
    merge_sort_in_place(items, low, middle)
    merge_sort_in_place(items, middle, high)
    items[low:high] = merged(items[low:middle], items[middle:high])


def quick_sort(items, low, high):
    if low < high:
        place = low
        for k in range(low, high):
            if items[k] < items[high]:
                items[k], items[place] = items[place], items[k]
                place += 1
        items[place], items[high] = items[high], items[place]
        quick_sort(items, low, place - 1)
        quick_sort(items, place + 1, high)


def sift_down(heap, i, size):
    largest = i
    for child in (2 * i + 1, 2 * i + 2):
        if child < size and heap[child] > heap[largest]:
            largest = child
    if largest != i:
        heap[i], heap[largest] = heap[largest], heap[i]
        sift_down(heap, largest, size)


def heap_sort(heap):
    for i in reversed(range(len(heap) // 2)):
        sift_down(heap, i, len(heap))
    for end in reversed(range(1, len(heap))):
        heap[0], heap[end] = heap[end], heap[0]
        sift_down(heap, 0, end)
    return heap


def insertion_sort(items, n):
    if n <= 1:
        return items
    insertion_sort(items, n - 1)
    last, j = items[n - 1], n - 2
    while j >= 0 and items[j] > last:
        items[j + 1] = items[j]
        j -= 1
    items[j + 1] = last
    return items


def bubble_sort(items, n):
    if n == 1:
        return items
    for i in range(n - 1):
        if items[i] > items[i + 1]:
            items[i], items[i + 1] = items[i + 1], items[i]
    return bubble_sort(items, n - 1)


def append(h, x):
    h.append(x)
    return h


def pop(h):
    return h.pop() if h else None


def update(d, k, v):
    d.update({k: v})
    return d


def through_named_helpers(n):
    h, d = [], {}
    for i in range(n):
        append(h, i * i)
        update(d, i, pop(h))
        append(h, i)
    return h, d


def permutations(items, k, found):
    if k == len(items):
        found.append(list(items))
    for i in range(k, len(items)):
        items[k], items[i] = items[i], items[k]
        permutations(items, k + 1, found)
        items[k], items[i] = items[i], items[k]


def all_permutations(n):
    found = []
    permutations(list(range(n)), 0, found)
    return found


def subsets(items, i, chosen, found):
    if i == len(items):
        found.append(tuple(chosen))
        return
    subsets(items, i + 1, chosen, found)
    chosen.append(items[i])
    subsets(items, i + 1, chosen, found)
    chosen.pop()


def all_subsets(items):
    found = []
    subsets(items, 0, [], found)
    return found


def combinations(n, k, start, chosen, found):
    if len(chosen) == k:
        found.append(chosen[:])
        return found
    for i in range(start, n):
        chosen.append(i)
        combinations(n, k, i + 1, chosen, found)
        chosen.pop()
    return found


def queens(n, row, columns, found):
    if row == n:
        found.append(columns[:])
        return
    for column in range(n):
        if all(c != column and abs(c - column) != row - r for r, c in enumerate(columns)):
            columns.append(column)
            queens(n, row + 1, columns, found)
            columns.pop()


def all_queens(n):
    found = []
    queens(n, 0, [], found)
    return found


def knapsack(weights, values, i, room, known):
    if i == len(weights) or room == 0:
        return 0
    if (i, room) not in known:
        best = knapsack(weights, values, i + 1, room, known)
        if weights[i] <= room:
            taken = values[i] + knapsack(weights, values, i + 1, room - weights[i], known)
            best = max(best, taken)
        known[i, room] = best
    return known[i, room]


def coin_change(coins, amount, known):
    if amount == 0:
        return 0
    if amount in known:
        return known[amount]
    best = None
    for coin in coins:
        if coin <= amount:
            rest = coin_change(coins, amount - coin, known)
            if rest is not None and (best is None or rest + 1 < best):
                best = rest + 1
    known[amount] = best
    return best


def edit_distance(a, b, i, j, known):
    if i == 0 or j == 0:
        return i + j
    if known[i][j] < 0:
        known[i][j] = min(
            edit_distance(a, b, i - 1, j, known) + 1,
            edit_distance(a, b, i, j - 1, known) + 1,
            edit_distance(a, b, i - 1, j - 1, known) + (a[i - 1] != b[j - 1]),
        )
    return known[i][j]


def flood_fill(grid, i, j, old, new):
    if i < 0 or j < 0 or i >= len(grid) or j >= len(grid[0]) or grid[i][j] != old:
        return grid
    grid[i][j] = new
    for di, dj in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        flood_fill(grid, i + di, j + dj, old, new)
    return grid


def flood_fill_array(grid, i, j, new):
    if i < 0 or j < 0 or i >= grid.shape[0] or j >= grid.shape[1] or grid[i, j] != 0:
        return 0
    grid[i, j] = new
    count = 1
    for di, dj in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        count += flood_fill_array(grid, i + di, j + dj, new)
    return count


def maze(grid, i, j, path):
    if i >= len(grid) or j >= len(grid[0]) or grid[i][j] == "#":
        return False
    path.append((i, j))
    if (i, j) == (len(grid) - 1, len(grid[0]) - 1):
        return True
    if maze(grid, i + 1, j, path) or maze(grid, i, j + 1, path):
        return True
    path.pop()
    return False


def hanoi(n, source, target, spare, moves):
    if n > 0:
        hanoi(n - 1, source, spare, target, moves)
        target.append(source.pop())
        moves.append((len(source), len(target)))
        hanoi(n - 1, spare, target, source, moves)
    return moves


def solved_hanoi(n):
    towers = [list(range(n, 0, -1)), [], []]
    return hanoi(n, towers[0], towers[2], towers[1], []), towers


GRAPH = {"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": [], "e": ["a"]}
KEYS = [5, 2, 8, 1, 9, 3, 7]

SEARCHES = {
    memoised: lambda: (12, {}),
    memoised_in_a_global: lambda: (12,),
    memoised_in_a_default: lambda: (12,),
    ordered_nodes: lambda: (GRAPH,),
    topological: lambda: (GRAPH, "a", {}, []),
    breadth_first: lambda: (GRAPH, ["a"], ["a"]),
    components: lambda: ([[0, 1, 0], [1, 0, 0], [0, 0, 0]],),
    merge_sort: lambda: (list(KEYS),),
    merge_sort_in_place: lambda: (list(KEYS), 0, 7),
    quick_sort: lambda: (list(KEYS), 0, 6),
    heap_sort: lambda: (list(KEYS),),
    insertion_sort: lambda: (list(KEYS), 7),
    bubble_sort: lambda: (list(KEYS), 7),
    through_named_helpers: lambda: (4,),
    all_permutations: lambda: (3,),
    all_subsets: lambda: ([1, 2, 3],),
    combinations: lambda: (4, 2, 0, [], []),
    all_queens: lambda: (5,),
    knapsack: lambda: ([1, 3, 4], [2, 5, 6], 0, 7, {}),
    coin_change: lambda: ([1, 4, 5], 8, {}),
    edit_distance: lambda: ("kitten", "sit", 6, 3, [[-1] * 4 for _ in range(7)]),
    flood_fill: lambda: ([[0, 0, 1], [1, 0, 1], [0, 1, 0]], 0, 0, 0, 2),
    flood_fill_array: lambda: (np.array([[0, 0, 1], [1, 0, 1], [0, 1, 0]]), 0, 0, 2),
    maze: lambda: (["..#", "#..", "#.."], 0, 0, []),
    solved_hanoi: lambda: (3,),
}


def reset():
    """Gives the global and the default that the functions change their first values."""
    known_values.clear()
    memoised_in_a_default.__defaults__[0].clear()
