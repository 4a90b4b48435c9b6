"""Functions of a model: the nodes that one operation becomes, written once and called by name.

    y = x % 3          y = autograph.remainder_i64(x, three)       one node in the graph

    autograph.remainder_i64(x, y) => (result):                     once in the model
        zero = Constant(0); ...; result = Where(...)

The operands of the operation are the inputs; constants that its rule needs are in the body, because
functions of ONNX see no values around them.  Functions have no types: one of which the body has
constants or conversions for a dtype is only right for that dtype, so the dtypes are in the name.

Names are chosen, and no overloads of one name, which `onnx.reference` does not know.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from onnx import FunctionProto, NodeProto, helper, numpy_helper

from runtime.ir.graph import Node, operand_type
from runtime.ir.op import OPERANDS
from runtime.ir.types import ListType, TensorType

DOMAIN = "autograph"
VERSION = 1
OPSET = 18


@dataclass
class LocalFunctions:
    """The functions of a model, by their bodies and names."""

    by_body: dict[tuple[str, bytes], str] = field(default_factory=dict)
    protos: dict[str, FunctionProto] = field(default_factory=dict)
    lines: dict[str, str] = field(default_factory=dict)  # of the first call

    def name_of(self, wanted: str, made: FunctionProto) -> str:
        """The name of a function with such a body, which is added unless the model has it."""
        key = wanted, made.SerializeToString(deterministic=True)
        if key not in self.by_body:
            name, number = wanted, 1
            while name in self.protos:
                number += 1
                name = f"{wanted}_{number}"
            made.name = name
            for proto in made.node:
                proto.name = f"{name}.{proto.output[0]}"
            self.by_body[key], self.protos[name] = name, made
        return self.by_body[key]


@dataclass
class Group:
    """The nodes of ONNX that compute one operation, and the names in the model that they use."""

    node: Node
    protos: list[NodeProto]
    operands: dict[str, None]  # names of values and literals that the rule has read
    results: list[str]

    @property
    def is_function(self) -> bool:
        """Whether they are more than one, and none has a graph, whose names are of the model."""
        graphs = any(part.HasField("g") for one in self.protos for part in one.attribute)
        return len(self.protos) > 1 and not graphs and not self.node.regions

    def made(self) -> list[str]:
        """The names of the model that the nodes make, without those that are not used."""
        return [name for one in self.protos for name in one.output if name]

    def remove_unused(self) -> None:
        """Removes the nodes that only other results of the rule need: the quotient of `%`."""
        used, kept = set(self.results), []
        for proto in reversed(self.protos):
            if not used.isdisjoint(proto.output):
                used.update(proto.input)
                kept.append(proto)
        self.protos = kept[::-1]

    def given(self, constants: dict[str, np.ndarray]) -> tuple[list[str], list[str]]:
        """The names that the nodes use: inputs, those of the operands first, and constants."""
        made = set(self.made())
        used = {name: None for one in self.protos for name in one.input if name}
        free = [name for name in used if name not in made]
        own = [name for name in free if name in constants and name not in self.operands]
        first = [name for name in self.operands if name in free]
        return [*first, *(one for one in free if one not in own and one not in first)], own


def call_of(
    group: Group, functions: LocalFunctions, constants: dict[str, np.ndarray], outputs: list[str]
) -> NodeProto:
    """The node that calls the function of a group, which is added to the functions of the model."""
    group.remove_unused()
    inputs, own = group.given(constants)
    made = _function(group, inputs, {name: constants[name] for name in own})
    name = functions.name_of(_name(group.node), made)
    line = group.protos[0].doc_string
    functions.lines.setdefault(name, line)
    return helper.make_node(name, inputs, outputs, name=outputs[0], doc_string=line, domain=DOMAIN)


def _function(group: Group, inputs: list[str], constants: dict[str, np.ndarray]) -> FunctionProto:
    """The function of a group, still without a name."""
    names = dict(zip(inputs, _parameters(len(inputs)), strict=True))
    used = set(names.values())
    results = list(dict.fromkeys(name for name in group.results if name in group.made()))
    for number, name in enumerate(results):
        names[name] = _unused("result" if len(results) == 1 else f"result_{number + 1}", used)
    nodes = []
    for name, array in constants.items():
        names[name] = _unused("constant", used)
        value = numpy_helper.from_array(array)
        nodes.append(helper.make_node("Constant", [], [names[name]], value=value))
    for proto in group.protos:
        for name in proto.output:
            if name and name not in names:
                names[name] = _unused(proto.op_type.lower(), used)
        own = NodeProto()
        own.CopyFrom(proto)
        own.ClearField("input")
        own.ClearField("output")
        own.ClearField("doc_string")
        own.ClearField("name")
        own.input.extend(names[name] if name else "" for name in proto.input)
        own.output.extend(names[name] if name else "" for name in proto.output)
        nodes.append(own)
    return helper.make_function(
        DOMAIN,
        "",
        [names[name] for name in inputs],
        [names[name] for name in results],
        nodes,
        [helper.make_opsetid("", OPSET)],
        doc_string=group.node.op.doc,
    )


def _parameters(count: int) -> list[str]:
    return list(OPERANDS[:count]) if count <= len(OPERANDS) else [f"x{i + 1}" for i in range(count)]


def _unused(hint: str, used: set[str]) -> str:
    name, number = hint, 0
    while name in used:
        number += 1
        name = f"{hint}_{number}"
    used.add(name)
    return name


# -- names -----------------------------------------------------------------------------------------


def _name(node: Node) -> str:
    """The name of the op, with the dtypes of its operands and the axis: `sum_i32_axis_0`."""
    kinds = [operand_type(operand) for operand in node.inputs]
    kinds = [kind.element if isinstance(kind, ListType) else kind for kind in kinds]
    arrays = [kind for kind in kinds if isinstance(kind, TensorType)]
    dtypes = [str(kind).partition("[")[0] for kind in arrays or kinds]
    options = [_option(key, node.attributes.get(key)) for key in ("axis", "keepdims")]
    return "_".join([node.op.name.strip("_"), *dict.fromkeys(dtypes), *filter(None, options)])


def _option(key: str, value: Any) -> str:
    if value is None or value is False:
        return ""
    if value is True:
        return key
    numbers = value if isinstance(value, tuple) else (value,)
    if not all(isinstance(number, int) for number in numbers):
        return ""
    return "_".join([key, *(str(number).replace("-", "m") for number in numbers)])
