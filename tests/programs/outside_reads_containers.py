"""Reads of the outside world: containers and arrays; see `outside_reads.py`."""

import array
import collections
import functools
import types

import numpy as np
from outside_world import Box, case


def of(container, change, read=lambda c: c[0]):
    """A case that reads a container by a function, which belongs to the world as well."""

    def call(x):
        return x * read(container)

    return call, lambda: change(container)


@case
def an_item_of_a_list():
    return of([2.0, 1.0], lambda c: c.__setitem__(0, 3.0))


@case
def the_order_of_a_list():
    return of([3.0, 1.0, 2.0], lambda c: c.sort())


@case
def the_length_of_a_list():
    return of([2.0, 1.0], lambda c: c.append(3.0), lambda c: len(c))


@case
def a_list_in_a_list_of_objects():
    return of([Box(k=[2.0])], lambda c: c[0].k.append(3.0), lambda c: c[0].k[-1])


@case
def a_list_subclass():
    class Listed(list):
        def first(self):
            return self[0]

    return of(Listed([2.0]), lambda c: c.__setitem__(0, 3.0), lambda c: c.first())


@case
def an_item_of_a_dict():
    return of({"k": 2.0}, lambda c: c.update(k=3.0), lambda c: c["k"])


@case
def a_new_key_of_a_dict():
    return of({"k": 2.0}, lambda c: c.update(j=3.0), lambda c: c.get("j", 1.0))


@case
def the_order_of_a_dict():
    def change(c):
        c["a"] = c.pop("a")

    return of({"a": 2.0, "b": 3.0}, change, lambda c: next(iter(c.values())))


@case
def a_dict_by_objects():
    key = Box()

    def read(c):
        return c[key]

    return of({key: 2.0}, lambda c: c.__setitem__(key, 3.0), read)


@case
def a_default_dict():
    made = collections.defaultdict(float, k=2.0)
    return of(made, lambda c: c.update(k=3.0), lambda c: c["k"])


@case
def an_ordered_dict():
    made = collections.OrderedDict(a=2.0, b=3.0)
    return of(made, lambda c: c.move_to_end("a"), lambda c: list(c.values())[0])


@case
def a_counter():
    return of(collections.Counter("aab"), lambda c: c.update("aa"), lambda c: c["a"])


@case
def a_dict_subclass():
    class Settings(dict):
        def __getattr__(self, name):
            return self[name]

    return of(Settings(k=2.0), lambda c: c.update(k=3.0), lambda c: c.k)


@case
def a_chain_of_dicts():
    inner = {"k": 2.0}
    made = collections.ChainMap({}, inner)
    return of(made, lambda c: inner.update(k=3.0), lambda c: c["k"])


@case
def a_read_only_view_of_a_dict():
    held = {"k": 2.0}
    return of(types.MappingProxyType(held), lambda c: held.update(k=3.0), lambda c: c["k"])


@case
def a_view_of_the_values():
    held = {"k": 2.0}
    return of(held.values(), lambda c: held.update(k=3.0), lambda c: list(c)[0])


@case
def a_view_of_the_keys():
    held = {"k": 2.0}
    return of(held.keys(), lambda c: held.update(j=3.0), lambda c: len(c))


@case
def a_bound_method_of_a_dict():
    held = {"k": 2.0}
    return of(held.get, lambda c: held.update(k=3.0), lambda c: c("k"))


@case
def a_user_dict():
    return of(collections.UserDict(k=2.0), lambda c: c.update(k=3.0), lambda c: c["k"])


@case
def a_user_list():
    return of(collections.UserList([2.0]), lambda c: c.append(3.0), lambda c: c[-1])


@case
def a_set():
    return of({1, 2}, lambda c: c.add(3), lambda c: len(c))


@case
def a_set_of_objects():
    one = Box(k=2.0)

    def change(c):
        one.k = 3.0

    return of({one}, change, lambda c: next(iter(c)).k)


@case
def a_frozen_set_of_objects():
    one = Box(k=2.0)

    def change(c):
        one.k = 3.0

    return of(frozenset([one]), change, lambda c: next(iter(c)).k)


@case
def a_deque():
    return of(collections.deque([2.0]), lambda c: c.appendleft(3.0))


@case
def a_deque_of_objects():
    one = Box(k=2.0)
    return of(collections.deque([one]), lambda c: vars(one).update(k=3.0), lambda c: c[0].k)


@case
def a_named_tuple_with_a_list():
    kind = collections.namedtuple("Pair", "a b")
    return of(kind(1.0, [2.0]), lambda c: c.b.append(3.0), lambda c: c.b[-1])


@case
def a_bytearray():
    return of(bytearray(b"\x02\x01"), lambda c: c.__setitem__(0, 3))


@case
def a_memory_view():
    return of(memoryview(bytearray(b"\x02\x01")), lambda c: c.__setitem__(0, 3))


@case
def an_array_of_the_standard_library():
    return of(array.array("d", [2.0, 1.0]), lambda c: c.__setitem__(0, 3.0))


@case
def an_array_of_numbers():
    return of(np.array([2.0, 1.0]), lambda c: c.__setitem__(0, 3.0))


@case
def an_array_without_dimensions():
    return of(np.array(2.0), lambda c: c.__setitem__((), 3.0), lambda c: c + 0.0)


@case
def an_array_that_is_resized():
    def change(c):
        c.resize(5, refcheck=False)

    return of(np.array([2.0, 1.0]), change, lambda c: len(c))


@case
def an_array_of_texts():
    return of(np.array(["a", "b"]), lambda c: c.__setitem__(0, "b"), lambda c: np.sum(c == "b"))


@case
def an_array_of_objects():
    made = np.array([2.0, None], object)
    return of(made, lambda c: c.__setitem__(0, 3.0))


@case
def an_object_in_an_array_of_objects():
    made = np.array([Box(k=2.0), None], object)
    return of(made, lambda c: vars(c[0]).update(k=3.0), lambda c: c[0].k)


@case
def an_array_of_dates():
    made = np.array(["2020-01-01"], "datetime64[D]")

    def change(c):
        c[0] = "2020-01-05"

    return of(made, change, lambda c: int(c.astype("i8")[0] % 10))


@case
def an_array_of_records():
    made = np.array([(2.0, 1)], [("a", "f8"), ("b", "i8")])
    return of(made, lambda c: c["a"].__setitem__(0, 3.0), lambda c: float(c["a"][0]))


@case
def a_masked_array():
    made = np.ma.array([2.0, 1.0], mask=[False, False])

    def change(c):
        c[1] = np.ma.masked

    return of(made, change, lambda c: float(c.sum()))


@case
def a_matrix():
    made = np.asmatrix(np.array([[2.0]]))
    return of(made, lambda c: c.__setitem__((0, 0), 3.0), lambda c: float(c[0, 0]))


@case
def a_bound_method_of_an_array():
    made = np.array([2.0, 1.0])
    return of(made.sum, lambda c: made.__setitem__(0, 3.0), lambda c: c())


@case
def an_array_in_a_partial():
    made = np.array([2.0, 1.0])

    def total(w):
        return np.sum(w)

    partial = functools.partial(total, made)
    return of(partial, lambda c: made.__setitem__(0, 3.0), lambda c: c())


@case
def a_polynomial():
    made = np.poly1d([1.0, 2.0])
    return of(made, lambda c: c.coeffs.__setitem__(0, 3.0), lambda c: c(2.0))


@case
def a_vectorized_function():
    held = [2.0]
    made = np.vectorize(lambda y: y * held[0])
    return of(made, lambda c: held.__setitem__(0, 3.0), lambda c: float(c(1.0)))


@case
def a_cycle_of_containers():
    held = [2.0]
    held.append(held)
    return of(held, lambda c: c.__setitem__(0, 3.0), lambda c: c[1][1][0])


@case
def an_iterator_of_a_list():
    return of(iter([2.0, 3.0, 4.0]), lambda c: None, lambda c: next(c))


@case
def an_iterator_with_a_default():
    return of(iter([2.0]), lambda c: None, lambda c: next(c, 7.0))


@case
def a_generator():
    def numbers():
        k = 2.0
        while True:
            yield k
            k += 1

    return of(numbers(), lambda c: None, lambda c: next(c))


@case
def a_generator_in_a_loop():
    def numbers():
        k = 2.0
        while True:
            yield k
            k += 1

    def read(c):
        total = 0.0
        for _ in range(2):
            total += next(c)
        return total

    return of(numbers(), lambda c: None, read)


@case
def what_is_left_of_an_iterator():
    return of(iter([2.0, 3.0]), lambda c: None, lambda c: sum(c))


@case
def a_map():
    return of(map(float, [2, 3, 4]), lambda c: None, lambda c: next(c))


@case
def an_enumeration():
    return of(enumerate("abc", 2), lambda c: None, lambda c: next(c)[0])


@case
def a_loop_over_an_iterator():
    def read(c):
        total = 1.0
        for k in c:
            total += k
        return total

    return of(iter([2.0, 3.0]), lambda c: None, read)


@case
def a_cached_function():
    held = [2.0]

    @functools.lru_cache
    def cached():
        return held[0]

    def change(c):
        held[0] = 3.0
        c.cache_clear()

    return of(cached, change, lambda c: c())
