"""The comparison that many tests use distinguishes values that differ in type only."""

import numpy as np
from outcomes import same_but_wider, same_exactly


def test_the_comparison_tells_types_apart():
    assert same_exactly(np.array([1.0, np.nan]), np.array([1.0, np.nan]))
    assert same_exactly({"k": (1, [2.5, None])}, {"k": (1, [2.5, None])})
    for a, b in [(1, True), (1, 1.0), (True, np.True_), (1, np.int64(1)), (0.0, -0.0), ([1], (1,))]:
        assert not same_exactly(a, b)
    assert not same_exactly(np.zeros(2, "f4"), np.zeros(2, "f8"))
    assert not same_exactly(np.zeros(1), np.zeros(()))


def test_the_comparison_of_staged_results_allows_wider_types_only():
    assert same_but_wider(np.float64(1), 1)
    assert same_but_wider(np.int64(1), np.int32(1))
    assert not same_but_wider(1, np.int64(1))
    assert not same_but_wider(np.float32(1), np.float64(1))
    assert not same_but_wider(np.int64(1), 1.0)
    assert not same_but_wider(np.float64(1.5), 1)
    assert not same_but_wider(np.array(1), np.int64(1))
    assert not same_but_wider(np.array(1), 1)
