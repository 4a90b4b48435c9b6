"""The predicates by which a branch has chosen between older arrays, as results of the branch."""

from runtime.ir.op import find
from runtime.ir.types import BOOL
from runtime.staging.control_flow.inner_choices import inner_choices, is_outside
from runtime.staging.control_flow.mutations import (
    may_share,
)
from runtime.staging.lists.merged_identity import predicates
from runtime.staging.lists.merged_sources import inner_predicates
from runtime.staging.lists.trees import containers
from runtime.staging.truth import truth
from runtime.tracing import trace
from runtime.tracing.conversion import cast


def choices_at_end(rows, then, other):
    """The bools inside of the branches that choose between older arrays, as further results."""
    choices = []
    for side, branch in enumerate((then, other)):
        if branch.raised:
            continue
        held = [row[side] for location, row in rows.items() if may_share(location, row[side])]
        found = list(inner_choices(held))
        for container in (one for location in rows for one in containers(branch.tree(location))):
            found += inner_predicates(container, is_outside)
            found += (one for one in predicates(container) if not is_outside(one))
        for choice in {id(one): one for one in found}.values():
            choices.append(choice)
            for one in (then, other):
                with trace.current().reopened(one.region):
                    one.region.outputs.append(_choice_at_end(choice, one, one is branch))
    return choices


def _choice_at_end(choice, branch, is_own):
    if branch.raised:
        return trace.current().record(find("unreachable"), (), {"type": BOOL})[0]
    return cast(truth(choice), BOOL)._value if is_own else False
