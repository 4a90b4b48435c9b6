"""Lists inside of staged lists: who else could see that they change.

    z = [[] for _ in range(n)]
    z[i].append(v)             the graph replaces the element i of z by a longer list

A graph holds lists by value.  That equals Python's lists as long as each inner list is in one place
only.  So a list that becomes an element must not be changed by its own name afterwards, nor read
after an element was changed, and elements must not be changed while they are in two lists.  The
same is true for objects that are elements, in functions that change these (`element_writes.py`).
"""

import sys
from typing import Any

from autograph.errors import with_article
from autograph.functions.rebuild import MADE
from autograph.staging.dunder_methods import NewObjects
from autograph.staging.heap_diff import HeapSnapshot
from autograph.staging.object_state import attributes
from runtime.errors import SharedMemoryError, staging_error
from runtime.ir.graph import Graph
from runtime.ir.types import ListType, Type
from runtime.staging.containers import StagedContainer
from runtime.staging.lists.elements import holds_lists
from runtime.staging.lists.forms import form_of, has_forms, is_element
from runtime.staging.lists.merged_objects import WatchedClasses
from runtime.staging.lists.merged_sources import (
    ELEMENTS,
    GivenContainers,
    can_be_seen,
    merged_of,
    sources_of,
)
from runtime.staging.lists.recorded_writes import records_writes
from runtime.staging.loop_trials import OPERATIONS
from runtime.staging.made_dicts import made_dicts
from runtime.tracing import trace
from runtime.tracing.tensor import Tensor


class InnerLists:
    """The lists that have become elements of staged lists, and how these were used."""

    def __init__(self) -> None:
        self.given: dict[int, tuple[Any, list]] = {}  # by identity: the list, and who holds it
        # Those that branches have left in lists, staged by the join, and the regions around.
        self.left: dict[int, tuple[Any, list[Graph]]] = {}
        self.is_shared: dict[int, Any] = {}  # not empty once elements may be in two lists
        self.is_written: dict[int, Any] = {}  # not empty once an element was changed in its place
        self.written_in: dict[int, Graph] = {}  # regions that change elements
        self.read_in: dict[int, Graph] = {}  # regions that read lists from outside of them


def _known() -> InnerLists:
    return trace.current().state(InnerLists)


def inner_lists(item: Any) -> list:
    """The lists that an element is, or that are in it if it is a tuple; also the objects, if
    elements are changed."""
    if isinstance(item, tuple):
        return [one for part in item for one in inner_lists(part)]
    if isinstance(item, StagedContainer):
        return list(item.held.values())
    return [item] if isinstance(item, list) or _is_changeable(item) else []


def _named(items, wanted=None):
    """What code may have names for: the inner lists of some items, of which only those in `wanted`,
    or the dicts and sets that keep their keys in them."""
    ids = None if wanted is None else set(map(id, wanted))
    found = []
    for item in items:
        lists = [one for one in inner_lists(item) if ids is None or id(one) in ids]
        if isinstance(item, tuple):
            found += _named(tuple.__iter__(item), wanted)
        else:
            found += [item] if lists and isinstance(item, StagedContainer) else lists
    return found


def _is_changeable(item):
    """Whether an item is an object that may change while it is an element."""
    if not records_writes(item) or isinstance(item, (list, tuple)):
        return False
    return form_of(item) is not None


def _contents(one):
    """What a list, a dict or an object holds."""
    if isinstance(one, dict):
        return tuple(dict.values(one))
    return tuple(list.__iter__(one) if isinstance(one, list) else attributes(one).values())


def _home(one):
    """The region in which a list or an object was made; None if it was made elsewhere, and for a
    dict, whose reads by another name are not seen."""
    if isinstance(one, (list, dict)):
        return getattr(one, "home", None)
    return trace.current().state(NewObjects).get(id(one), (None, None))[1]


def _note_given(one, owner):
    """Notes a list or an object as an element of a list."""
    _known().given[id(one)] = one, owner
    if not isinstance(one, (list, dict)):
        trace.current().state(WatchedClasses).watch(type(one))
    become_elements(_contents(one), one)


def become_elements(items: tuple, owner: list) -> None:
    """Notes that the lists among the items of a list are elements of a staged list from now on."""
    found = [one for item in items for one in inner_lists(item)]
    if len({id(one) for one in found}) < len(found):
        raise _shared("one list is several elements of a list that is staged")
    new = [one for one in found if _known().given.get(id(one), (None, None))[1] is not owner]
    if new and any(_is_given(one) or id(one) in _known().given for one in new):
        raise _shared("that other code holds is an element of a list that is staged", new[0])
    placed = [one for one in new if not isinstance(one, list) and is_element(one)]
    for one in placed:
        if not _is_shared_by_value(one):
            raise _shared("of a staged list becomes an element of another one", object)
    new = [one for one in new if all(one is not other for other in placed)]
    unknown = _named(items, [one for one in new if isinstance(one, list) or _home(one) is None])
    if unknown and _held_elsewhere(unknown, owner):
        raise _shared("that has another name is an element of a list that is staged", unknown[0])
    _refuse_merged(new)
    for one in new:
        _note_given(one, owner)


def elements_of_branch(items: tuple) -> None:
    """Notes the lists that a branch leaves in a list of known length, which is staged after it.

    The branch is open.  Code of another branch around does not run after it.
    """
    around = trace.current().regions[-2]
    for one in (one for item in items for one in inner_lists(item) if not _is_part(one)):
        _known().left.setdefault(id(one), (one, []))[1].append(around)


def _is_left(one):
    """Whether a branch before, on this path, has left a list in another one."""
    _, regions = _known().left.get(id(one), (None, ()))
    return any(region in trace.current().regions for region in regions)


def becomes_element(item: Any, owner: list) -> None:
    """Notes that an item which is put into a staged list is an element from now on."""
    found = inner_lists(item)
    for one in found:
        if _is_part(one):
            note_shared(ListType(one.value.type))
            continue
        if _is_shared_by_value(one):
            continue
        if id(one) in _known().given or _is_given(one) or _has_place(one):
            raise _shared("that is in another place becomes an element of a staged list", one)
        home = _home(one)
        if home is None and _held_elsewhere([one], owner) or _may_repeat(home):
            raise _shared("that has another name becomes an element of a staged list", one)
        _refuse_merged([one])
        _note_given(one, owner)


def _is_part(one):
    """Whether a list is the name of a place in a staged list, which is copied by value."""
    return isinstance(one, list) and getattr(one, "owner", None) is not None


def _is_shared_by_value(one):
    """Whether a dict or an object is the name of a place in a staged list; notes that its values
    are in another list, too."""
    if isinstance(one, list) or not is_element(one):
        return False
    place = getattr(one if isinstance(one, dict) else merged_of(one), "place", None)
    if place is None or place.owner.value is None:
        return False
    if not isinstance(one, dict):
        ELEMENTS["read_whole"](one)
    note_shared(place.owner.value.type)
    return True


def _has_place(one):
    """Whether a list or an object is an element of a staged list."""
    if isinstance(one, list):
        return getattr(one, "owner", None) is not None
    return is_element(one)


def _refuse_merged(found):
    """Refuses lists that may be one of several, of which other code sees one."""
    if any(sources_of(one) and can_be_seen(one) for one in found):
        raise _shared("a list that may be one of several becomes an element of a staged list")


def _may_repeat(home):
    """Whether the current code may run again for one list, which was made in the region `home`."""
    regions = trace.current().regions
    if home is None or home not in regions:
        return False
    return any(region.name == "body" for region in regions[regions.index(home) + 1 :])


def _is_given(one):
    given = trace.current().state(GivenContainers).known
    return given is not None and id(one) in given


def _held_elsewhere(found, owner):
    """Whether a variable, or another container than the owner, holds one of some lists."""
    searched = {id(one) for one in found}
    frame, held = sys._getframe(1), []
    while frame is not None:
        if frame.f_code in MADE and frame.f_code.co_filename not in OPERATIONS:
            held += frame.f_locals.values()
        frame = frame.f_back
    if any(id(one) in searched for one in held):
        return True
    heap = HeapSnapshot(roots=tuple(held))
    places = [
        one
        for container in heap.containers()
        if container is not owner
        for one in heap.before(container).values()
    ]
    return any(id(part) in searched for one in places for part in (one, *_named((one,))))


# -- reads and writes ------------------------------------------------------------------------------


def note_read(items: Any) -> None:
    """Before a list is read by its own name: refused if it is an element that may have changed."""
    recorder = trace.current()
    if recorder is None or id(items) not in recorder.state(InnerLists).given:
        return
    known = recorder.state(InnerLists)
    if known.is_written:
        raise _shared("is read after it has become an element of a staged list", items)
    home = _home(items)
    regions = recorder.regions
    start = regions.index(home) + 1 if home in regions else 1
    known.read_in.update((id(region), region) for region in regions[start:])


def refuse_write(items: Any) -> None:
    """Before a list is changed by its own name: refused if it is an element."""
    recorder = trace.current()
    if recorder is not None and (id(items) in _known().given or _is_left(items)):
        raise _shared("is changed after it has become an element of a staged list", items)


def note_inner_write(one: Any) -> None:
    """Before an element that is a list or an object is changed in its place."""
    known, opened = _known(), _open_regions()
    if known.is_shared or opened.keys() & known.read_in.keys():
        raise _shared("is changed that is in several lists, or is read by another name", one)
    known.is_written[0] = True
    known.written_in.update(opened)


def note_shared(kind: Type) -> None:
    """Before the elements of a staged list become those of another one, too."""
    if not holds_lists(kind) and not (records_writes() and has_forms(kind)):
        return
    known = _known()
    if _open_regions().keys() & known.written_in.keys():
        raise _shared("the lists in a staged list become elements of another list")
    known.is_shared[0] = True


def _open_regions():
    return {id(region): region for region in trace.current().regions[1:]}


def _shared(what, one=None):
    """The error about a use of one list, or of one object, that is an element."""
    kind, copied = "object", "copy.copy(item)"
    if isinstance(one, StagedContainer):
        kind = one.kind.__name__
        copied = f"{'set' if one.kind is set else 'copy.copy'}(item)"
    elif one is None or isinstance(one, (list, dict)):
        kind, copied = ("dict", "dict(item)") if isinstance(one, dict) else ("list", "list(row)")
    what = what if one is None else f"{with_article(kind)} {what}"
    return staging_error(
        what,
        f"A graph holds the {kind}s inside of a staged list by their values, so a change would be "
        "seen in one place only.",
        f"Use it as an element (z[i]) from then on, or copy it: {copied}.",
        SharedMemoryError,
    )


def may_be_element(items: Any) -> bool:
    """Whether a list may be an element of a staged list."""
    if not isinstance(items, list):
        return False
    return getattr(items, "owner", None) is not None or id(items) in _known().given


def refuse_part(items: Any) -> None:
    """Refuses a list that a branch or loop would leave in a variable although it is an element of
    a staged list."""
    if may_be_element(items):
        raise _shared("a variable holds an element of a staged list after a branch or iteration")


def refuse_joined(*ends: Any) -> None:
    """Refuses an object that a branch or loop would leave in a variable although it may be an
    element that is changed."""
    ends = tuple(one for one in ends if records_writes(one))
    if any(is_element(one) or id(one) in _known().given for one in ends):
        what = "is in a staged list, and in a variable after a branch or iteration"
        if any(isinstance(one, dict) for one in ends):
            made_dicts().want_all()
        raise _shared(what, ends[0])


def refuse_seen_inside(made: Any, *ends: Any) -> None:
    """Refuses a staged list of lists that may be one of several, if other code sees one of those
    or a list inside of one; `ends` are the trees of both (`trees.py`)."""
    is_seen = bool(sources_of(made)) and can_be_seen(made)
    for end in ends:
        inside = _lists_in(end)
        is_seen = is_seen or bool(inside) and _held_elsewhere(inside, end.container)
    if is_seen:
        raise _shared("a list of lists that other code sees may be one of several")


def _lists_in(tree):
    found = []
    for child in tree.children:
        if child is not None:
            is_list = isinstance(child.container, list)
            found += [child.container] if is_list else _lists_in(child)
    return found


def refuse_shared_inside(values: dict, trees: dict) -> None:
    """Refuses a list that a block leaves inside of a staged list and in another place, too; `trees`
    has the containers that each location holds at the end of the block."""
    for location, value in values.items():
        staged = getattr(value, "_staged", None) if isinstance(value, list) else value
        kind = staged.type if isinstance(staged, Tensor) else None
        if not isinstance(kind, ListType) or not holds_lists(kind.element):
            continue
        tree = trees.get(location)
        owner = location.key[1] if location.key[0] == "list" else id(getattr(tree, "container", 0))
        inside = {id(one) for one in _lists_below(tree, None)}
        others = (one for place, one in trees.items() if place is not location)
        if any(id(one) in inside for other in others for one in _lists_below(other, owner)):
            raise _shared("a list is in a staged list, and in another place")


def _lists_below(tree, owner):
    """The lists in a tree, except the container `owner` and its contents."""
    pending, found, seen, is_first = [tree], [], set(), owner is None
    while pending:
        one = pending.pop()
        if (
            one is None
            or id(one) in seen
            or one.container is not None
            and id(one.container) == owner
        ):
            continue
        seen.add(id(one))
        if isinstance(one.container, list) and not (is_first and one is tree):
            found.append(one.container)
        pending += one.children
    return found
