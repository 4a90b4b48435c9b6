"""`to_graph` and `to_code`: the number of steps that the Collatz sequence takes to reach 1."""

import numpy as np

import autograph
import runtime as rt


def collatz(a):
    counter = 0
    while a != 1:
        if a % 2 == 0:
            a = a // 2
        else:
            a = 3 * a + 1
        counter = counter + 1
    return counter


converted = autograph.to_graph(collatz)
print("as Python:", collatz(27), "- converted:", converted(27))

# A Python int stays Python; a NumPy scalar is staged, and the loop becomes one graph.
staged = rt.function(collatz)
print("as a graph:", staged(np.int64(27)))

print("\n# The generated code\n")
print(autograph.to_code(collatz))

print("\n# The graph\n")
print(staged.get_concrete_function(np.int64(27)).graph)
