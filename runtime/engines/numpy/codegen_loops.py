"""Code generation for loops.

    x = x_0                                  the starts; copied if iterations write into them
    p = x > 0
    while p:                                 or `while x > 0`, if p has no other use
        ...
        x, p = x_1, x_1 > 0                  the variables of the next iteration, all at once

    for i in range(0, n):                    where a variable counts (`loop_counters.py`)
        ...

Loops of adjoints are inside another loop (`speculative_adjoints.py`).
"""

from abc import abstractmethod
from typing import Any

from runtime.analyses.loop_conditions import Condition
from runtime.analyses.loop_counters import Counter
from runtime.engines.numpy.codegen_replacement import ReplacementWriter
from runtime.engines.numpy.source_map import InlinedExpression, Program
from runtime.engines.numpy.speculative_adjoints import PRODUCT, has_no_nan
from runtime.ir.bindings import bound_constants
from runtime.ir.graph import Graph, Location, Node, Operand, Value
from runtime.ir.types import ListType
from runtime.ops.control_flow import iterations_left
from runtime.ops.cotangents import scaled_value


class LoopWriter(ReplacementWriter):
    """Writes the loops of a program; a subclass writes the rest."""

    out: Program
    conditions: dict[Node, Condition]
    counters: dict[Node, Counter]
    speculative: set[Node]

    @abstractmethod
    def aside(self, text: str, node: Node | None = None, location: Location | None = None) -> None:
        """Writes a line that computes a node, or that only belongs to the user's line."""

    @abstractmethod
    def inside(self, node: Node, name: str) -> None:
        """Writes a region of a node."""

    @abstractmethod
    def try_to_call(self, value: Operand, target: str, region: Graph) -> None:
        """Lets a value be computed under a name, if what has the name is dead."""

    def loop(self, node: Node) -> None:
        if node not in self.speculative:
            self.write_loop(node)
            return
        products = [self.global_name("product", PRODUCT), self.global_name("scaled", scaled_value)]
        self.product = self.fresh("product")
        self.line(f"{self.product} = {products[0]}")
        self.line("while True:")
        self.indent += 1
        carried = ", ".join(self.write_loop(node))
        finds = self.global_name("has_no_nan", has_no_nan)
        self.line(f"if {self.product} is {products[1]} or {finds}({carried}):")
        self.line("    break")
        self.line(f"{self.product} = {products[1]}")
        self.indent -= 1
        self.product = None

    def write_loop(self, node: Node) -> list[str]:
        """Writes a loop; the variables that hold its results."""
        if node in self.counters:
            return self.write_counted_loop(node, self.counters[node])
        body = node.regions["body"]
        starts = node.inputs[1:]
        carried: list[str] = []
        for i, (given, start) in enumerate(zip(body.inputs, starts, strict=True)):
            carried.append(self.carried_name(node, i, given, start, carried))
            self.call(given, carried[-1])
            self.call(node.outputs[i], carried[-1])
        self.enter(node, dict(enumerate(carried)))
        condition = self.conditions.get(node)
        test = self.test_name(node) if condition is None else None
        limit = self.limit(node)
        replacement = self.begin(node)
        if condition is None:
            self.line(f"while {test}:")
        else:
            self.while_(condition)
        self.indent += 1
        start = len(self.out.lines)
        if replacement is not None:
            self.look(node, replacement, dict(enumerate(carried)))
        if limit is not None:
            self.line(f"{limit} = {self.global_name('iterations_left', iterations_left)}({limit})")
        if test is not None:
            self.try_to_call(body.outputs[0], test, body)
        for end, name in zip(body.outputs[1:], carried, strict=True):
            self.try_to_call(end, name, body)
        self.inside(node, "body")
        self.finish(replacement)
        self.next_iteration(carried, test, node)
        if len(self.out.lines) == start:
            self.line("pass")
        self.indent -= 1
        return carried

    def write_counted_loop(self, node: Node, counter: Counter) -> list[str]:
        """Writes a loop over a range; the variables that hold its results, without the counter."""
        body = node.regions["body"]
        ends = dict(enumerate(body.outputs[1:]))
        start, given = node.inputs[1:][counter.place], body.inputs[counter.place]
        del ends[counter.place]
        carried: dict[int, str] = {}
        for i in ends:
            given_i, start_i = body.inputs[i], node.inputs[1:][i]
            carried[i] = self.carried_name(node, i, given_i, start_i, list(carried.values()))
            self.call(given_i, carried[i])
            self.call(node.outputs[i], carried[i])
        self.enter(node, carried)
        first, stop = self.as_held(start, given), self.operand(counter.stop)
        self.call(given, self.fresh(given.hint))
        step = "" if counter.step == 1 else f", {counter.step}"
        begin = "" if first == "0" and not step else f"{first}, "
        replacement = self.begin(node)
        self.line(f"for {self.name(given)} in range({begin}{stop}{step}):")
        self.indent += 1
        written = len(self.out.lines)
        if replacement is not None:
            self.look(node, replacement, carried)
        for i, name in carried.items():
            self.try_to_call(ends[i], name, body)
        self.inside(node, "body")
        self.finish(replacement)
        moves = {n: self.as_held(ends[i], node.outputs[i]) for i, n in carried.items()}
        moves = {name: text for name, text in moves.items() if name != text}
        way_out = self.kept_way_out(counter, moves)
        self.assign(list(moves), list(moves.values()))
        if way_out is not None:
            self.line(f"if {'' if counter.ends_if else 'not '}{way_out}:")
            self.line("    break")
        if len(self.out.lines) == written:
            self.line("pass")
        self.indent -= 1
        return list(carried.values())

    def kept_way_out(self, counter: Counter, moves: dict[str, str]) -> str | None:
        """The variable that says whether a loop ends early, after some variables are assigned."""
        if counter.way_out is None:
            return None
        name = self.names.get(counter.way_out)
        if name is not None and name not in moves:
            return name
        name = self.fresh("way_out")
        self.line(f"{name} = {self.operand(counter.way_out)}")
        return name

    def while_(self, condition: Condition) -> None:
        """Writes the heading of a loop whose test is one expression."""
        *inner, outer = condition.nodes
        for node in inner:
            text, precedence = self.expression(node)
            self.deferred[node.output] = InlinedExpression(text, precedence, node)
        self.aside(f"while {self.expression(outer)[0]}:", outer)

    def next_iteration(self, carried: list[str], test: str | None, node: Node) -> None:
        """Assigns the variables of the next iteration, all at once."""
        going_on, *ends = node.regions["body"].outputs
        texts = [self.as_held(o, v) for o, v in zip(ends, node.outputs, strict=True)]
        if test is not None:
            carried, texts = [*carried, test], [*texts, self.operand(going_on)]
        self.assign(carried, texts)

    def carried_name(self, node: Node, place: int, given: Any, start: Any, taken: list[str]) -> str:
        """The name of a loop's variable; that of its start if the start is dead."""
        if isinstance(start, Value) and start in self.names and node not in self.speculative:
            name = self.names[start]
            free = name not in taken and not any(
                self.uses.is_live_after(held, node) or held in self.uses.inside(node)
                for held in self.holders[name]
            )
            same = (start in self.integers.values) == (given in self.integers.values)
            if free and same and node.inputs.count(start) == 1:
                return name
        return self.fresh(given.hint)

    def enter(self, node: Node, carried: dict[int, str]) -> None:
        """Gives a loop's variables their starts; `carried` has their names by their places."""
        given, starts = node.regions["body"].inputs, node.inputs[1:]
        lines = {one.place: one.location for one in bound_constants(node) if not one.region}
        moves = []
        for i, name in carried.items():
            text = self.as_held(starts[i], given[i])
            if self.memory.copies_start(node, i):
                copies = "list" if isinstance(given[i].type, ListType) else "np.array"
                text = f"{copies}({text})"
            if name != text:
                moves.append((f"{name} = {text}", lines.get(i)))
        for text, location in moves:
            self.aside(text, node, location)

    def test_name(self, node: Node) -> str:
        """The variable that holds a loop's test."""
        predicate = node.inputs[0]
        if (
            isinstance(predicate, Value)
            and predicate in self.names
            and node not in self.speculative
            and self.uses.count[predicate] == 1
            and not self.uses.is_live_after(predicate, node)
        ):
            return self.names[predicate]
        test = self.fresh(predicate.hint if isinstance(predicate, Value) else "going_on")
        self.line(f"{test} = {self.operand(predicate)}")
        return test

    def limit(self, node: Node) -> str | None:
        """The variable that counts the iterations that are left, if the user has set a maximum."""
        most = node.attributes.get("max_iterations")
        if most is None:
            return None
        name = self.fresh("iterations_left")
        self.line(f"{name} = {most}")
        return name
