"""The programs of the gradient truth table (`tools/truth_table.py`), and how they are tried."""
