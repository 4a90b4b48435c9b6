"""How staged values answer NumPy: functions, operators, methods and subscripts."""
