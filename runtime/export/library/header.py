"""The C header of a library."""

from runtime.engines.native.kinds import kind_of, kind_of_dtype
from runtime.export.library.signature import CSignature
from runtime.export.library.text import Status
from runtime.ir.types import TensorType, Type, is_array

TYPES = {"f64": "double", "f32": "float", "b1": "bool"}

MEANINGS = {
    Status.OK: "the results are complete",
    Status.ZERO_DIVISION: "Python raises ZeroDivisionError",
    Status.INDEX: "Python raises IndexError",
    Status.RANGE: "a number is outside of its machine type",
    Status.EXCEPTION: "Python raises another exception; the message names it",
    Status.WORKSPACE: "the workspace is too small",
    Status.SIZES: "a size is negative, too large, or another than that of an operand",
    Status.UNSUPPORTED: "NumPy computes this case in another order",
}

TEMPLATE = """\
/* {title}

   Returns a status.  Unless it is AUTOGRAPH_OK, results and arrays that the function writes into
   are left as they were, and *error, if error is not NULL, is a message that needs no freeing.
   Arrays are contiguous, in C order, aligned as their elements, and do not overlap.
{notes}*/
#ifndef {guard}
#define {guard}

#include <stdbool.h>
#include <stdint.h>

#ifndef AUTOGRAPH_STATUS
#define AUTOGRAPH_STATUS
enum {{
{statuses}
}};
#endif

#ifdef __cplusplus
extern "C" {{
#endif

{declarations}

#ifdef __cplusplus
}}
#endif

#endif
"""


def c_type(type: Type) -> str:
    """The type in C of a scalar, or of the elements of an array."""
    kind = kind_of_dtype(type.dtype) if isinstance(type, TensorType) else kind_of(type)
    if kind.is_integer:
        return f"{'u' if kind.family == 'u' else ''}int{kind.bits}_t"
    return TYPES[f"{kind.family}{kind.bits}"]


def parameters_of(signature: CSignature, needs_workspace: bool) -> list[str]:
    """The parameters of the C function, as they are declared."""
    found = []
    if signature.sizes:
        found.append(f"const {signature.name}_shapes *shapes")
    for one in signature.parameters:
        constant = "" if one.is_written else "const "
        type = one.value.type
        kind = c_type(type)
        found.append(f"{constant}{kind} *{one.name}" if is_array(type) else f"{kind} {one.name}")
    for result in signature.results:
        if not result.is_argument:
            found.append(f"{c_type(result.type)} *{result.name}")
            if result.bounds:
                found.append(f"int64_t *{result.shape}")
    if needs_workspace:
        found += ["void *workspace", "int64_t workspace_size"]
    return [*found, "const char **error"]


def header(signature: CSignature, needs_workspace: bool) -> str:
    """The text of the header."""
    name, declarations = signature.name, []
    if signature.sizes:
        fields = "\n".join(f"    int64_t {size};" for size in signature.sizes.values())
        declarations.append(f"typedef struct {{\n{fields}\n}} {name}_shapes;\n")
    if needs_workspace:
        sizes = f"const {name}_shapes *shapes" if signature.sizes else "void"
        declarations.append(
            "/* The bytes of workspace that are enough; aligned to 16, as malloc returns them. */\n"
            f"int64_t {name}_workspace({sizes});\n"
        )
    declarations.append(f"int32_t {name}({', '.join(parameters_of(signature, needs_workspace))});")
    statuses = ",\n".join(
        f"    AUTOGRAPH_{status.name} = {status.value} /* {MEANINGS[status]} */"
        for status in Status
    )
    return TEMPLATE.format(
        title=signature.title,
        notes=_notes(signature),
        guard=f"AUTOGRAPH_{name.upper()}_H",
        statuses=statuses,
        declarations="\n".join(declarations),
    )


def _notes(signature: CSignature) -> str:
    """The shapes of the arrays."""
    named = {one.name: one.value.type for one in signature.parameters}
    named |= {one.name: one.type for one in signature.results}
    lines = [f"   {name}: {type}\n" for name, type in named.items() if is_array(type)]
    for result in signature.results:
        if result.bounds:
            sizes = ", ".join(map(str, result.bounds))
            lines.append(f"   {result.name}: at most [{sizes}]; its sizes go to {result.shape}\n")
    return "\n" + "".join(lines) if lines else ""
