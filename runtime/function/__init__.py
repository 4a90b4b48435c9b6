"""`rt.function`: signatures, guards, recorded graphs and their execution."""
