"""Methods that read and change numbers of their object, and other values of it."""

import numpy as np

# Two graphs serve all their calls: one before the first change, and one that takes the number.
FEW = frozenset(
    """
    multiplied like_adam appended in_a_dict in_a_list decayed every_third as_a_size
    as_an_index printed started_again mirrored in_a_text returned asked_for_its_type scheduled
    listed in_a_loop copied two_at_once as_a_key raised a_none a_string
    made_at_first deleted
    """.split()
)


class Counting:
    """Numbers that methods count."""

    def __init__(self):
        self.t = 0
        self.h = []
        self.d = {"n": 0}
        self.l = [0]
        self.m = np.zeros(2)
        self.s = 1.0

    def multiplied(self, x):
        self.t += 1
        return x * self.t

    def like_adam(self, g):
        self.t += 1
        self.m = 0.9 * self.m + 0.1 * g
        return self.m / (1 - 0.9**self.t)

    def appended(self, x):
        self.h.append(x.sum())
        return x * 2

    def appended_and_read(self, x):
        self.h.append(x.sum())
        return x * 2 + self.h[-1]

    def kept_to_four(self, x):
        self.h.append(x.sum())
        if len(self.h) > 3:
            self.h.pop(0)
        return sum(self.h)

    def in_a_dict(self, x):
        self.d["n"] += 1
        return x * self.d["n"]

    def in_a_list(self, x):
        self.l[0] += 1
        return x * self.l[0]

    def decayed(self, x):
        self.s *= 0.5
        return x * self.s

    def every_third(self, x):
        self.t += 1
        if self.t % 3 == 0:
            return x * 10
        return x

    def as_a_size(self, x):
        self.t += 1
        return np.zeros(self.t) + x.sum()

    def as_an_index(self, x):
        self.t += 1
        return x * [1, 2, 3, 4, 5, 6, 7][self.t]

    def chooses_a_function(self, x):
        fs = [np.sin, np.cos, np.tan, np.exp, np.log1p, np.sqrt, np.abs]
        self.t += 1
        return fs[self.t](x)

    def printed(self, x):
        self.t += 1
        print("step", self.t)
        return x

    def started_again(self, x):
        self.t += 1
        r = x * self.t
        if self.t >= 3:
            self.t = 0
        return r

    def mirrored(self, x):
        r = x * self.t
        self.t = 5 - self.t
        return r

    def in_a_text(self, x):
        self.t += 1
        return x, f"step {self.t}"

    def returned(self, x):
        self.t += 1
        return x + 1, self.t

    def asked_for_its_type(self, x):
        self.t += 1
        return x + 1, isinstance(self.t, int), type(self.t).__name__, self.t / 2

    def scheduled(self, x):
        self.t += 1
        lr = 0.1 if self.t < 3 else 0.01
        return x * lr

    def listed(self, x):
        self.t += 1
        self.h.append(self.t)
        return x * self.t

    def in_a_loop(self, x):
        for i in range(3):
            self.t += 1
            x = x * self.t
        return x

    def copied(self, x):
        self.t = self.t + 1
        k = self.t
        self.d["n"] = k
        return x * self.d["n"]

    def two_at_once(self, x):
        self.t, self.s = self.t + 1, self.s + self.t
        return x * self.s

    def as_a_key(self, x):
        self.t += 1
        return x * {1: 1.0, 2: 2.0, 3: 3.0, 4: 4.0, 5: 5.0, 6: 6.0}[self.t]

    def raised(self, x):
        self.t += 1
        if self.t > 3:
            raise ValueError(f"too many {self.t}")
        return x * self.t


class Nothing:
    """An object."""

    def __repr__(self):
        return "nothing"


class Toggling:
    """Values of other types that methods change."""

    def __init__(self):
        self.t = 0

    def a_flag(self, x):
        self.t = not self.t
        return x if self.t else -x

    def a_none(self, x):
        if self.t == 0:
            self.t = None
        elif self.t is None:
            self.t = 0
        return x if self.t is None else -x

    def a_string(self, x):
        self.t = "a" if self.t == 0 else 0
        return x if self.t == 0 else -x

    def a_list(self, x):
        if self.t == 0:
            self.t = []
        self.t.append(1)
        if len(self.t) > 3:
            self.t = []
        return x * len(self.t)

    def a_set(self, x):
        if self.t == 0:
            self.t = set()
        self.t.add(len(self.t))
        if len(self.t) > 3:
            self.t = set()
        return x * len(self.t)

    def an_object(self, x):
        if self.t == 0:
            self.t = Nothing()
        else:
            self.t = 0
        return x if self.t else -x

    def nested(self, x):
        if not hasattr(self, "q"):
            self.q = {"a": [0, 1]}
        self.q["a"][0] += 1
        self.q["a"].reverse()
        return x * self.q["a"][0]

    def made_at_first(self, x):
        if not hasattr(self, "w"):
            self.w = np.ones(2)
            self.built = 1
        self.w = self.w + x
        return self.w * self.built

    def deleted(self, x):
        if hasattr(self, "z"):
            del self.z
        else:
            self.z = 1
        return x * hasattr(self, "z")

    def swapped(self, x):
        self.t, self.u = getattr(self, "u", 7), self.t
        return x * self.t + self.u
