"""A read of an unbound name inside a block raises the same error as Python."""


def f(xs):
    total = 0
    for x in xs:
        if x > 2:
            last = x
        if x > 0:
            total += last
    return total


INPUTS = [([3, 1],), ([1, 3],), ([],)]


# == generated ==

def f(xs):
    x: object
    last: object
    total = 0

    def get_state():
        return (last,)

    def set_state(vars_):
        nonlocal last
        last, = vars_

    def if_body():
        nonlocal last
        last = x

    def get_state_1():
        return (total,)

    def set_state_1(vars_):
        nonlocal total
        total, = vars_

    def if_body_1():
        nonlocal total
        total += ag__.local(lambda: last, 'last')

    def get_state_2():
        return (last, total)

    def set_state_2(vars_):
        nonlocal last, total
        last, total = vars_

    def loop_body(itr):
        nonlocal x
        x = itr
        del itr
        ag__.if_stmt(x > 2, if_body, None, get_state, set_state, ('last',))
        ag__.if_stmt(x > 0, if_body_1, None, get_state_1, set_state_1, ('total',))
    ag__.for_stmt(xs, loop_body, get_state_2, set_state_2, ('last', 'total'))
    return total
