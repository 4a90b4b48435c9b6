"""NumPy's protocols for staged values: functions, operators, methods and subscripts."""
