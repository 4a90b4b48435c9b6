"""A function that calls itself calls its converted self."""


def f(n):
    return 1 if n <= 1 else n * f(n - 1)


INPUTS = [(5,), (0,)]


# == generated ==

def f(n):
    return ag__.if_expr(n <= 1, lambda: 1, lambda: n * ag__.converted_call(f)(n - 1))
