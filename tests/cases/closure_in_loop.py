"""Functions created in a loop share the loop's variable, as in Python."""


def f(n):
    made = []
    for i in range(n):
        if i != 1:
            made.append(lambda: i * i)
    return [one() for one in made]


INPUTS = [(4,)]


# == generated ==

def f(n):
    i: object
    made = ag__.new_list([])

    def if_body():
        ag__.converted_call(made.append)(lambda: i * i)

    def get_state():
        return (i,)

    def set_state(vars_):
        nonlocal i
        i, = vars_

    def loop_body(itr):
        nonlocal i
        i = itr
        del itr
        ag__.if_stmt(i != 1, if_body)
    ag__.for_stmt(ag__.converted_call(range)(n), loop_body, get_state, set_state, ('i',))
    return ag__.comprehension(lambda itr: [ag__.converted_call(one)() for one in itr], made)
