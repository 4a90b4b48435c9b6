"""Objects in staged lists that change: particles, agents, accounts, nodes.

The file is long because it is a collection of independent programs.
"""

from dataclasses import dataclass

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

X = np.array([3.0, 1.0, 2.0, 5.0])
N = np.int64(4)


@dataclass
class Particle:
    x: float
    v: float
    alive: bool = True

    def move(self, dt):
        self.x += self.v * dt
        if self.x > 4:
            self.v = -self.v


class Account:
    def __init__(self, owner, balance):
        self.owner = owner
        self.balance = balance
        self.moves = 0

    def take(self, amount):
        if amount > self.balance:
            raise ValueError("too much")
        self.balance -= amount
        self.moves += 1


class Slotted:
    __slots__ = ("n",)

    def __init__(self, n):
        self.n = n


def particles(x, n):
    found = []
    for i in range(n):
        found.append(Particle(x[i], 1.0 - i))
    return found


def state(items):
    return [(p.x, p.v) for p in items]


@prog(X, N)
def moved_in_turn(x, n):
    ps = particles(x, n)
    for _ in range(n):
        for p in ps:
            p.x += p.v * 0.5
    return state(ps)


@prog(X, N)
def moved_by_a_method(x, n):
    ps = particles(x, n)
    for _ in range(n + 2):
        for p in ps:
            p.move(0.25)
    return state(ps), ps


@prog(X, N)
def known_list_at_a_staged_index(x, n):
    ps = [Particle(x[i], 1.0) for i in range(4)]
    for i in range(n):
        ps[i].x += ps[i].v * 0.5
        ps[n - 1 - i].v = ps[i].x
    return state(ps)


@prog(X, N)
def pairs_attract(x, n):
    ps = particles(x, n)
    for _ in range(3):
        for i in range(n):
            p = ps[i]
            for j in range(n):
                if i != j:
                    q = ps[j]
                    p.v += 0.1 * (q.x - p.x)
                    q.v -= 0.05 * (q.x - p.x)
        for p in ps:
            p.x += p.v
    return state(ps)


@prog(X, N)
def one_object_by_two_names(x, n):
    ps = particles(x, n)
    total = 0.0
    for i in range(n):
        p, q = ps[i], ps[0]
        p.x = p.x + 1.0
        total = total * 0.5 + q.x
        q.v = 7.0
        total += p.v
    return total, state(ps)


@prog(X, N)
def a_name_from_outside_of_the_loop(x, n):
    ps = particles(x, n)
    first, total = ps[0], 0.0
    for i in range(n):
        total = total * 2 + first.x
        ps[i].x = total
    return total, first.x, state(ps)


@prog(X, N)
def changed_on_one_path(x, n):
    ps = particles(x, n)
    for p in ps:
        if p.x > 2:
            p.alive = False
        elif p.x < 1.5:
            p.x, p.v = p.v, p.x
    return [p.alive for p in ps], state(ps)


@prog(X, N)
def a_counter_becomes_a_float(x, n):
    accounts = []
    for i in range(n):
        accounts.append(Account(i, 10))
    for i in range(n):
        accounts[i].balance = accounts[i].balance - x[i]
    total = 0.0
    for a in accounts:
        total += a.balance
    return total


@prog(X, N)
def errors_of_methods(x, n):
    accounts = []
    for i in range(n):
        accounts.append(Account(i, x[i] * 2))
    failed = 0
    for a in accounts:
        if a.balance >= 3.0:
            a.take(3.0)
        else:
            failed += 1
    return [(a.owner, a.balance, a.moves) for a in accounts], failed


@prog(X, N)
def slots(x, n):
    items = []
    for i in range(n):
        items.append(Slotted(i))
    for i in range(n):
        items[i].n += int(x[i])
    return [s.n for s in items]


@prog(X, N)
def appended_after_a_change(x, n):
    ps = particles(x, n)
    for p in ps:
        p.x = 0.5
    ps.append(Particle(9.0, 9.0))
    ps[n].v = 1.0
    return state(ps), len(ps)


@prog(X, N)
def changed_while_the_list_grows(x, n):
    ps = []
    for i in range(n):
        ps.append(Particle(x[i], 0.0))
        ps[0].v += x[i]
    return state(ps)


@prog(X, N)
def values_of_a_dict(x, n):
    d = {}
    for i in range(n):
        k = int(x[i]) % 3
        if k not in d:
            d[k] = Account(k, 0.0)
        d[k].balance += x[i]
        d[k].moves += 1
    return [(a.owner, a.balance, a.moves) for a in d.values()]


@prog(X, N)
def arrays_are_replaced(x, n):
    ps = []
    for i in range(n):
        ps.append(Particle(x * i, x[i]))
    for p in ps:
        p.x = p.x + p.v
    return [p.x for p in ps]


@prog(X, N)
def changed_by_a_function(x, n):
    def hit(p, amount):
        p.x -= amount
        return p.x

    ps = particles(x, n)
    lost = 0.0
    for i in range(n):
        lost += hit(ps[i], 0.25 * i)
    return lost, state(ps)


@prog(X, N)
def in_a_while(x, n):
    ps = particles(x, n)
    i = 0
    while i < n and ps[i].x < 4.5:
        ps[i].x *= 2
        i += 1
    return i, state(ps)


# Here other names see the change: Python's result, or a refusal.
SHARED = Programs()
shared = SHARED.program


@shared(X, N)
def by_the_name_of_the_last(x, n):
    ps = []
    p = Particle(0.0, 0.0)
    for i in range(n):
        p = Particle(x[i], 1.0)
        ps.append(p)
    ps[n - 1].x = 99.0
    return p.x


@shared(X, N)
def by_an_older_name(x, n):
    p = Particle(x[0], 1.0)
    ps = []
    ps.append(p)
    for i in range(n):
        ps.append(Particle(x[i], 1.0))
    ps[0].x = 99.0
    return p.x, p


@shared(X, N)
def an_older_name_is_returned(x, n):
    p = Particle(x[0], 1.0)
    ps = [p]
    for i in range(n):
        ps[0].x += i
    return p


@shared(X, N)
def an_older_name_is_read_before_each_change(x, n):
    p, q = Particle(x[0], 1.0), Particle(x[1], 2.0)
    ps, total = [p, q], 0.0
    for i in range(n):
        total += p.x
        ps[i % 2].x += 1.0
    return total


@shared(X, N)
def an_older_name_is_changed(x, n):
    p, q = Particle(x[0], 1.0), Particle(x[1], 2.0)
    ps = [p, q]
    for i in range(n):
        ps[i % 2].x += 1.0
        p.x += 0.5
    return state(ps)


@shared(X, N)
def twice_in_one_list(x, n):
    ps = []
    for i in range(n):
        p = Particle(x[i], 1.0)
        ps.append(p)
        ps.append(p)
    ps[0].x = 99.0
    return ps[1].x


@shared(X, N)
def one_object_in_all_places(x, n):
    p, ps = Particle(x[0], 1.0), []
    for _ in range(n):
        ps.append(p)
    ps[0].x = 99.0
    return ps[n - 1].x


@shared(X, N)
def in_two_lists(x, n):
    ps, qs = [], []
    for i in range(n):
        p = Particle(x[i], 1.0)
        ps.append(p)
        qs.append(p)
    for p in ps:
        p.x += 1.0
    return state(qs)


@shared(X, N)
def chosen_into_another_list(x, n):
    ps = particles(x, n)
    fast = [p for p in ps if p.x > 1.5]
    for p in fast:
        p.x = 0.0
    return state(ps)


@shared(X, N)
def chosen_in_each_iteration(x, n):
    ps, total = particles(x, n), 0.0
    for i in range(n):
        others = [p for p in ps if p.x > 1.5]
        ps[i].x += 1.0
        for q in others:
            total = total * 0.5 + q.x
    return total


@shared(X, N)
def in_a_sorted_list(x, n):
    ps = particles(x, n)
    ranked = sorted(ps, key=lambda p: p.x)
    ranked[0].x = 50.0
    return state(ps)


@shared(X, N)
def in_a_copy_of_the_list(x, n):
    ps = particles(x, n)
    qs = ps.copy()
    ps[0].x = 50.0
    return state(qs)


@shared(X, N)
def in_a_slice(x, n):
    ps = particles(x, n)
    qs = ps[1:]
    ps[1].x = 50.0
    return state(qs)


@shared(X, N)
def in_a_sum_of_lists(x, n):
    ps = particles(x, n)
    qs = ps + ps
    ps[0].x = 50.0
    return state(qs)


@shared(X, N)
def the_best_is_changed(x, n):
    ps = particles(x, n)
    best = ps[0]
    for p in ps:
        if p.x > best.x:
            best = p
    best.x = -1.0
    return state(ps)


@shared(X, N)
def the_best_is_seen(x, n):
    ps = particles(x, n)
    best = ps[0]
    for p in ps:
        if p.x > best.x:
            best = p
        p.x = -p.x
    return best.x


@shared(X, N)
def swapped(x, n):
    ps = particles(x, n)
    for i in range(n - 1):
        ps[i], ps[i + 1] = ps[i + 1], ps[i]
        ps[i].x += 1.0
    return state(ps)


@shared(X, N)
def replaced_beside_a_name(x, n):
    ps = particles(x, n)
    p = ps[0]
    ps[0] = Particle(0.0, 0.0)
    ps[0].x = 5.0
    return p.x, state(ps)


@shared(X, N)
def removed_and_changed(x, n):
    ps = particles(x, n)
    p = ps.pop()
    ps[0].x = 5.0
    p.x = 9.0
    return p.x, state(ps)


@shared(X, N)
def moved_below_a_name(x, n):
    ps = particles(x, n)
    p = ps[1]
    ps.insert(0, Particle(0.0, 0.0))
    ps[1].x = 5.0
    return p.x, state(ps)


@shared(X, N)
def held_by_another_object(x, n):
    ps = particles(x, n)
    pair = Account(ps[0], 1.0)
    ps[0].x = 77.0
    return pair.owner.x


@shared(X, N)
def held_by_a_tuple(x, n):
    ps, rows = [], []
    for i in range(n):
        p = Particle(x[i], 1.0)
        ps.append(p)
        rows.append((i, p))
    ps[0].x = 77.0
    return rows[0][1].x


@shared(X, N)
def a_method_keeps_itself(x, n):
    ps = particles(x, n)
    acts = ps[0].move
    ps[0].v = 2.0
    acts(0.5)
    return state(ps)


@shared(X, N)
def compared(x, n):
    ps = particles(x, n)
    same = 0
    for i in range(n):
        p, q = ps[i], ps[0]
        q.x = p.x
        q.v = p.v
        same += p is q
    return same


@shared(X, N)
def a_new_attribute(x, n):
    ps = particles(x, n)
    for p in ps:
        p.mark = p.x
    return [p.mark for p in ps]


@shared(X, N)
def read_as_a_whole(x, n):
    ps = particles(x, n)
    p = ps[0]
    ps[0].x = 12.0
    return p, vars(ps[0])["x"]


@shared(X, N)
def printed(x, n):
    ps = particles(x, n)
    p = ps[0]
    ps[0].x = 12.0
    print(p, ps[0].x)
    return f"{p}"


@shared(X, N)
def objects_in_objects(x, n):
    ps = []
    for i in range(n):
        ps.append(Account(Particle(x[i], 0.0), 1.0))
    for a in ps:
        a.balance += a.owner.x
        a.owner.x += 1.0
    return [(a.balance, a.owner.x) for a in ps]


@shared(X, N)
def an_inner_object_is_replaced(x, n):
    ps = []
    for i in range(n):
        ps.append(Account(Particle(x[i], 0.0), 1.0))
    inner = ps[0].owner
    for a in ps:
        a.owner = Particle(a.owner.x + 1.0, 1.0)
    return inner.x, [a.owner.x for a in ps]


@shared(X, N)
def given_from_outside_of_the_loop(x, n):
    inner, ps = Particle(x[0], 0.0), []
    for i in range(n):
        ps.append(Account(0, 1.0))
    for a in ps:
        a.owner = inner
    inner.x = 4.0
    return [a.owner for a in ps]


@shared(X, N)
def arrays_in_place(x, n):
    ps = []
    for i in range(n):
        ps.append(Particle(x * i, x[i]))
    for p in ps:
        p.x += p.v
    return [p.x for p in ps]


@shared(X, N)
def a_list_that_a_function_hides(x, n):
    total = 0.0
    for p in particles(x, n):
        if p.x > 1.5:
            p.x += 1.0
        total += p.x
    return total


@shared(X, N)
def one_of_two_lists(x, n):
    ps, qs = particles(x, n), particles(x + 1, n)
    rs = ps if x[0] > 2 else qs
    rs[0].x = 99.0
    return state(ps), state(qs)


@shared(X, N)
def kept_by_a_closure(x, n):
    ps = particles(x, n)
    first = ps[0]

    def get():
        return first.x

    for p in ps:
        p.x += get()
    return state(ps)
