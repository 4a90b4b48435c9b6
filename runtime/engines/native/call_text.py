"""The texts in LLVM's language that surround the instructions of a piece (`call_wrapper.py`)."""

from runtime.engines.native.text import ALL_FLAGS

# Ticks of the processor's clock between two chances for other threads: more than five milliseconds.
# A thread that waits for Python's lock insists on it only after so long without a chance.
YIELDED = 20_000_000


LOOK = f"""
declare i64 @llvm.readcyclecounter()
@yielded = internal global i64 0
define internal i32 @look() noinline {{
  %now = call i64 @llvm.readcyclecounter()
  %before = load i64, ptr @yielded
  %passed = sub i64 %now, %before
  %due = icmp ugt i64 %passed, {YIELDED}
  br i1 %due, label %yields, label %signals
yields:
  %state = call ptr @PyEval_SaveThread()
  call void @PyEval_RestoreThread(ptr %state)
  %after = call i64 @llvm.readcyclecounter()
  store i64 %after, ptr @yielded
  br label %signals
signals:
  %failed = call i32 @PyErr_CheckSignals()
  ret i32 %failed
}}
"""

# While a piece draws from a random generator, other threads do not run.
LOOK_FOR_SIGNALS = """
define internal i32 @look() noinline {
  %failed = call i32 @PyErr_CheckSignals()
  ret i32 %failed
}
"""

COPIED = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"
COPY = "call void @llvm.memcpy.p0.p0.i64"


DROP = """
define internal void @drop(ptr %reference) noinline {
  %none = icmp eq ptr %reference, null
  br i1 %none, label %done, label %counts
counts:
  call void @Py_DecRef(ptr %reference)
  br label %done
done:
  ret void
}
"""


LOOKS = {
    "PyErr_CheckSignals": "declare i32 @PyErr_CheckSignals()",
    "PyEval_SaveThread": "declare ptr @PyEval_SaveThread()",
    "PyEval_RestoreThread": "declare void @PyEval_RestoreThread(ptr)",
}


CLEARED_FLAGS = f"""\
  %flags = alloca i32
  call void @llvm.x86.sse.stmxcsr(ptr %flags)
  %before = load i32, ptr %flags
  %cleared = and i32 %before, {~ALL_FLAGS}
  store i32 %cleared, ptr %flags
  call void @llvm.x86.sse.ldmxcsr(ptr %flags)"""


ABANDONED = """
  %abandoned = load ptr, ptr %results
  call void @drop(ptr %abandoned)"""


EXITS = """\
{drops[0]}
  %complete = load ptr, ptr %results
  ret ptr %complete
leave:
{drops[1]}
  call void {increment}(ptr {left})
  ret ptr {left}
raised:
{drops[2]}
  %unfinished = load ptr, ptr %results
  %none = icmp eq ptr %unfinished, null
  br i1 %none, label %fail, label %drop
drop:
  call void {decrement}(ptr %unfinished)
  br label %fail
fail:
  ret ptr null
}}
"""
