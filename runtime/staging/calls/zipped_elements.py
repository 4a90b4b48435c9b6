"""`zip` of a generator and of iterables whose elements have positions, as a generator function.

Its globals are part of what a recording compares, so the module has no others.
"""

from runtime.staging.calls.zipped_parts import all_at, all_have, held_generator


def zip_elements(number):
    """Tuples of an element of a generator and of those at its position."""
    position = 0
    if all_have(number, True, position):
        for item in held_generator(number):
            if not all_have(number, False, position):
                break
            yield (*all_at(number, True, position), item, *all_at(number, False, position))
            position += 1  # noqa: SIM113
            if not all_have(number, True, position):
                break
