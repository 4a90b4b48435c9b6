"""Jumps out of `try`: `finally` runs, a handler is not run by a jump."""


def f(xs):
    seen = []
    for x in xs:
        try:
            if x == 0:
                continue
            if x < 0:
                return seen
            seen.append(10 // x)
        except ZeroDivisionError:
            seen.append("zero")
        finally:
            seen.append("end")
    return seen


INPUTS = [([1, 0, 2],), ([1, -1, 2],)]


# == generated ==

def f(xs):
    x: object
    result = ag__.unset
    returned = False
    seen = ag__.new_list([])

    def get_state():
        return (result, returned)

    def set_state(vars_):
        nonlocal result, returned
        result, returned = vars_

    def if_test():
        return x == 0

    def if_body():
        pass

    def elif_test():
        return x < 0

    def elif_body():
        nonlocal result, returned
        result = seen
        returned = True

    def else_body():
        ag__.converted_call(seen.append)(10 // x)

    def loop_test():
        return ag__.not_(returned)

    def loop_body(itr):
        nonlocal x
        x = itr
        del itr
        try:
            ag__.cond_stmt(((if_test, if_body), (elif_test, elif_body)), else_body, get_state, set_state, ('result', 'returned'))
        except ZeroDivisionError:
            ag__.converted_call(seen.append)('zero')
        finally:
            ag__.converted_call(seen.append)('end')
    ag__.for_stmt(xs, loop_body, get_state, set_state, ('result', 'returned'), loop_test=loop_test)

    def get_state_1():
        return (result,)

    def set_state_1(vars_):
        nonlocal result
        result, = vars_

    def if_body_1():
        nonlocal result
        result = seen
    ag__.if_stmt(ag__.not_(returned), if_body_1, None, get_state_1, set_state_1, ('result',))
    return result
