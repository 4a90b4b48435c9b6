"""A function that calls itself under a condition that only a run can tell, and sorts in place."""

import numpy as np

import runtime as rt


def quicksort(a, low, high):
    if low < high:
        middle = low
        for k in range(low, high):
            if a[k] < a[high]:
                a[k], a[middle] = a[middle], a[k]
                middle += 1
        a[middle], a[high] = a[high], a[middle]
        quicksort(a, low, middle - 1)
        quicksort(a, middle + 1, high)


staged = rt.function(quicksort)

numbers = np.random.default_rng(0).integers(100, size=12)
print("before:", numbers)
staged(numbers, np.int64(0), np.int64(len(numbers) - 1))
print("after: ", numbers)
print()
print(staged.source())
