"""Graphs as ONNX models.

    model.py            inputs, outputs and constants of the model; the file
    writer.py           the nodes of the model, while they are being made
    local_functions.py  functions of the model: operations that are several nodes
    kinds.py            types and dtypes in ONNX
    rules.py            the table: for each op the function that writes its nodes
    elementwise.py ...  the functions, by the wings of `runtime/ops`

An op that is not in the table is refused with the user's line, and so is a case of one in which
ONNX differs from NumPy.  A condition that only a run decides (a Python int beyond 64 bits, an empty
`max`) ends the run with an error: `Writer.require`.
"""
