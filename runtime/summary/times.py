"""The times of a profile as RunMetadata, from which TensorBoard colours a graph.

TensorBoard adds up the nodes inside of a box, so a node has the time of its own: a loop without the
operations of its body.  Times are those of all runs of the profile together.  They are whole
microseconds there, so they are rounded up: a node that has run never looks as if it had not.
"""

from typing import Any

from tensorboard.compat.proto.config_pb2 import RunMetadata

from runtime.observability.profiles import Profile, ProfiledRun
from runtime.summary.graph_proto import GraphProto

DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"


def run_metadata(proto: GraphProto, name: str, profile: Profile | None) -> RunMetadata:
    """The times of the nodes of a graph.  Raises `ValueError` if a profile has no run of it."""
    found = RunMetadata()
    if profile is None:
        return found
    runs = [run for run in profile.runs if any(s.node in proto.names for s in run.spans)]
    if not runs:
        raise ValueError(
            f"the profile has no run of this {name}\nMeasure the same function, with "
            "arguments of the same types: `with rt.profile() as profile: f(x)`."
        )
    times = found.step_stats.dev_stats.add(device=DEVICE)
    for node, (start, own) in _times(runs).items():
        times.node_stats.add(
            node_name=proto.names[node],
            all_start_micros=start // 1000,
            op_end_rel_micros=_microseconds(own),
            all_end_rel_micros=_microseconds(own),
        )
    return found


def _times(runs: list[ProfiledRun]) -> dict[Any, list[int]]:
    """The first start and the own time of each node that has run, in nanoseconds."""
    found: dict[Any, list[int]] = {}
    for run in runs:
        for number, total in run.totals.items():
            entry = found.setdefault(run.spans[number].node, [run.start, 0])
            entry[1] += total.own
    return found


def _microseconds(nanoseconds: int) -> int:
    return -(-nanoseconds // 1000)
