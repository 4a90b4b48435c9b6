"""One of several members of an enumeration or texts, as branches leave them."""

from chosen_objects import Circle, Level, Square, State, X, twice
from support.every_mode import SIZES, STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
both = twice(PROGRAMS)


@both
def enum_is(x):
    state = State.A if x > 0 else State.B
    if state is State.A:
        return x * 2
    return x - 1


@both
def enum_eq(x):
    state = State.A
    if x < 0:
        state = State.B
    return (x + 1) if state == State.B else (x - 1)


@both
def enum_return(x):
    return State.A if x > 0 else State.B


@both
def enum_value(x):
    s = State.A if x > 0 else State.C
    return s.value * x, s.name


@both
def enum_in(x):
    s = State.A if x > 0 else State.C
    return s in (State.A, State.B)


@both
def enum_dict(x):
    s = State.A if x > 0 else State.C
    return {State.A: 1.0, State.B: 2.0, State.C: 3.0}[s] * x


@both
def enum_match(x):
    s = State.A if x > 0 else State.C
    match s:
        case State.A:
            return x
        case State.B:
            return x + 1
        case State.C:
            return x + 2


@prog(X)
def enum_loop(x):
    s = State.A
    n = 0
    t = 0.0
    for v in x:
        if s is State.A:
            if v > 2:
                s = State.B
        elif s is State.B:
            t = t + v
            if v < 0:
                s = State.C
        else:
            n = n + 1
            s = State.A
    return t, n, s


@prog(X)
def enum_loop_eq(x):
    s = State.A
    t = 0.0
    for v in x:
        if s == State.A and v > 0:
            s = State.B
        elif s != State.A:
            t = t + v
            s = State.A
    return t, s.name


@both(refused=STAGED)
def intenum(x):
    l = Level.HIGH if x > 0 else Level.LOW
    return l * x, l == 1, l is Level.HIGH, l


@both
def text_eq(x):
    s = "up" if x > 0 else "down"
    if s == "up":
        return x
    return -x


@both
def text_key(x):
    s = "up" if x > 0 else "down"
    d = {"up": 1.0, "down": 2.0}
    return d[s] * x, s


@both
def text_in(x):
    s = "up" if x > 0 else "down"
    return s in ("up", "left"), s.startswith("u"), len(s), s + "!"


@both
def text_match(x):
    s = "up" if x > 0 else "down"
    match s:
        case "up":
            return x
        case "down":
            return x * 2
        case _:
            return 0.0


@both
def text_set(x):
    s = "up" if x > 0 else "down"
    d = {}
    d[s] = x
    return d


@both
def text_count(x):
    d = {"up": 0, "down": 0}
    d["up" if x > 0 else "down"] += 1
    return d


@prog(X)
def text_loop(x):
    s = "start"
    t = 0.0
    seen = []
    for v in x:
        if s == "start" and v > 2:
            s = "on"
        elif s == "on":
            t = t + v
            s = "off" if v < 0 else "on"
        seen.append(s)
    return t, s, seen


@prog(X)
def text_count_loop(x):
    d = {"pos": 0, "neg": 0}
    for v in x:
        k = "pos" if v > 0 else "neg"
        d[k] += 1
    return d


@both
def enum_str(x):
    s = State.A if x > 0 else State.B
    return f"{s}", str(s), repr(s), s.name + "!", "%s" % s


@both
def enum_print(x):
    s = State.A if x > 0 else State.B
    print("state", s, x)
    return x


@both
def enum_list(x):
    s = State.A if x > 0 else State.B
    log = [s]
    log.append(State.C)
    return log, {"s": s}, (s, x)


@both
def enum_match_tuple(x):
    s = State.A if x > 0 else State.B
    match (s, x):
        case (State.A, v) if v > 1:
            return v
        case (State.B, v):
            return v * 2
        case _:
            return 0.0


@both
def enum_match_or(x):
    s = State.A if x > 0 else State.C
    match s:
        case State.B | State.C:
            return 1.0
        case other:
            return 2.0 if other is State.A else 3.0


@both
def enum_key_count(x):
    s = State.A if x > 0 else State.B
    d = {State.A: 0, State.B: 0}
    d[s] += 1
    d[s] += x
    return d


@both(refused=STAGED)
def enum_key_new(x):
    s = State.A if x > 0 else State.B
    d = {}
    d[s] = x
    return d


@both
def enum_get(x):
    s = State.A if x > 0 else State.C
    d = {State.A: 1.0}
    return d.get(s, x), s in d, d.get(s)


@both
def enum_missing(x):
    s = State.A if x > 0 else State.C
    return {State.A: 1.0}[s]


@both(refused=STAGED)
def enum_set(x):
    s = State.A if x > 0 else State.C
    seen = {State.A}
    return s in seen, len({s, State.A})


@both
def enum_compare(x):
    s = State.A if x > 0 else State.C
    t = State.C if x > 0 else State.C
    return s == t, s != t, s is t, s.value < t.value


@both
def enum_iter_members(x):
    s = State.A if x > 0 else State.C
    return [m is s for m in State], list(State).index(s)


@prog(X)
def machine_dict(x):
    s = State.A
    t = 0.0
    nxt = {State.A: State.B, State.B: State.C, State.C: State.A}
    w = {State.A: 1.0, State.B: 2.0, State.C: 3.0}
    for v in x:
        t = t + w[s] * v
        if v > 0:
            s = nxt[s]
    return t, s


@prog(X, refused=SIZES)
def machine_list(x):
    s = State.A
    log = []
    for v in x:
        s = State.B if v > 0 else State.A
        log.append(s)
    return log


@both
def attr_state(x):
    class M:
        def __init__(self):
            self.s = State.A

        def go(self, v):
            if v > 0:
                self.s = State.B
            return self

    m = M().go(x)
    return m.s, m.s is State.B


@both
def enum_or_none(x):
    s = None
    if x > 0:
        s = State.A
    return s is None, s is State.A, s == State.A


@both
def enum_or_none2(x):
    s = State.A if x > 1 else (State.B if x > 0 else None)
    return s is None, s


@both
def held_state(x):
    box = {"s": State.A, "n": 0}
    if x > 0:
        box["s"] = State.B
        box["n"] += 1
    return box


@both(refused=STAGED)
def text_class(x):
    s = "up" if x > 0 else "down"
    match s:
        case "left":
            y = 1.0
        case str():
            y = 2.0
    return y


@both
def class_read(x):
    s = Circle(x) if x > 0 else Square(x)
    return s.__class__.__name__, s.__class__ is Circle
