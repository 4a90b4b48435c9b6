"""`any` and `all` over sets from which elements were removed: numbers are compared in any order."""

import numpy as np
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

N = np.array([4, 1, 3, 7, 8, 12, 3])


@prog(N, 3)
def any_left(calls, floor):
    pending = set(int(c) for c in calls)
    pending.discard(7)
    return any(p > floor for p in pending), all(p > 0 and p != floor for p in pending)


@prog(N, 3)
def elevator(calls, floor):
    direction, moves, log = 1, 0, []
    pending = set(int(c) for c in calls)
    while pending:
        if floor in pending:
            pending.discard(floor)
            log.append(floor)
        if direction == 1 and not any(p > floor for p in pending):
            direction = -1
        elif direction == -1 and not any(p < floor for p in pending):
            direction = 1
        if pending:
            floor += direction
            moves += 1
    return log, moves


class Seen:
    def __init__(self):
        self.log = []

    def __eq__(self, other):
        self.log.append(other)
        return False

    __hash__ = None


@prog(N, 3, refused=STAGED)
def logged(calls, floor):
    pending = set(int(c) for c in calls)
    pending.discard(7)
    s = Seen()
    return any(s == p for p in pending), s.log


@prog(N, 3, refused=STAGED)
def divided(calls, floor):
    pending = set(int(c) for c in calls)
    pending.discard(7)
    return any(10 // (p - 4) > floor for p in pending)


@prog(np.array([1.0, np.nan, 3.0, 2.5]), 2)
def floats(calls, floor):
    pending = set(calls)
    pending.discard(1.0)
    return (
        any(p > floor for p in pending),
        all(p == p for p in pending),
        any(not p <= 3 for p in pending if p != 2.5),
    )
