"""The `else` of loops in functions without any jump runs after the loop."""

import numpy as np
import pytest
from support.loading import load

import autograph
import runtime as rt

LOOPS = {
    "for": "for i in range(3):\n    out.append(x * i)\n",
    "while": "n = 0\nwhile n < 3:\n    n += 1\n    out.append(x * n)\n",
    "staged while": "while x < 3:\n    x = x + 1\n",
    "nested": "for i in range(2):\n    for j in range(2):\n        out.append(x + j)\n"
    "    else:\n        out.append(x - i)\n",
}
BODIES = {
    "a call": "out.append(x + 10)",
    "an if": "if x > 1:\n        out.append(x + 20)",
    "a with": "with lock:\n        out.append(x + 30)",
    "a loop": "for k in range(2):\n        out.append(x * k)\n    else:\n        out.append(x + 40)",
}


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("loop", LOOPS)
def test_the_else_of_a_loop_without_jumps_runs(loop, body):
    lines = f"{LOOPS[loop]}else:\n    {BODIES[body]}\n".replace("\n", "\n    ")
    text = f"import threading\nlock = threading.Lock()\ndef f(x, out):\n    {lines}\n"
    traced = f"{text}\ndef traced(x):\n    out = []\n    f(x, out)\n    return out\n"
    module = load(traced, f"<else {loop} {body}>")
    for x in (0.5, 2.5):
        wanted, found = [], []
        module.f(x, wanted)
        autograph.to_graph(module.f)(x, found)
        assert found == wanted
        assert rt.function(module.traced)(np.float64(x)) == wanted
