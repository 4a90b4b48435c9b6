"""An assignment expression inside an operand: the operand becomes a function with `nonlocal`."""


def f(xs):
    found = None
    if xs and (first := xs[0]) > 0 and (second := first * 2) < 10:
        found = second
    return found


INPUTS = [([3],), ([30],), ([],)]


# == generated ==

def f(xs):
    first: object
    second: object
    found = None

    def get_state():
        return (found,)

    def set_state(vars_):
        nonlocal found
        found, = vars_

    def if_body():
        nonlocal found
        found = ag__.local(lambda: second, 'second')

    def operand():
        nonlocal first
        return (first := xs[0]) > 0

    def operand_1():
        nonlocal second
        return (second := (ag__.local(lambda: first, 'first') * 2)) < 10
    ag__.if_stmt(ag__.and_test(xs, operand, operand_1), if_body, None, get_state, set_state, ('found',))
    return found
