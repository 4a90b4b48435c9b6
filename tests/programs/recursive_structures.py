"""Recursive functions over numbers, trees and texts, which change containers of containers."""


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def gcd(a, b):
    return a if b == 0 else gcd(b, a % b)


def egcd(a, b):
    if b == 0:
        return a, 1, 0
    g, x, y = egcd(b, a % b)
    return g, y, x - a // b * y


def power(x, n):
    if n == 0:
        return 1
    half = power(x, n // 2)
    return half * half * (x if n % 2 else 1)


def collatz(n, path):
    path.append(n)
    return path if n == 1 else collatz(n // 2 if n % 2 == 0 else 3 * n + 1, path)


def digits(n, out):
    if n >= 10:
        digits(n // 10, out)
    out.append(n % 10)
    return out


def find(parents, i):
    if parents[i] != i:
        parents[i] = find(parents, parents[i])
    return parents[i]


def union_find(n, edges):
    parents = list(range(n))
    for a, b in edges:
        parents[find(parents, a)] = find(parents, b)
    return [find(parents, i) for i in range(n)], parents


class Node:
    def __init__(self, key):
        self.key, self.left, self.right, self.count = key, None, None, 1

    def insert(self, key):
        self.count += 1
        side = "left" if key < self.key else "right"
        child = getattr(self, side)
        if child is None:
            setattr(self, side, Node(key))
        else:
            child.insert(key)

    def keys(self, out):
        if self.left is not None:
            self.left.keys(out)
        out.append((self.key, self.count))
        if self.right is not None:
            self.right.keys(out)
        return out


def search_tree(keys):
    root = Node(keys[0])
    for key in keys[1:]:
        root.insert(key)
    return root.keys([])


def inserted(tree, key):
    if tree is None:
        return {"key": key, "left": None, "right": None}
    side = "left" if key < tree["key"] else "right"
    tree[side] = inserted(tree[side], key)
    return tree


def tree_of_dicts(keys):
    tree = None
    for key in keys:
        tree = inserted(tree, key)
    return tree


def mirrored(tree):
    if tree is not None:
        tree["left"], tree["right"] = tree["right"], tree["left"]
        mirrored(tree["left"])
        mirrored(tree["right"])
    return tree


def mirrored_tree(keys):
    return mirrored(tree_of_dicts(keys))


class Trie(dict):
    def add(self, word):
        if not word:
            self[""] = True
            return
        self.setdefault(word[0], Trie()).add(word[1:])

    def words(self, prefix, out):
        for letter, below in self.items():
            out.append(prefix) if letter == "" else below.words(prefix + letter, out)
        return out


def trie(words):
    root = Trie()
    for word in words:
        root.add(word)
    return sorted(root.words("", []))


def parse_sum(tokens):
    value = parse_product(tokens)
    while tokens and tokens[0] in "+-":
        value = (
            value + parse_product(tokens) if tokens.pop(0) == "+" else value - parse_product(tokens)
        )
    return value


def parse_product(tokens):
    value = parse_atom(tokens)
    while tokens and tokens[0] == "*":
        tokens.pop(0)
        value *= parse_atom(tokens)
    return value


def parse_atom(tokens):
    token = tokens.pop(0)
    if token == "(":
        value = parse_sum(tokens)
        tokens.pop(0)
        return value
    return int(token)


def evaluated(text):
    return parse_sum(list(text))


def read_lists(tokens):
    out = []
    while tokens:
        token = tokens.pop(0)
        if token == "(":
            out.append(read_lists(tokens))
        elif token == ")":
            break
        else:
            out.append(token)
    return out


def nested_lists(text):
    return read_lists(list(text))


def flattened(items, out):
    for item in items:
        if isinstance(item, list):
            flattened(item, out)
        else:
            out.append(item)
    return out


def deep_update(target, source):
    for key, value in source.items():
        if isinstance(value, dict) and isinstance(target.get(key), dict):
            deep_update(target[key], value)
        else:
            target[key] = value
    return target


def deep_paths(tree, prefix, out):
    for key, value in tree.items():
        if isinstance(value, dict):
            deep_paths(value, (*prefix, key), out)
        else:
            out[(*prefix, key)] = value
    return out


KEYS = [5, 2, 8, 1, 9, 3, 7]

STRUCTURES = {
    ackermann: lambda: (2, 2),
    gcd: lambda: (48, 36),
    egcd: lambda: (48, 18),
    power: lambda: (3, 10),
    collatz: lambda: (6, []),
    digits: lambda: (4096, []),
    union_find: lambda: (6, [(0, 1), (1, 2), (3, 4)]),
    search_tree: lambda: (list(KEYS),),
    tree_of_dicts: lambda: (list(KEYS),),
    mirrored_tree: lambda: (list(KEYS),),
    trie: lambda: (["to", "tea", "ten", "in"],),
    evaluated: lambda: ("2*(3+4)-5*2",),
    nested_lists: lambda: ("a(b(cd)e)f",),
    flattened: lambda: ([1, [2, [3, [4]], 5]], []),
    deep_update: lambda: ({"a": {"b": 1, "c": 2}}, {"a": {"c": 3, "d": {"e": 4}}}),
    deep_paths: lambda: ({"a": {"b": 1, "c": {"d": 2}}}, (), {}),
}
