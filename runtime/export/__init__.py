"""Graphs as files of other formats, which other programs run.

rt.export_onnx(f, "f.onnx", x)      an ONNX model (`onnx/`)
rt.compile_library(f, "f", x)       a library for C (`library/`)
"""
