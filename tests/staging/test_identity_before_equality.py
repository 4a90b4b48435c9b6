"""Python compares the parts of tuples and lists by identity before equality: one NaN equals itself.

Each program has the result of Python, or is refused.
"""

import numpy as np
import pytest
from loading import load

import runtime as rt

PROGRAMS = """
n = x * 0 / 0; h = [(n, 2.0), (n, 1.0)]; heapq.heapify(h); return h[0][1]
n = x * 0 / 0; h = []; heapq.heappush(h, (n, 2.0)); heapq.heappush(h, (n, 1.0)); return heapq.heappop(h)[1]
a = np.array([x, x * 0 / 0]); h = []; heapq.heappush(h, (a[1], 2.0)); heapq.heappush(h, (a[1], 1.0)); return heapq.heappop(h)[1]
n = x * 0 / 0; return [n, x].index(n) + 1.0
n = x * 0 / 0; return [n, x].count(n) + 1.0
n = x * 0 / 0; return x + (n in [n])
n = x * 0 / 0; return x + (n in (x, n))
n = x * 0 / 0; return x + ([n] == [n])
n = x * 0 / 0; return x + ((n, x) == (n, x))
n = x * 0 / 0; return x + ({'a': n} == {'a': n})
n = x * 0 / 0; return x + ([n] != [n])
n = x * 0 / 0; z = [x, n]; z.remove(n); return len(z) + x
n = x * 0 / 0; return min((n, 2.0), (n, 1.0))[1]
n = x * 0 / 0; return max((n, 2.0), (n, 1.0))[1]
n = x * 0 / 0; return sorted([(n, 2.0), (n, 1.0)])[0][1]
n = x * 0 / 0; z = [(n, 2.0), (n, 1.0)]; z.sort(); return z[0][1]
n = x * 0 / 0; return bisect.bisect_left([(n, 1.0), (n, 2.0)], (n, 1.5)) + x
n = x * 0 / 0; return x + ((n, 1.0) < (n, 2.0))
n = x * 0 / 0; return x + ([n, 1.0] < [n, 2.0])
n = x * 0 / 0; return x + ([n, 1.0] >= [n, 1.0])
n = x * 0 / 0; return x + ((n, 1.0) <= (n, 1.0))
n = x * 0 / 0; m = n + 0; return x + ((n, 1.0) < (m, 2.0))
n = x * 0 / 0; m = n + 0; return x + ([n] == [m])
n = x * 0 / 0; m = n + 0; return x + (m in [n])
n = x * 0 / 0; m = n; return x + (m in [n])
n = x * 0 / 0; m = float(n); return x + (m in [float(n)])
n = x * 0 / 0; z = [n, 1.0]; return x + (z[0] in z)
n = x * 0 / 0; z = [n, 1.0]; w = list(z); return x + (z == w)
n = x * 0 / 0; z = [n, 1.0]; w = z.copy(); return x + (z == w)
n = x * 0 / 0; z = [n, 1.0]; return x + (z == z)
n = x * 0 / 0; z = (n, 1.0); return x + (z == z)
n = x * 0 / 0; z = [[n]]; return x + (z == z) + ([n] in z)
n = x * 0 / 0; z = {'k': [n]}; return x + (z == z) + (z == dict(z))
n = x * 0 / 0; z = np.array([n, x]); return x + (z[0] in [z[0]])
n = x * 0 / 0; z = np.array([n, x]); a = z[0]; return x + (a in [a]) + ([a] == [a])
n = x * 0 / 0; c = complex(n, 1); return x + (c in [c])
n = math.nan; return x + ((n, x) == (n, x)) + (n in [n, x])
n = math.nan; return x + ((n, x) < (n, x + 1))
n = math.nan; h = [(n, x + 2), (n, x)]; heapq.heapify(h); return h[0][1]
n = math.nan; return min((n, x + 2), (n, x))[1]
n = math.nan; return sorted([(n, x + 2), (n, x)])[0][1]
n = x * 0 / 0; s = {n}; return x + (n in s)
n = x * 0 / 0; d = {n: 1.0}; return x + d.get(n, 5.0)
n = x * 0 / 0; a = (n, 1.0); b = (n, 2.0); return x + (a == b) + (a < b) + 2 * (a > b)
n = x * 0 / 0; a = (n if x > 0 else x, 1.0); b = (n if x > 0 else x, 1.0); return x + (a == b)
n = x * 0 / 0; m = n if x > 0 else x; return x + (m in [m])
n = x * 0 / 0; z = [n]; z.append(n); z.append(x); return x + z.count(n) + z.index(x)
n = x * 0 / 0; return x + heapq.nsmallest(1, [(n, 2.0), (n, 1.0)])[0][1]
n = x * 0 / 0; return x + heapq.nlargest(1, [(n, 1.0), (n, 2.0)])[0][1]
n = x * 0 / 0; z = [(n, 2.0), (n, 1.0)]; return x + min(z)[1] + z.index((n, 1.0))
"""
IN_LOOPS = """
z = []; LOOP z.append(n); return x + z.count(n) 
z = []; LOOP z.append(n); return x + (n in z)
z = []; LOOP z.append((n, x)); return x + ((n, x) in z)
h = []; LOOP heapq.heappush(h, (n, x - i)); return x + h[0][1]
z = []; LOOP z.append(n); return x + (z == z)
z = []; LOOP z.append(n); return x + (z == list(z))
z = []; LOOP z.append(n); return x + (z == z.copy())
z = []; LOOP z.append(n); return x + z.index(n)
z = []; LOOP z.append((n, x - i)); return x + min(z)[1]
z = []; LOOP z.append((n, x - i)); return x + max(z)[1]
z = []; LOOP z.append((n, x - i)); z.sort(); return x + z[0][1]
z = []; LOOP z.append((n, x - i)); return x + sorted(z)[0][1]
t = (n, 0.0); LOOP t = min(t, (n, x - i)); return x + t[1]
t = (n, 0.0); LOOP t = max(t, (n, x - i)); return x + t[1]
c = 0; LOOP c += n in [n]; return x + c
c = 0; LOOP c += (n, i) == (n, i); return x + c
c = 0; LOOP c += [n, i] <= [n, i]; return x + c
"""
INPUTS = (1.0, -2.0, 3.0)


def written(program, name):
    """A program as a function, with its statements on lines of their own."""
    lines = [f"def {name}(x):"]
    for statement in program.split("; "):
        if statement.startswith("LOOP "):
            lines += ["    i = 0", "    while i < x:", f"        {statement[5:]}", "        i += 1"]
        else:
            lines.append(f"    {statement}")
    return "\n".join(lines)


def cases():
    found = PROGRAMS.strip().splitlines()
    return [*found, *(f"n = x * 0 / 0; {one}" for one in IN_LOOPS.strip().splitlines())]


@pytest.fixture(scope="module")
def module():
    functions = [written(program, f"f{i}") for i, program in enumerate(cases())]
    head = "import bisect, heapq, math\nimport numpy as np\n\n"
    return load(head + "\n\n".join(functions), "identity_before_equality")


def outcome(function, x):
    try:
        return float(function(np.float64(x)))
    except rt.StagingError:
        return "refused"
    except Exception as error:
        return type(error)


def test_one_nan_is_equal_to_itself_in_containers(module):
    refused = 0
    with np.errstate(all="ignore"):
        for i, program in enumerate(cases()):
            plain = getattr(module, f"f{i}")
            staged = rt.function(plain)
            for x in INPUTS:
                found, wanted = outcome(staged, x), outcome(plain, x)
                if found == "refused":
                    refused += 1
                    break
                assert repr(found) == repr(wanted), (program, x)
    assert refused <= 12
