"""The meaning of converted statements and calls if their operands are staged.

    if, elif, a if p else b, and, or      control_flow/cond.py          one `cond` node, a region
                                                                        for each branch
    match                                 control_flow/match.py         a branch for each answer
    while, for                            control_flow/loop.py          one `loop` node, a region
                                                                        for the body
    f(n - 1) in f                         control_flow/recursion.py     a function that calls itself
    z = [], z.append(x)                   lists/trace_list.py           a list that becomes part of
                                                                        the graph
    print(x), range(n), len(x)            calls/builtins.py             Python's functions
    [x for x in xs], sorted(xs)           calls/iterables.py            functions of iterables
    np.zeros(n), np.asarray(x)            calls/array_creation.py       calls that NumPy's protocols
                                                                        do not reach
    np.vectorize(f)(x)                    calls/numpy_mapped.py         functions mapped over arrays
    np.random.rand(3), time.time()        calls/impure.py               other results in each run
    f"x is {x}", str(x)                   calls/formatting.py           strings built by the run
    not, in, x[i], assert                 backend.py

*Staged* means: the value is not known while the graph is being built.  A branch or iteration may
change variables, which generated code passes as state, and anything else that its code can reach,
which `autograph.staging.heap_diff` finds.
"""
