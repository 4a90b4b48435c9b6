"""A comprehension's variable that its lambdas capture is not a variable of the function."""


def f(xs):
    w = 3
    if xs is not None:
        doubled = [lambda: 2 * w for w in xs]
    return w, [one() for one in doubled]


INPUTS = [([1, 2],), ([],), (None,)]


# == generated ==

def f(xs):
    doubled: object
    w = 3

    def get_state():
        return (doubled,)

    def set_state(vars_):
        nonlocal doubled
        doubled, = vars_

    def if_body():
        nonlocal doubled
        doubled = ag__.comprehension(lambda itr: [lambda: 2 * w_1 for w_1 in itr], xs)
    ag__.if_stmt(ag__.is_not_none(xs), if_body, None, get_state, set_state, ('doubled',))
    return (w, ag__.comprehension(lambda itr: [ag__.converted_call(one)() for one in itr], ag__.bound(doubled, 'doubled')))
