"""Central differences in place of gradients."""

import numpy as np

STEP = 1e-5


def difference_quotients(function, arguments, place):
    """The gradient of a function of arrays with respect to one of them."""
    found = np.zeros(np.shape(arguments[place]))
    for at in np.ndindex(found.shape):

        def moved(step):
            changed = np.array(arguments[place], float)
            changed[at] += step
            return function(*arguments[:place], changed[()], *arguments[place + 1 :])

        found[at] = (moved(STEP) - moved(-STEP)) / (2 * STEP)
    return found
