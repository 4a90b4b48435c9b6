"""A loop that yields stays a loop; the branches in it are converted."""


def f(n):
    def squares(n):
        for i in range(n):
            if i % 2 == 0:
                value = i * i
            else:
                value = -i
            yield value

    return list(squares(n))


INPUTS = [(5,)]


# == generated ==

def f(n):

    def squares(n):
        value: object

        def get_state():
            return (value,)

        def set_state(vars_):
            nonlocal value
            value, = vars_

        def if_body():
            nonlocal value
            value = i * i

        def else_body():
            nonlocal value
            value = -i
        for i in ag__.converted_call(range)(n):
            ag__.if_stmt(i % 2 == 0, if_body, else_body, get_state, set_state, ('value',))
            yield value
    return ag__.converted_call(list)(ag__.converted_call(squares)(n))
