"""Random programs with effects: statements of `programs/effects.py` in random staged control flow.

text = module(random.Random(3))         a module with a function f(x, n)
"""

import random

from tests.programs.effects import PRELUDE, STATEMENTS

# Their effects differ from run to run, or end the process's own streams.
LEFT_OUT = {"subprocess", "check_call", "os_system", "setrecursionlimit", "tempfile", "exit_code"}
# Refused in most places: one in ten statements is one of them.
REFUSED = set(
    "try_finally try_except suppress tofile module_attribute module_list deque_append "
    "bytearray_item device_attribute device_augmented setattr device_staged_attribute list_append "
    "dict_set dict_set_staged ordered heap users_object device_property mock_attribute".split()
)
CONDITIONS = ("x > 0", "x > 1", "n > 1", "x * n < 3", "not x > 1", "x > 0 and n > 0", "k == 0")
DEEPEST = 3


def module(choose: random.Random) -> str:
    """The text of a program."""
    names = [name for name in STATEMENTS if name not in LEFT_OUT]
    body = [
        "k = 0",
        "total = x",
        *_block(choose, names, 0),
        "return total * 2.0",
    ]
    return PRELUDE + "\n\ndef f(x, n):\n" + "\n".join("    " + line for line in body) + "\n"


def _block(choose, names, depth):
    lines = []
    for _ in range(choose.randint(1, 2)):
        lines += _part(choose, names, depth)
    return lines


def _part(choose, names, depth):
    kind = choose.choice(("if", "for", "while", "effect", "effect")) if depth else "if"
    if depth == 0:
        kind = choose.choice(("if", "for", "if", "while"))
    if kind == "effect" or depth >= DEEPEST:
        rare = choose.random() < 0.1
        return STATEMENTS[choose.choice([n for n in names if (n in REFUSED) is rare])].splitlines()
    inside = ["    " + line for line in _block(choose, names, depth + 1)]
    if kind == "for":
        return ["for k in range(n):", "    total = total + 1.0", *inside]
    if kind == "while":
        name = f"i{depth}{choose.randint(0, 99)}"
        return [f"{name} = n", f"while {name} > 0:", f"    {name} = {name} - 1", *inside]
    staged = CONDITIONS if depth else CONDITIONS[:-1]
    lines = [f"if {choose.choice(staged)}:", *inside]
    if choose.random() < 0.4:
        lines += ["else:", *["    " + line for line in _block(choose, names, depth + 1)]]
    return lines
