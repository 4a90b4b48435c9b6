"""A name that only one branch binds: Python's own error, and an array error in a graph."""


def f(x):
    if x > 0:
        y = 1
    if x < 5:
        return y
    return 0


INPUTS = [(1,), (7,), (-1,)]


# == generated ==

def f(x):
    y: object
    result: object

    def get_state():
        return (y,)

    def set_state(vars_):
        nonlocal y
        y, = vars_

    def if_body():
        nonlocal y
        y = 1
    ag__.if_stmt(x > 0, if_body, None, get_state, set_state, ('y',))

    def get_state_1():
        return (result,)

    def set_state_1(vars_):
        nonlocal result
        result, = vars_

    def if_body_1():
        nonlocal result
        result = ag__.local(lambda: y, 'y')

    def else_body():
        nonlocal result
        result = 0
    ag__.if_stmt(x < 5, if_body_1, else_body, get_state_1, set_state_1, ('result',))
    return result
