"""Linked lists, trees and tries of objects, and objects that a loop iterates over.

The file is long because it is a collection of independent programs.
"""

from dataclasses import dataclass, field

import numpy as np
from support.every_mode import SIZES, STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
A = np.array([3.0, 1.0, 2.0, 5.0, 4.0])


class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next


@prog(A)
def linked_known(x):
    head = None
    for i in range(3):
        head = Node(x[i], head)
    total = 0.0
    node = head
    while node is not None:
        total += node.value
        node = node.next
    return total


@prog(A, refused=SIZES)
def linked_all(x):
    head = None
    for v in x:
        head = Node(v, head)
    out = []
    node = head
    while node is not None:
        out.append(node.value)
        node = node.next
    return out


@prog(A)
def linked_reverse(x):
    head = None
    for i in range(3):
        head = Node(x[i], head)
    prev = None
    while head:
        nxt = head.next
        head.next = prev
        prev = head
        head = nxt
    out = []
    while prev:
        out.append(prev.value)
        prev = prev.next
    return out


class TreeNode:
    def __init__(self, v):
        self.v = v
        self.left = None
        self.right = None


@prog(A)
def tree_fixed(x):
    root = TreeNode(x[0])
    root.left = TreeNode(x[1])
    root.right = TreeNode(x[2])
    root.left.left = TreeNode(x[0] + x[1])

    def total(n):
        if n is None:
            return 0.0
        return n.v + total(n.left) + total(n.right)

    def depth(n):
        return 0 if n is None else 1 + max(depth(n.left), depth(n.right))

    return total(root), depth(root)


@prog(A)
def tree_stack(x):
    root = TreeNode(x[0])
    root.left = TreeNode(x[1])
    root.right = TreeNode(x[2])
    stack = [root]
    out = []
    while stack:
        n = stack.pop()
        if n.v > 1:
            out.append(n.v)
        if n.left:
            stack.append(n.left)
        if n.right:
            stack.append(n.right)
    return out


def insert(root, v):
    if root is None:
        return TreeNode(v)
    if v < root.v:
        root.left = insert(root.left, v)
    else:
        root.right = insert(root.right, v)
    return root


def inorder(n, out):
    if n is not None:
        inorder(n.left, out)
        out.append(n.v)
        inorder(n.right, out)
    return out


@prog(A, refused=STAGED)
def bst_sort(x):
    root = None
    for v in x:
        root = insert(root, v)
    return inorder(root, [])


@prog(A, refused=STAGED)
def bst_iterative(x):
    root = TreeNode(x[0])
    for v in x[1:]:
        node = root
        while True:
            if v < node.v:
                if node.left is None:
                    node.left = TreeNode(v)
                    break
                node = node.left
            else:
                if node.right is None:
                    node.right = TreeNode(v)
                    break
                node = node.right
    return inorder(root, [])


@prog(A)
def choose_node(x):
    a = Node(x[0])
    b = Node(x[1])
    n = a if x[0] > x[1] else b
    return n.value * 2


@prog(A)
def walk_staged(x):
    head = None
    for i in range(3):
        head = Node(x[i], head)
    node = head
    while node is not None and node.value < 3:
        node = node.next
    return -1.0 if node is None else node.value


@prog(A, refused=STAGED)
def sorted_insert(x):
    head = None
    for i in range(3):
        v = x[i]
        if head is None or v < head.value:
            head = Node(v, head)
        else:
            cur = head
            while cur.next is not None and cur.next.value < v:
                cur = cur.next
            cur.next = Node(v, cur.next)
    out = []
    while head is not None:
        out.append(head.value)
        head = head.next
    return out


@prog(A, np.int64(2), refused=STAGED)
def linked_staged_n(x, n):
    head = None
    for i in range(n):
        head = Node(x[i], head)
    t = 0.0
    while head is not None:
        t = t * 2 + head.value
        head = head.next
    return t


class LinkedList:
    def __init__(self):
        self.head = None
        self.size = 0

    def push(self, v):
        self.head = Node(v, self.head)
        self.size += 1

    def __iter__(self):
        n = self.head
        while n is not None:
            yield n.value
            n = n.next

    def __len__(self):
        return self.size


@prog(A)
def linked_class(x):
    l = LinkedList()
    for i in range(3):
        l.push(x[i])
    return sum(l), len(l), list(l), max(l)


@prog(A)
def linked_class_cond(x):
    l = LinkedList()
    for i in range(3):
        if x[i] > 1:
            l.push(x[i])
    return sum(l), len(l)


class Stack:
    def __init__(self):
        self.top = None

    def push(self, v):
        self.top = Node(v, self.top)

    def pop(self):
        v = self.top.value
        self.top = self.top.next
        return v

    def empty(self):
        return self.top is None


@prog(A)
def stack_linked(x):
    s = Stack()
    for i in range(3):
        s.push(x[i])
    out = []
    while not s.empty():
        out.append(s.pop())
    return out


class Trie:
    def __init__(self):
        self.children = {}
        self.value = None


@prog(A)
def trie_known(x):
    root = Trie()
    for i, w in enumerate(["ab", "ac", "b"]):
        n = root
        for c in w:
            if c not in n.children:
                n.children[c] = Trie()
            n = n.children[c]
        n.value = x[i]

    def total(n):
        t = 0.0 if n.value is None else n.value
        for c in n.children.values():
            t += total(c)
        return t

    def get(w):
        n = root
        for c in w:
            n = n.children.get(c)
            if n is None:
                return None
        return n.value

    return total(root), get("ac"), get("zz"), get("a")


@prog(np.array([3, 5, 6, 3]))
def trie_bits(x):
    root = {}
    for v in x:
        n = root
        for b in range(2, -1, -1):
            bit = int(v >> b & 1)
            n = n.setdefault(bit, {})

    def count(n):
        return 1 if not n else sum(count(c) for c in n.values())

    return count(root)


@dataclass
class Tree:
    value: object
    children: list = field(default_factory=list)

    def add(self, v):
        t = Tree(v)
        self.children.append(t)
        return t

    def sum(self):
        return self.value + sum(c.sum() for c in self.children)


@prog(A)
def tree_children(x):
    t = Tree(x[0])
    c = t.add(x[1])
    c.add(x[2])
    c.add(x[0] * 2)
    if x[0] > 2:
        c.value = c.value + 10
    return t.sum()


class DNode:
    def __init__(self, v):
        self.v = v
        self.prev = self.next = None


@prog(A)
def doubly(x):
    first = last = None
    for i in range(3):
        n = DNode(x[i])
        if first is None:
            first = last = n
        else:
            last.next = n
            n.prev = last
            last = n
    out = []
    n = last
    while n is not None:
        out.append(n.v)
        n = n.prev
    first.v = first.v * 2
    return out, last.prev.prev.v


@prog(A)
def cons_tuples(x):
    l = None
    for i in range(3):
        l = (x[i], l)
    t = 0.0
    while l is not None:
        v, l = l
        t = t * 3 + v
    return t


@prog(A, refused=SIZES)
def cons_tuples_all(x):
    l = ()
    for v in x:
        l = (v, l)
    t = 0.0
    while l:
        v, l = l
        t = t * 3 + v
    return t


@prog(A)
def queue_bfs(x):
    root = TreeNode(x[0])
    root.left = TreeNode(x[1])
    root.right = TreeNode(x[2])
    level = [root]
    sums = []
    while level:
        s = 0.0
        nxt = []
        for n in level:
            s += n.v
            for c in (n.left, n.right):
                if c is not None:
                    nxt.append(c)
        sums.append(s)
        level = nxt
    return sums


@prog(A)
def tree_max_path(x):
    root = TreeNode(x[0])
    root.left = TreeNode(x[1])
    root.right = TreeNode(x[2])
    root.left.right = TreeNode(x[1] * x[2])
    best = -np.inf

    def go(n):
        nonlocal best
        if n is None:
            return 0.0
        l = max(go(n.left), 0.0)
        r = max(go(n.right), 0.0)
        best = max(best, l + r + n.v)
        return n.v + max(l, r)

    go(root)
    return best


@prog(A)
def tree_search_staged(x):
    root = TreeNode(x[0])
    root.left = TreeNode(x[1])
    root.right = TreeNode(x[2])
    n = root
    steps = 0
    while n is not None:
        steps += 1
        if n.v > 2:
            n = n.left
        else:
            n = n.right
    return steps


@prog(A, refused=STAGED)
def remove_nodes(x):
    head = None
    for i in range(3):
        head = Node(x[i], head)
    dummy = Node(0.0, head)
    p = dummy
    while p.next is not None:
        if p.next.value > 2:
            p.next = p.next.next
        else:
            p = p.next
    t = 0.0
    p = dummy.next
    while p is not None:
        t += p.value
        p = p.next
    return t


@prog(A, refused=STAGED)
def merge_lists(x):
    a = Node(x[0], Node(x[1]))
    b = Node(x[2], None)
    dummy = tail = Node(None)
    while a and b:
        if a.value <= b.value:
            tail.next = a
            a = a.next
        else:
            tail.next = b
            b = b.next
        tail = tail.next
    tail.next = a or b
    out = []
    n = dummy.next
    while n:
        out.append(n.value)
        n = n.next
    return out


class Expr:
    def __init__(self, op, *args):
        self.op, self.args = op, args

    def eval(self, env):
        if self.op == "var":
            return env[self.args[0]]
        if self.op == "const":
            return self.args[0]
        a, b = (e.eval(env) for e in self.args)
        if self.op == "+":
            return a + b
        if self.op == "*":
            return a * b
        if self.op == "max":
            return a if a > b else b


@prog(A)
def expr_tree(x):
    e = Expr(
        "+",
        Expr("*", Expr("var", "x"), Expr("const", 2.0)),
        Expr("max", Expr("var", "y"), Expr("var", "x")),
    )
    return e.eval({"x": x[0], "y": x[1]})


@prog(A)
def links_as_positions(x):
    values, links, head = [], [], -1
    for v in x:
        if v > 1:
            values.append(v)
            links.append(head)
            head = len(values) - 1
    total = 0.0
    while head >= 0:
        total = total * 2 + values[head]
        head = links[head]
    return total
