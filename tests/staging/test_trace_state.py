"""State that modules keep for each trace (`Trace.state`)."""

from dataclasses import dataclass, field

from autograph.staging.refusals import Extent
from runtime.tracing.eager_trace import EagerTrace
from runtime.tracing.trace import Trace, current, recording


@dataclass
class Names:
    known: list = field(default_factory=list)


class Others(list):
    pass


def test_a_trace_creates_the_state_of_a_module_once():
    trace = Trace()
    trace.state(Names).known.append("x")
    assert trace.state(Names).known == ["x"]
    assert trace.state(Others) == []


def test_each_trace_has_its_own_state():
    one, other = Trace(), EagerTrace()
    one.state(Names).known.append("x")
    assert other.state(Names).known == []


def test_an_empty_state_is_kept():
    trace = Trace()
    empty = trace.state(Others)
    assert trace.state(Others) is empty


def test_a_trace_itself_holds_only_the_graph_its_place_in_it_and_locations():
    assert set(vars(Trace())) == {
        *("name", "graph", "regions", "transformed", "mapped", "scopes", "source", "takes_names"),
        *("caller", "definition", "find_line"),
        *("_node_count", "_states", "taken_under_condition"),
    }


def held_open(recorder):
    with recording(recorder, Extent.BLOCK):
        yield


def test_a_block_that_a_generator_holds_open_may_end_after_the_blocks_around_it():
    block = held_open(Trace("inner"))
    with recording(Trace("outer")):
        next(block)
    assert current() is None
    block.close()
    assert current() is None


def test_a_block_that_a_generator_holds_open_may_end_inside_of_a_later_one():
    outer, block = Trace("outer"), held_open(Trace("inner"))
    next(block)
    with recording(outer):
        block.close()
        assert current() is outer
    assert current() is None
