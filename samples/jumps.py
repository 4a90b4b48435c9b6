"""`break`, `continue` and `return` in staged loops."""

import numpy as np

import runtime as rt


@rt.function
def sum_of_even_before_negative(numbers):
    total = 0
    for number in numbers:
        if number < 0:
            break
        if number % 2 != 0:
            continue
        total += number
    return total


@rt.function
def first_index_of(wanted, numbers):
    for i in range(len(numbers)):
        if numbers[i] == wanted:
            return i
    return -1


@rt.function
def smallest_divisor(n):
    d = 2
    while True:
        if n % d == 0:
            return d
        if d * d > n:
            break
        d += 1
    return n


print(sum_of_even_before_negative(np.array([2, 3, 4, -1, 6])))
print(first_index_of(np.int64(4), np.array([2, 3, 4, -1, 6])))
print(first_index_of(np.int64(5), np.array([2, 3, 4, -1, 6])))
print(smallest_divisor(np.int64(91)), smallest_divisor(np.int64(97)))
