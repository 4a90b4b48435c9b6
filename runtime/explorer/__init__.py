"""The explorer: one HTML page that shows a function's way from Python to the program that runs."""
