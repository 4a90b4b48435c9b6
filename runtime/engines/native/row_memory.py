"""The memory of a list of lists: an array of the objects that have the memories of the rows.

A copy has one more reference to each row; the end of an array gives up those that it has.
"""

import numpy as np

from runtime.engines.native import python_objects as objects
from runtime.engines.native import storage
from runtime.engines.native.emitter import Emitter

GROWN = """
define internal ptr @rows_grown(ptr %data, i64 %length, i64 %capacity) noinline {{
entry:
  %size = alloca i64
  store i64 %capacity, ptr %size
  call void @Py_IncRef(ptr {dtype})
  %new = call ptr {make}(ptr {array}, ptr {dtype}, i32 1, ptr %size, ptr null,
    ptr null, i32 0, ptr null)
  %none = icmp eq ptr %new, null
  br i1 %none, label %fails, label %fills
fails:
  call void @PyErr_Clear()
  ret ptr null
fills:
  %place = getelementptr i8, ptr %new, i64 {offset}
  %start = load ptr, ptr %place
  br label %looks
looks:
  %i = phi i64 [0, %fills], [%next, %copied]
  %more = icmp slt i64 %i, %length
  br i1 %more, label %copies, label %done
copies:
  %from = getelementptr ptr, ptr %data, i64 %i
  %to = getelementptr ptr, ptr %start, i64 %i
  %row = load ptr, ptr %from
  store ptr %row, ptr %to
  %empty = icmp eq ptr %row, null
  br i1 %empty, label %copied, label %counts
counts:
  call void @Py_IncRef(ptr %row)
  br label %copied
copied:
  %next = add i64 %i, 1
  br label %looks
done:
  ret ptr %new
}}
"""


def rows_grown(emitter: Emitter, data: str, length: str, capacity: str) -> str:
    """An object with room for rows, of which the first are those at an address; null if there is no
    such memory."""
    text = emitter.text
    dtype = storage.dtype_object(text, np.dtype(object))
    array, make = text.object("class_ndarray", np.ndarray), storage.maker(text)
    clear = objects.python_function("PyErr_Clear")
    text.declare("PyErr_Clear", "declare void @PyErr_Clear()", clear)
    emitter.ownership.counts()
    facts = {"dtype": dtype, "array": array, "make": make, "offset": objects.ARRAY_DATA}
    text.declare("rows_grown", GROWN.format(**facts))
    return text.register(f"call ptr @rows_grown(ptr {data}, i64 {length}, i64 {capacity})")
