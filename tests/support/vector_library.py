"""The vector math as functions of arrays: compiled with llvmlite, called with ctypes.

    run = compiled(("exp",), "f64", lanes=8, fma=True)["exp"]
    results, flags = run(x)

`flags` are those that all elements have set together; with one lane, `each=True` gives those of
each element.
"""

import ctypes
import platform
from functools import cache

import numpy as np
import pytest

llvm = pytest.importorskip("llvmlite.binding", reason="needs llvmlite (the extra `native`)")

from runtime.engines.native.vector_math import ARITIES, library, symbol  # noqa: E402

INVALID, DIVIDE, OVERFLOW, UNDERFLOW = 0x01, 0x04, 0x08, 0x10
FLAGS = INVALID | DIVIDE | OVERFLOW | UNDERFLOW
DTYPES = {"f32": np.float32, "f64": np.float64}
TYPES = {"f32": "float", "f64": "double"}
CLEAR = 0x1F80  # MXCSR: all exceptions masked, no flags

LOOP = """
define void @map_{name}(ptr %a0, ptr %a1, ptr %out, ptr %flags, i64 %count, i64 %step) noinline {{
entry:
  %word = alloca i32
  br label %body
body:
  %i = phi i64 [0, %entry], [%next, %run]
  %f = phi i64 [0, %entry], [%nextf, %run]
  store i32 {clear}, ptr %word
  %fresh = icmp eq i64 %step, 1
  %first = icmp eq i64 %i, 0
  %clears = or i1 %fresh, %first
  br i1 %clears, label %clear, label %run
clear:
  call void @llvm.x86.sse.ldmxcsr(ptr %word)
  br label %run
run:
  %p0 = getelementptr {scalar}, ptr %a0, i64 %i
  %p1 = getelementptr {scalar}, ptr %a1, i64 %i
  %po = getelementptr {scalar}, ptr %out, i64 %i
  %x0 = load {type}, ptr %p0, align {size}
  %x1 = load {type}, ptr %p1, align {size}
  %y = call {type} @{symbol}({given})
  store {type} %y, ptr %po, align {size}
  call void @llvm.x86.sse.stmxcsr(ptr %word)
  %seen = load i32, ptr %word
  %pf = getelementptr i32, ptr %flags, i64 %f
  store i32 %seen, ptr %pf
  %next = add i64 %i, {lanes}
  %nextf = add i64 %f, %step
  %more = icmp slt i64 %next, %count
  br i1 %more, label %body, label %exit
exit:
  store i32 {clear}, ptr %word
  call void @llvm.x86.sse.ldmxcsr(ptr %word)
  ret void
}}
"""


def loop(name, kind, lanes):
    """A function that applies another one to arrays, and notes the flags."""
    scalar = TYPES[kind]
    type = scalar if lanes == 1 else f"<{lanes} x {scalar}>"
    given = ", ".join(f"{type} %x{k}" for k in range(ARITIES[name]))
    return LOOP.format(
        name=name,
        scalar=scalar,
        type=type,
        given=given,
        lanes=lanes,
        size=4 if kind == "f32" else 8,
        symbol=symbol(name, kind, lanes),
        clear=CLEAR,
    )


def features(fma):
    """The processor's features, without FMA on demand."""
    found = llvm.get_host_cpu_features()
    if not fma:
        for name in found:
            if "fma" in name or "avx512" in name or name in ("avx10.1-512", "avx2"):
                found[name] = False
    return found.flatten()


def machine(fma):
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    cpu = llvm.get_host_cpu_name() if fma else "x86-64"
    return target.create_target_machine(
        cpu=cpu, features=features(fma) if fma else "", opt=2, codemodel="jitdefault", jit=True
    )


def module(names, kind, lanes, fma, optimised):
    """The verified module with the functions, of which only those of the library are optimised."""
    text = library([(name, kind, lanes) for name in names], fma)
    text += "declare void @llvm.x86.sse.ldmxcsr(ptr)\ndeclare void @llvm.x86.sse.stmxcsr(ptr)\n"
    text += "".join(loop(name, kind, lanes) for name in names)
    found = llvm.parse_assembly(text)
    found.verify()
    target = machine(fma)
    found.triple = llvm.get_process_triple()
    found.data_layout = str(target.target_data)
    options = llvm.create_pipeline_tuning_options(2)
    passes = llvm.create_pass_builder(target, options)
    for function in found.functions:
        if optimised and not function.is_declaration and not function.name.startswith("map_"):
            passes.getFunctionPassManager().run(function, passes)
    return found, target


class Mapped:
    """A function of arrays, which keeps its machine code."""

    def __init__(self, library, address, arity, kind, lanes):
        self.library, self.arity, self.dtype, self.lanes = library, arity, DTYPES[kind], lanes
        self.call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4, *[ctypes.c_int64] * 2)(address)

    def __call__(self, *arrays, each=False):
        count = len(arrays[0])
        padding = -count % self.lanes
        given = [np.pad(np.asarray(x, self.dtype), (0, padding), "edge") for x in arrays]
        out = np.empty(count + padding, self.dtype)
        flags = np.zeros(count if each else 1, np.int32)
        pointers = [x.ctypes.data for x in (given[0], given[-1], out, flags)]
        self.call(*pointers, count, int(each))
        return out[:count], flags & FLAGS if each else int(flags[0]) & FLAGS


@cache
def compiled(names, kind, lanes, fma, optimised=True):
    """Functions of arrays, by name."""
    found, target = module(names, kind, lanes, fma, optimised)
    for name in names:
        found.get_function(f"map_{name}").linkage = "external"
    image = target.emit_object(found)
    builder = llvm.JITLibraryBuilder().add_object_img(image)
    for name in names:
        builder.export_symbol(f"map_{name}")
    linked = builder.link(
        llvm.create_lljit_compiler(machine(fma)), f"math-{kind}-{lanes}-{fma}-{optimised}-{names}"
    )
    return {
        name: Mapped(linked, linked[f"map_{name}"], ARITIES[name], kind, lanes) for name in names
    }


def is_supported():
    """Whether the loops, which read MXCSR, run here."""
    return platform.machine().lower() in ("x86_64", "amd64")
