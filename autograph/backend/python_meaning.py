"""The meaning of converted statements in Python: the methods that backends override."""

import operator
from collections.abc import Callable
from typing import Any

from autograph.backend import plain_lists
from autograph.backend.calls import CallTable, replacement_for_all
from autograph.backend.state import State
from autograph.backend.unpacking import assigned_parts

RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "": lambda value: value,
    "s": str,
    "r": repr,
    "a": ascii,
}


class PythonMeaning:
    """The meaning of converted statements in Python.

    Bodies, tests and operands arrive as functions without arguments (the body of a `for` takes the
    element).  `state` holds the variables that they bind and that may be read after them.
    """

    calls: CallTable | None = None  # created by the first `register_call`

    # -- variables ---------------------------------------------------------------------------------

    def bound(self, value: Any, name: str, is_free: bool) -> Any:
        """The value of a variable, which was just read and may be unbound in some runs.

        `is_free` says that the variable belongs to an enclosing function.
        """
        return value

    # -- statements --------------------------------------------------------------------------------

    def if_stmt(
        self, test: Any, body: Callable[..., Any], orelse: Callable[..., Any] | None, state: State
    ) -> None:
        """`if test: body() else: orelse()`"""
        if test:
            body()
        elif orelse is not None:
            orelse()

    def cond_stmt(
        self, holds: Any, arms: tuple[Any, ...], orelse: Callable[..., Any] | None, state: State
    ) -> None:
        """`if`, `elif`..., `else`; `holds` is the value of the first arm's test.

        By default a chain of `if_stmt`, each in the `else` of the one before it.
        """
        (_, body), others = arms[0], arms[1:]

        def otherwise() -> None:
            if others:
                self.cond_stmt(others[0][0](), others, orelse, state)
            elif orelse is not None:
                orelse()

        self.if_stmt(holds, body, otherwise, state)

    def while_stmt(
        self, holds: Any, test: Callable[..., Any], body: Callable[..., Any], state: State
    ) -> None:
        """`while test(): body()`; `holds` is the value of the first test."""
        while holds:
            body()
            holds = test()

    def for_stmt(
        self, iterable: Any, body: Callable[..., Any], test: Callable[..., Any] | None, state: State
    ) -> None:
        """`for element in iterable: body(element)`, left early once `test()` is false."""
        for element in iterable:
            body(element)
            if test is not None and not test():
                break

    def for_known(self, iterable: Any, body: Callable[..., Any], test: Any, state: State) -> bool:
        """A `for` over an iterable of Python, offered to the active backend before it starts.

        Returns whether the backend has run it; if not, it must not have used the iterable up.
        """
        return False

    def while_known(self, test: Callable[..., Any], body: Callable[..., Any], state: State) -> bool:
        """Whether the backend has run the rest of a `while`, whose test Python knows and holds."""
        return False

    def while_from_start(
        self, test: Callable[..., Any], body: Callable[..., Any], state: State
    ) -> bool:
        """Whether the backend has run a `while` before its first iteration, whose test Python knows
        and holds.  Asked of the backends of other libraries."""
        return False

    def raised(self, error: BaseException) -> bool:
        """An exception has left a block that is being staged (`autograph/staging/blocks.py`).

        Returns whether the staged program will raise it; if not, it is an error of staging.
        """
        return False

    def holds(self, test: Any, message: Any) -> bool:
        """The test of an `assert`, with its constant message or a function that returns it.

        A backend records the check and returns True.
        """
        return bool(test)

    def choice(self, case_of: Callable[..., Any], subject: Any) -> Any:
        """The index of the case of a `match` that the subject matches, -1 for none."""
        return case_of(subject)

    def check_subject(self, subject: Any) -> None:
        """Refuses the subject of a `match` if Python cannot tell its class or structure."""

    # -- expressions -------------------------------------------------------------------------------

    def if_expr(self, test: Any, body: Callable[..., Any], orelse: Callable[..., Any]) -> Any:
        """`body() if test else orelse()`"""
        return body() if test else orelse()

    def and_(self, left: Any, right: Callable[..., Any]) -> Any:
        """`left and right()`"""
        return left and right()

    def or_(self, left: Any, right: Callable[..., Any]) -> Any:
        """`left or right()`"""
        return left or right()

    def own_truth(self, value: Any) -> Any:
        """The truth of an object that no backend stages, if its method may return a staged one;
        `NotImplemented` if Python asks the object."""
        return NotImplemented

    def truth(self, value: Any) -> Any:
        """A value where only its truth matters: itself, or a bool that says it."""
        return value

    def not_(self, operand: Any) -> Any:
        """`not operand`"""
        return not operand

    def compare(self, relation: str, left: Any, right: Any) -> Any:
        """`left == right`, `left < right`..., where `left` is a container or of a dataclass."""
        return RELATIONS[relation](left, right)

    def contains(self, container: Any, item: Any) -> Any:
        """`item in container`"""
        return item in container

    def is_none(self, value: Any) -> Any:
        """`value is None`"""
        return value is None

    def is_bool(self, value: Any, constant: bool) -> Any:
        """`value is constant`, where `constant` is True or False."""
        return value is constant

    def is_same(self, value: Any, other: Any) -> Any:
        """`value is other`, where `other` is not None, True or False."""
        return value is other

    def get_item(self, container: Any, key: Any) -> Any:
        """`container[key]`"""
        return container[key]

    def set_item(self, container: Any, key: Any, value: Any) -> None:
        """`container[key] = value`"""
        container[key] = value

    def delete_item(self, container: Any, key: Any) -> None:
        """`del container[key]`"""
        del container[key]

    def context(self, manager: Any) -> Any:
        """The context manager to enter where the user's code enters `manager`."""
        return manager

    def iterated(self, iterable: Any, is_left: bool = False) -> Any:
        """The iterable of a Python loop before it begins; `is_left`: one that a run may leave."""
        return iterable

    def taken_elements(self, elements: Any) -> Any:
        """An object that a loop calls (`before`, `after`, `end`) when it takes elements, although
        a run may have left it; None if that changes nothing."""
        return None

    def call(self, function: Any, converted: Any = None) -> Any:
        """The callable to use where the user's code calls `function`; `converted`: its conversion,
        if it belongs to a package that the user wants converted."""
        return replacement_for_all(function) if self.calls is None else self.calls.get(function)

    def entered(
        self, function: Callable[..., Any], converted: Callable[..., Any]
    ) -> Callable[..., Any]:
        """The callable to use in a staged block for a user function, given its conversion."""
        return converted

    def text(self, parts: tuple[Any, ...]) -> Any:
        """`f"..."`, from literal strings and results of `shown`."""
        return "".join(parts)

    def shown(self, value: Any, spec: Any, conversion: str) -> Any:
        """`f"{value!conversion:spec}"`"""
        return format(_CONVERSIONS[conversion](value), spec)

    def percent(self, template: str, values: Any) -> Any:
        """`template % values`, where `template` is a string."""
        return template % values

    def comprehension(self, collect: Callable[..., Any], iterable: Any) -> Any:
        """`[... for ... in iterable ...]`; `collect` is `lambda itr: [... for ... in itr ...]`"""
        return collect(iterable)

    def elements(self, iterable: Any) -> Any:
        """The iterable of a comprehension without conditions; its elements, if they are known."""
        return iterable

    # -- lists, and directives about them and about loops ------------------------------------------

    def new_list(self, items: list[Any]) -> list[Any]:
        """A list that the user's code has created and may change."""
        return items

    def extended(self, items: list[Any], iterable: Any) -> list[Any]:
        """`[*items, *iterable]`, where nothing else holds `items`."""
        return self.new_list([*items, *iterable])

    def updated(self, elements: set[Any], iterable: Any) -> Any:
        """`{*elements, *iterable}`, where nothing else holds `elements`."""
        elements.update(iterable)
        return elements

    def tuple_of(self, items: list[Any]) -> tuple[Any, ...]:
        """The tuple of the elements of a list."""
        return tuple(items)

    def unpacked(self, value: Any, before: int, after: int) -> tuple[Any, ...]:
        """The first elements of an iterable, a list of the others, and the last elements."""
        return assigned_parts(before, after)(value)

    def spread(self, iterable: Any) -> Any:
        """The iterable after a star among the arguments of a call."""
        return iterable

    def starred(self, function: Any, found: Any) -> Any:
        """The callable for a call with a star, where `found` is used in place of `function`."""
        return found

    def exchanged(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """Items that are written into the places from which they were read, in another order."""
        return values

    def new_dict(self, pairs: Any) -> Any:
        """A dict that a display makes: a dict, or the pairs of its keys and values."""
        return pairs if isinstance(pairs, dict) else dict(pairs)

    def with_items(self, items: Any, mapping: Any) -> Any:
        """`{**items, **mapping}`, where nothing else holds `items`."""
        return {**items, **mapping}

    def new_set(self, elements: tuple[Any, ...]) -> Any:
        """A set that a display makes of its elements."""
        return set(elements)

    def set_element_type(
        self, items: list[Any], dtype: Any, shape: tuple[Any, ...] | None = None
    ) -> None:
        """`set_element_type(items, dtype)`"""
        plain_lists.current().set_element_type(items, dtype, shape)

    def stack(self, items: Any) -> Any:
        """`stack(items)`"""
        return plain_lists.current().stack(items)

    def set_loop_options(self, **options: Any) -> None:
        """`set_loop_options(...)` in the body of a loop."""
