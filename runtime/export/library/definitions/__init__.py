"""Definitions of operations in Python, from which their machine code is made.

    cumsum(x)      def cumulative_sum(x):            converted and traced for the types of the
                       found = np.empty_like(x)      operands, like the user's functions, and put
                       ...                           in the place of the operation

They use elements, loops and arithmetic, which have lowerings, and compute NumPy's values in its
order, or raise its errors.  A definition for other operands than those that it covers returns
`NotImplemented` while it is traced; then the operation has none.

| module | definitions |
|---|---|
| `table.py` | the table, by the names of ops |
| `sums.py` | sums along an array, products of polynomials |
| `ranges.py` | `arange`, `linspace`, `eye` |
| `selections.py` | positions, selected elements, sorting |
| `equations.py` | `linalg.solve`, `inv`, `det` |
| `numbers.py` | functions of `math` |
"""

# Each module fills the table.
from runtime.export.library.definitions import equations as equations
from runtime.export.library.definitions import numbers as numbers
from runtime.export.library.definitions import ranges as ranges
from runtime.export.library.definitions import selections as selections
from runtime.export.library.definitions import sums as sums
from runtime.export.library.definitions.selections import selected
from runtime.export.library.definitions.table import DEFINITIONS

__all__ = ["DEFINITIONS", "selected"]
