"""Random programs with lists of numbers, of None, of lists and of records, and dicts of lists.

program(random.Random(seed))      the source of `def program(x, n)`, which returns all of them
"""

import random

START = {
    "z": ("[x[0], x[1], x[2]]", "[v for v in x]"),
    "holes": ("[None] * 4", "[None] * n", "[None, x[0], None, None]"),
    "rows": ("[[x[0]], [x[1]], []]", "[[] for _ in range(3)]"),
    "records": ("[Row(x[0], 0.0), Row(x[1], 1.0)]", "[Row(v, 0.0) for v in x]"),
    "dicts": ("[{'a': x[0], 'b': 0.0}]", "[{'a': v, 'b': 1.0} for v in x]"),
    "log": ("{'t': [], 'y': []}", "{'t': [x[0]], 'y': []}"),
}
VALUES = ("x[i % 4]", "t", "t * 0.5", "x[n - 3] + i", "z[i % len(z)]")
TESTS = ("x[i % 4] > 2", "i % 2 == 0", "t > 4", "i > n - 3", "holes[i % 4] is None")
STEPS = (
    "z.append({v})",
    "z[i % len(z)] = {v}",
    "t = t + z[-1]",
    "holes[i % 4] = {v}",
    "holes[i % 4] = None",
    "holes[i % 4] = {v} if {t} else None",
    "t = t + (0.0 if holes[i % 4] is None else holes[i % 4])",
    "rows[i % 3].append({v})",
    "t = t + sum(rows[i % 3])",
    "rows[i % 3] = [{v}]",
    "records.append(Row({v}, t))",
    "records[i % len(records)] = Row({v}, 2.0)",
    "t = t + records[i % len(records)].a",
    "t = t + max(records, key=lambda r: r.a).b",
    "records.sort(key=lambda r: r.a)",
    "records = [r for r in records if r.a > 1] or [Row(1.0, t)]",
    "dicts.append({{'a': {v}, 'b': t}})",
    "dicts[i % len(dicts)] = {{'a': {v}, 'b': t}}",
    "dicts[i % len(dicts)]['b'] = {v}",
    "t = t + dicts[i % len(dicts)]['a']",
    "log['t'].append(i)",
    "log['y'].append({v})",
    "log['y'] = [{v}]",
)


def program(rng: random.Random) -> str:
    """The source of a program of a staged number of iterations."""
    names = [name for name in START if rng.random() < 0.7] or ["z"]
    steps = [step for step in STEPS if _names(step) <= {*names}]
    values = [value for value in VALUES if _names(value) <= {*names}]
    tests = [test for test in TESTS if _names(test) <= {*names}]
    lines = ["def program(x, n):", "    t = 0.0"]
    lines += [f"    {name} = {rng.choice(START[name])}" for name in names]
    for _ in range(rng.randint(1, 2)):
        lines.append("    for i in range(n):")
        for _ in range(rng.randint(1, 4)):
            indent = "        "
            if rng.random() < 0.4:
                lines.append(f"{indent}if {rng.choice(tests)}:")
                indent += "    "
            step = rng.choice(steps or ["t = t + i"])
            lines.append(indent + step.format(v=rng.choice(values), t=rng.choice(tests)))
    return "\n".join([*lines, f"    return t, {', '.join(names)}", ""])


def _names(text):
    return {name for name in START if name in text.replace("'t'", "").replace("dicts", "dicts ")}
