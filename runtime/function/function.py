"""`rt.function`: a Python function that runs as a graph.

    @rt.function
    def area(radius):
        return 3.1415 * radius ** 2

    call -> the generated function of the graph that was used last (plain_call.py); on a miss:
         -> is another graph valid? (guards/guard.py)       the most recently used is tried first
         -> else: signature -> convert -> trace -> optimise -> compile (function_tracer.py)
         -> run (concrete_function.py)

A graph is valid for the types of arrays and the values of everything else, both among the arguments
(tracing/signature.py) and in the environment that the function reads (guards/environment.py).
While another graph is being traced, a call adds the function's operations to that graph.
"""

import functools
import sys
from collections.abc import Callable, Iterable
from types import MethodType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, overload

import autograph
from autograph.backend.completion import complete
from autograph.staging.held_objects import register_holder
from runtime import config
from runtime.engines import registry
from runtime.engines.entry import Entry
from runtime.function import cached_graphs, given_arrays
from runtime.function.boundary import shown_to_user
from runtime.function.cached_graphs import SWITCHING
from runtime.function.concrete_function import ConcreteFunction
from runtime.function.entry import link
from runtime.function.pickling import found_again, reduced_function
from runtime.function.placement import Placement, checked, runner_of
from runtime.function.plain_call import dispatcher, dispatching
from runtime.function.recorded_again import own_numbers, recorded
from runtime.function.shown_graphs import ShownGraphs
from runtime.function.taped_run import run_eagerly
from runtime.function.transformation import Transform
from runtime.function.transformed_cache import note_first_graph
from runtime.function.variable_creation import VariableCreation, refuse_without_run
from runtime.function.vectorcall import with_vectorcall
from runtime.ir.pytree import flatten
from runtime.spellings.members import FUNCTION, Answers
from runtime.staging.backend import BACKEND
from runtime.staging.calls.registry import replacement
from runtime.staging.calls.scipy_calls import scipy_call
from runtime.tracing import trace
from runtime.tracing.eager_trace import EagerTrace
from runtime.tracing.eager_values import unwrap_all
from runtime.tracing.input_signature import declared, declared_type, examples_of, specs_of
from runtime.tracing.parameters import Parameters
from runtime.tracing.recording_lock import RECORDING, RecorderIsBlocked
from runtime.tracing.retracing import RetraceLog
from runtime.tracing.signature import Signature, signature_of
from runtime.tracing.stand_ins import plain

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R", covariant=True)
S = TypeVar("S")


@with_vectorcall
class Function(ShownGraphs, Answers, Generic[P, R]):
    """A Python function that runs as a graph; see the module's documentation.

    Type checkers see its parameters `P` and its result `R`.  In a class it is a method.
    """

    if not TYPE_CHECKING:
        # The call operator reads the slot: a call runs a generated function, and nothing else.
        __slots__ = ("__call__", "__dict__", "__weakref__")

    _spellings = FUNCTION
    made_by: tuple | None = None  # a public function and its arguments, if one has made this
    caches_transformed = True  # see `transformed_cache.py`

    def __init__(
        self,
        python_function: Callable[P, R],
        input_signature: Iterable | None = None,
        reduce_retracing: bool = False,
        convert_packages: Iterable[str] = (),
        cache_size: int = 64,
        transform: "Transform | None" = None,
        engine: str | None = None,
        placement: Placement | None = None,
    ):
        complete()  # of a pickle, this may be the first module of the runtime
        if cache_size < 1:
            raise ValueError(f"cache_size is {cache_size}; a function caches at least one graph")
        if engine is not None:
            registry.available(engine)
        # Of another `Function` only the user's attributes: it holds graphs and converted code.
        made = getattr(python_function, "__func__", python_function)  # of a method: its function
        own = dir(Function) if isinstance(made, Function) else ()
        held = getattr(python_function, "__dict__", {}).items()
        self.__dict__.update((name, value) for name, value in held if name not in own)
        functools.update_wrapper(self, python_function, updated=())
        self.__name__ = getattr(python_function, "__name__", type(python_function).__name__)
        self.__qualname__ = getattr(python_function, "__qualname__", self.__name__)
        self.python_function = python_function
        self.reduce_retracing = reduce_retracing
        self.cache_size = cache_size
        self.transform = transform
        self.engine = engine
        self.placement = placement and checked(placement, engine, self.__name__)
        self._packages = tuple(convert_packages)
        self._parameters = Parameters(python_function, transform and transform.passed_defaults)
        self.input_signature = specs_of(input_signature, self.__name__, self._parameters.names)
        self._bind = self._parameters.bind
        self._concretes: list[ConcreteFunction] = []  # the most recently used one first
        self._creation = VariableCreation(self.__name__)
        self._retraces = RetraceLog(self.__name__)
        self._entries: list[Entry] = []  # machine code that is linked, or running
        self._dispatcher = dispatcher(self)
        self._dispatching = dispatching(self._parameters, self._dispatcher)
        self._install(None)

    def __reduce_ex__(self, protocol):
        return reduced_function(self, sys._getframe(1))

    def __copy__(self):
        return self  # as `copy.copy` of a Python function does

    def __deepcopy__(self, memo):
        return self

    def __setstate__(self, state):
        maker, *options = state
        if maker is not None:
            made = maker(*options)
            options, self.made_by = made.options(), made.made_by
        self.__init__(*options)

    def options(self) -> tuple:
        """The arguments that make an equal function."""
        return (
            self.python_function,
            self.input_signature,
            self.reduce_retracing,
            self._packages,
            self.cache_size,
            self.transform,
            self.engine,
            self.placement,
        )

    def __repr__(self):
        graphs, names = len(self._concretes), () if self.transform is None else self.transform.names
        shown = self.__qualname__ if names else f"rt.function {self.__qualname__}"
        for name in reversed(names):
            shown = f"rt.{name}({shown})"
        return f"<{shown}: {graphs} graph{'s' * (graphs != 1)}>"

    @overload
    def __get__(self, instance: None, owner: type) -> "Function[P, R]": ...

    @overload
    def __get__(
        self: "Function[Concatenate[S, Q], R]", instance: S, owner: type | None = None
    ) -> "Function[Q, R]": ...

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    @functools.cached_property
    def converted(self) -> Callable:
        """The converted function that is traced."""
        known = scipy_call(replacement(self.python_function))
        if known is not self.python_function:  # rt.grad(math.sin)
            return known
        return autograph.to_graph(self.python_function, convert_packages=self._packages)

    # -- calls -------------------------------------------------------------------------------------

    if TYPE_CHECKING:

        def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
            """Runs as a graph, which is traced first if no graph is valid for the arguments."""

    def _dispatch(self, bound):
        """Any call that the installed generated function leaves over."""
        if trace.current() is not None:
            self._parameters.check_defaults()
            return self._parameters.call(self._entered(), bound)
        missed = self._installed  # its generated function has just tried
        if missed is not None and missed.is_outdated(self._installed_for):
            missed = None
        if config.PROCESS.is_unusual:
            missed = None
            if config.functions_run_eagerly():
                return self._run_eagerly(bound)
        if self.placement is not None:
            return self._placed(bound)
        for concrete in self._concretes:
            if concrete is missed:
                continue
            arrays = concrete.guard.match(*bound)
            if arrays is not None:
                self._retraces.used = True
                if concrete is not self._concretes[0] or self._can_install(concrete):
                    self._use(concrete)
                    if cached_graphs.enters_at_once(concrete, bound):
                        return self._parameters.call(self, bound)
                break
        else:
            return self._traced_and_run(bound)
        return self._finished(concrete, arrays, bound)

    @functools.cached_property
    def _placed(self):
        """The function of bound arguments that runs this one where its placement says."""
        return runner_of(self, self.placement)

    def _traced_and_run(self, bound):
        """The result of a call for which there is no graph yet."""

        def work():
            concrete, arrays = self._found_or_traced(bound)
            if not concrete.creates:
                return concrete, arrays, None
            # Other threads wait until the variables have their values.
            return concrete, arrays, [self._finished(concrete, arrays, bound)]

        bound = given_arrays.with_dlpack(plain(bound))
        if swapped := given_arrays.swapped_in(bound):
            return given_arrays.called_natively(self._dispatch, bound, swapped)
        try:
            concrete, arrays, done = RECORDING.exclusively(self, work)
        except RecorderIsBlocked:
            return plain(self._run_eagerly(bound))
        if done is not None:
            return done[0]
        if cached_graphs.enters_at_once(concrete, bound):
            with cached_graphs.used_once(concrete, self._use, self._install):
                return self._parameters.call(self, bound)
        return self._finished(concrete, arrays, bound)

    def _finished(self, concrete, arrays, bound):
        """The result of a run; of a graph for arguments that share memory, if they do."""
        if concrete.written:
            pattern = concrete.overlaps(arrays)
            if pattern:
                try:
                    concrete = self._overlapping(concrete, pattern, bound)
                except RecorderIsBlocked:
                    return self._run_eagerly(bound)
        return concrete.run(arrays, bound)

    def _run_eagerly(self, bound):
        """The result of the Python function; a transformation computes each operation eagerly."""
        if self.input_signature is not None:
            self._signature(bound)  # it refuses the arguments that a graph would refuse
        if self.transform is None:
            return run_eagerly(self, self._parameters, given_arrays.with_dlpack(bound))
        if swapped := given_arrays.swapped_in(bound):
            return given_arrays.called_natively(self._run_eagerly, bound, swapped)
        with trace.recording(EagerTrace(self.__name__)):
            return unwrap_all(self._parameters.call(self._entered(), bound))

    def _entered(self):
        """The function that is called while a graph is traced."""
        recorder = trace.current()
        if recorder is not None and recorder.is_eager and config.functions_run_eagerly():
            is_plain = self.transform is None
            return self.python_function if is_plain else self.transform(self.python_function)
        entered = BACKEND.entered(self.python_function, self.converted)
        return entered if self.transform is None else self.transform(entered)

    def _use(self, concrete):
        """Makes a graph the first one that is tried, by its generated function if it has one."""
        with SWITCHING:
            if concrete is not self._concretes[0]:
                others = [known for known in self._concretes if known is not concrete]
                self._concretes = [concrete, *others]
            self._install(concrete)

    def _can_install(self, concrete):
        engine = config.plain_engine()
        installed = self._installed
        is_current = installed is not None and not installed.is_outdated(engine)
        if is_current and self._installed_for == engine:
            return False
        return concrete.plain_call(self._dispatcher, engine) is not None

    def _install(self, concrete):
        engine = config.plain_engine()
        call = None if concrete is None else concrete.plain_call(self._dispatcher, engine)
        self._installed, self._installed_for = None if call is None else concrete, engine
        self.__call__ = call or self._dispatching
        if call is not None:
            concrete.entry(self, engine)
        entries = [one.known_entry(engine) for one in self._concretes]
        if any(entries) or self._entries:
            self._entries = link(self, filter(None, entries), self._entries)

    def _found_or_traced(self, bound):
        """The graph for a call, and its arrays; traced unless another thread has just done that."""
        for known in self._concretes:
            arrays = known.guard.match(*bound)
            if arrays is not None:
                return known, arrays
        return self._trace(bound)

    def _signature(self, bound):
        """The signature of the graph for a call."""
        self._parameters.check_defaults()
        names = self._parameters.names
        leaves, signature = signature_of(bound, names)
        if self.input_signature is not None:
            return declared(self.input_signature, (leaves, signature), names, self.__name__)
        similar = self._concretes if self.reduce_retracing else ()
        return cached_graphs.relaxed(signature, similar)

    def _trace(self, bound, signature=None):
        """Traces a graph for a call, and caches it."""
        signature = signature or self._signature(bound)
        reason = self._concretes[0].guard.difference(bound) if self._concretes else None
        if self.transform is not None:
            signature = self.transform.staging(signature)
            if not self._concretes:
                note_first_graph(self.python_function, self.transform.key)
        may_create = self._creation.may_create(signature)
        tracer, concrete = self._recorded(bound, signature, (), may_create)
        concrete.function = (lambda: self) if concrete.needs_python else found_again(self)
        if concrete.creates:
            self._creation.add(signature, bound, concrete)
            return concrete, tracer.arrays
        if tracer.substitution.is_disturbed:
            return concrete, tracer.arrays  # for this call only: a captured array was replaced
        known, is_another_objects = cached_graphs.graphs_to_keep(self._concretes, signature)
        with SWITCHING:
            self._concretes = [concrete, *known][: self.cache_size]
            self._install(None)  # until it is used again
        self._retraces.add(signature, reason, is_another_objects)
        return concrete, tracer.arrays

    def _overlapping(self, concrete, pattern, bound):
        """The graph for arguments that share memory in this way."""

        def work():
            if pattern not in concrete.overlapping:
                _, found = self._recorded(bound, concrete.signature, pattern)
                concrete.overlapping[pattern] = found
            return concrete.overlapping[pattern]

        return RECORDING.exclusively(self, work)

    def _recorded(self, bound, signature, pattern, may_create=True):
        parts = self.python_function, self.converted, self._entered(), self._parameters, bound
        numbers = own_numbers(self._concretes)
        return recorded(parts, signature, pattern, self.engine, may_create, numbers)

    # -- inspection --------------------------------------------------------------------------------

    @shown_to_user
    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The function for the signature of these arguments, which is traced if it is new.

        Arguments may be values, or `TensorSpec`s in place of arrays.  Without arguments, the
        `input_signature` supplies them.  Raises the errors of a call that is traced.
        """
        if not args and not kwargs and self.input_signature is not None:
            args = examples_of(self.input_signature)
        bound = given_arrays.without_swapped(given_arrays.with_dlpack(self._bind(*args, **kwargs)))
        return RECORDING.exclusively(self, lambda: self._without_run(bound))

    def _without_run(self, bound):
        """A graph that is traced but not run; if it creates variables, the one of the next call."""
        is_declared = any(declared_type(leaf) for leaf in flatten(bound)[0])
        traced = self._declared_or_traced if is_declared else self._found_or_traced
        concrete, _ = traced(bound)
        if concrete.creates:
            refuse_without_run(concrete)
            concrete, _ = traced(bound)
        concrete.recorded = None
        return concrete

    def _declared_or_traced(self, bound):
        """The graph for a call with types in place of arrays."""
        return self._known(bound, self._signature(bound)) or self._trace(bound)

    def _known(self, bound, signature):
        """The cached graph for a signature, None if there is none; `bound` are examples."""
        for known in self._concretes:
            if known.signature == signature and known.guard.difference(bound, False) is None:
                return known, ()
        return None

    def of_signature(self, bound: tuple, signature: Signature) -> ConcreteFunction:
        """The graph for a signature, which is traced if it is new; `bound` are examples of it."""
        return (self._known(bound, signature) or self._trace(bound, signature))[0]


register_holder(Function, "python_function")
