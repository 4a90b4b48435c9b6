"""np.polyfit of arrays of unknown sizes: nothing is printed while its type is found."""

import numpy as np

import runtime as rt


def test_nothing_is_printed_while_a_fit_of_unknown_sizes_is_recorded(capfd):
    spec = rt.TensorSpec((None,))
    fitted = rt.function(lambda x, y: np.polyfit(x, y, 2), input_signature=[spec, spec])
    x = np.arange(6.0)
    np.testing.assert_array_equal(fitted(x, x**3), np.polyfit(x, x**3, 2))
    assert capfd.readouterr() == ("", "")
