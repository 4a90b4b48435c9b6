"""Objects that code finds by a staged key or condition, and changes: other names see the change."""

import functools
from dataclasses import dataclass

import numpy as np
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

N = np.int64(1)
PRODUCTS = np.array([0, 1, 2, 0])
ORDERS = np.array([[0, 5], [1, 3], [0, -2], [2, 7], [1, -4]])


class Item:
    def __init__(self, price):
        self.price = price
        self.quantity = 0


class Box:
    def __init__(self, v):
        self.item = Item(v)
        self.rows = [v]


def boom(n):
    raise KeyError(n)


@prog(PRODUCTS)
def chosen_of_two(o):
    a, b = Item(1.0), Item(2.0)
    for n in o:
        item = a if n == 0 else b
        item.quantity += n + 1
    return a.quantity, b.quantity


@prog(PRODUCTS)
def chosen_of_three(o):
    a, b, c = Item(1.0), Item(2.0), Item(3.0)
    for n in o:
        item = a if n == 0 else b if n == 1 else c
        item.quantity += n + 1
    return a.quantity, b.quantity, c.quantity


@prog(PRODUCTS)
def chosen_or_error(o):
    a, b, c = Item(1.0), Item(2.0), Item(3.0)
    for n in o:
        item = a if n == 0 else b if n == 1 else c if n == 2 else boom(n)
        item.quantity += n + 1
    return a.quantity, b.quantity, c.quantity


@prog(PRODUCTS)
def chosen_by_statements(o):
    a, b, c = Item(1.0), Item(2.0), Item(3.0)
    for n in o:
        if n == 0:
            item = a
        elif n == 1:
            item = b
        elif n == 2:
            item = c
        else:
            raise KeyError(n)
        item.quantity += n + 1
    return a.quantity, b.quantity, c.quantity


@prog(N)
def object_of_key(n):
    d = {0: Item(1.0), 1: Item(2.0)}
    x = d[n]
    x.quantity += 3
    return d[0].quantity, d[1].quantity


@prog(N)
def object_of_key_with_name(n):
    a, b = Item(1.0), Item(2.0)
    d = {0: a, 1: b}
    x = d[n]
    x.quantity += 3
    return a.quantity, b.quantity


@prog(N)
def last_key(n):
    d = {0: Item(1.0), 1: Item(2.0), 2: Item(3.0)}
    d[n + 1].quantity += 3
    return d[0].quantity, d[1].quantity, d[2].quantity


@prog(N)
def attribute_of_chosen(n):
    a, b = Box(1.0), Box(2.0)
    s = a if n == 0 else b
    s.item.quantity += 3
    return a.item.quantity, b.item.quantity


@prog(N)
def attribute_of_key(n):
    d = {0: Box(1.0), 1: Box(2.0)}
    d[n].item.quantity += 3
    return d[0].item.quantity, d[1].item.quantity


@prog(N)
def list_of_key(n):
    d = {0: Box(1.0), 1: Box(2.0)}
    d[n].rows.append(3.0)
    return d[0].rows, d[1].rows


@prog(N)
def object_of_get(n):
    d = {0: Item(1.0), 1: Item(2.0)}
    d.get(n).quantity += 3
    return d[0].quantity, d[1].quantity


@prog(N)
def object_of_get_or_none(n):
    d = {0: Item(1.0), 1: Item(2.0)}
    x = d.get(n, None)
    if x is not None:
        x.quantity += 3
    return d[0].quantity, d[1].quantity


@prog(N, refused=STAGED)
def object_of_tuple(n):
    d = (Item(1.0), Item(2.0))
    d[n].quantity += 3
    return d[0].quantity, d[1].quantity


@prog(N)
def object_of_list(n):
    d = [Item(1.0), Item(2.0)]
    d[n].quantity += 3
    return d[0].quantity, d[1].quantity


@prog(N)
def least_object(n):
    a, b = Item(1.0), Item(2.0)
    x = min([a, b], key=lambda p: (p.price - n) ** 2)
    x.quantity += 3
    return a.quantity, b.quantity


@prog(N, refused=STAGED)
def next_object(n):
    a, b = Item(1.0), Item(2.0)
    x = next(p for p in [a, b] if p.price == n + 1)
    x.quantity += 3
    return a.quantity, b.quantity


@prog(N)
def object_in_dict(n):
    d = {0: {"q": Item(1.0)}, 1: {"q": Item(2.0)}}
    d[n]["q"].quantity += 3
    return d[0]["q"].quantity, d[1]["q"].quantity


@prog(N, refused=STAGED)
def first_sorted(n):
    a, b = Item(1.0), Item(2.0)
    x = sorted([a, b], key=lambda p: -p.price * n)[0]
    x.quantity += 3
    return a.quantity, b.quantity


@prog(N)
def objects_exchanged(n):
    a, b = Item(1.0), Item(2.0)
    x, y = (a, b) if n == 0 else (b, a)
    x.quantity += 3
    return a.quantity, b.quantity


@prog(N, refused=STAGED)
def filtered_objects(n):
    a, b = Item(1.0), Item(2.0)
    for x in [p for p in (a, b) if p.price > n]:
        x.quantity += 3
    return a.quantity, b.quantity


@prog(N, refused=STAGED)
def next_dict(n):
    a, b = {"q": 1}, {"q": 2}
    x = next(p for p in [a, b] if p["q"] == n + 1)
    x["q"] = 9
    return a, b


@prog(N, refused=STAGED)
def next_array(n):
    a, b = np.array([1, 1]), np.array([2, 2])
    x = next(p for p in [a, b] if p[0] == n + 1)
    x[1] = 9
    return a, b


@prog(N, refused=STAGED)
def next_or_first(n):
    ps = [Item(1.0), Item(2.0)]
    x = next((p for p in ps if p.price == n + 1), ps[0])
    x.quantity = 9
    return [p.quantity for p in ps]


@prog(N, refused=STAGED)
def next_or_none(n):
    ps = [Item(1.0), Item(2.0)]
    x = next((p for p in ps if p.price == n + 1), None)
    if x is not None:
        x.quantity = 9
    return [p.quantity for p in ps]


@prog(N, refused=STAGED)
def next_of_values(n):
    ps = {"a": Item(1.0), "b": Item(2.0)}
    x = next(p for p in ps.values() if p.price == n + 1)
    x.quantity = 9
    return ps["a"].quantity, ps["b"].quantity


@prog(N)
def found_by_function(n):
    ps = [Item(1.0), Item(2.0)]

    def find(price):
        for p in ps:
            if p.price == price:
                return p
        return None

    x = find(n + 1)
    x.quantity = 9
    return [p.quantity for p in ps]


@prog(N)
def greatest_object(n):
    ps = [Item(1.0), Item(2.0)]
    x = max(ps, key=lambda p: p.price * (n - 2))
    x.quantity = 9
    return [p.quantity for p in ps]


@prog(N)
def reduced_object(n):
    ps = [Item(1.0), Item(2.0)]
    x = functools.reduce(lambda p, q: p if p.price > q.price - n else q, ps)
    x.quantity = 9
    return [p.quantity for p in ps]


@prog(N)
def dict_of_get(n):
    d = {0: {"q": 0}, 1: {"q": 2}}
    x = d.get(n)
    x["q"] += 1
    return d


@prog(ORDERS)
def objects_of_keys(orders):
    items = {0: Item(2.5), 1: Item(1.0), 2: Item(4.0)}
    for product, change in orders:
        item = items[product]
        item.quantity += change
    return [i.quantity for i in items.values()]


@prog(ORDERS)
def objects_of_keys_unless(orders):
    items = {0: Item(2.5), 1: Item(1.0), 2: Item(4.0)}
    for product, change in orders:
        item = items[product]
        if item.quantity + change < 0:
            continue
        item.quantity += change
    return [i.quantity for i in items.values()]


@prog(ORDERS)
def objects_of_keys_if(orders):
    items = {0: Item(2.5), 1: Item(1.0), 2: Item(4.0)}
    for product, change in orders:
        if change > 0:
            items[product].quantity += change
    return [i.quantity for i in items.values()], sum(i.price * i.quantity for i in items.values())


@dataclass
class Reading:
    value: float
    number: int


@prog(N)
def equal_readings(n):
    return Reading(1.0, n) == Reading(1.0, 1)


@prog(N)
def equal_readings_in_a_loop(n):
    found = 0
    for reading in [Reading(i * 0.5, i) for i in range(n + 2)]:
        if reading == Reading(0.5, 1):
            found += 1
    return found
