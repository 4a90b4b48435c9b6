"""Optimizers: they update parameters from gradients.

    optimizer = rt.optimizers.Adam(1e-3, variables=rt.nn.parameters(model))
    optimizer.apply(gradients, variables)                     writes the variables

    state = optimizer.init(parameters)                        the same without variables: parameters
    parameters, state = optimizer.update(gradients, state, parameters)     in nested containers

This module is ordinary code, which is converted like the user's own when it is called.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph.errors import with_article
from autograph.spellings import module_getattr
from runtime.ir.pytree import flatten, unflatten
from runtime.spellings import members, modules, options
from runtime.spellings.options import AnswersOptions
from runtime.state.variable import Variable
from runtime.transforms.user_lists import plain_lists, user_lists


def _are_same(variables, known):
    """Whether these are the known variables, in their order."""
    pairs = zip(variables, known, strict=False)
    return len(variables) == len(known) and all(one is other for one, other in pairs)


def _no_learning_rate(optimizer, given):
    """The error about a learning rate that is not a number."""
    why = "It is a number, or a variable that holds one."
    remedy = f"Write rt.optimizers.{optimizer}(0.1)"
    if isinstance(given, str):
        remedy = f"Convert it: rt.optimizers.{optimizer}(float(text))"
    elif any(isinstance(one, Variable) for one in given):
        why = "The learning rate is the first argument, and variables are an option."
        remedy = f"Write rt.optimizers.{optimizer}(0.1, variables=variables)"
    what = f"the learning rate of {optimizer} is {with_article(type(given).__name__)}"
    return TypeError(f"{what}\n{why}\n{remedy}")


class Optimizer(AnswersOptions):
    """Base of optimizers: an update rule for one parameter and its state, which is some arrays."""

    _spellings, _options = members.OPTIMIZER, options.OPTIMIZER

    slots: tuple[str, ...] = ()  # the names of the arrays of the state

    def __init__(self, learning_rate: Any, variables: Iterable[Variable] | None = None):
        """`learning_rate`: a scalar, or a variable, which may change.

        The state of `variables` is created immediately; without them, when gradients are applied
        for the first time, which must not be in a staged loop.
        """
        if isinstance(learning_rate, (str, list, tuple)):
            raise _no_learning_rate(type(self).__name__, learning_rate)
        self.learning_rate = learning_rate
        self.steps: Variable | None = None
        self.variables: list[Variable] = []
        self.kept: list[list[Variable]] = []  # for each of them
        if variables is not None:
            self.build(list(variables))

    def rule(self, parameter: Any, gradient: Any, kept: Sequence[Any], step: Any) -> tuple:
        """The parameter and its state after a step; steps count from 1."""
        raise NotImplementedError

    # -- with variables ----------------------------------------------------------------------------

    def build(self, variables: Sequence[Variable]) -> None:
        """Creates the state of some variables."""
        self.variables = list(variables)
        self.steps = Variable(np.int64(0), name="steps", trainable=False)
        self.kept = [
            [
                Variable(np.zeros(variable.shape, variable.dtype), name=name, trainable=False)
                for name in self.slots
            ]
            for variable in variables
        ]

    def apply(self, gradients: Sequence[Any], variables: Sequence[Variable]) -> None:
        """Makes one step: updates the variables whose gradient is not None.

        Raises `ValueError` if these are not the variables of the optimizer, and if all gradients
        are None.
        """
        if self.steps is None:
            self.build(variables)
        if not _are_same(variables, self.variables):
            raise ValueError(
                f"{self} is applied to other variables than before, or in another order\n"
                "It has a state for each of its variables.\n"
                "Use one optimizer for each model, and pass its variables in one order."
            )
        _check(gradients, variables)
        if variables and all(gradient is None for gradient in gradients):
            raise ValueError(
                "all gradients are None: the loss depends on none of the variables\n"
                "Only operations in the block of the tape are differentiated.\n"
                "Compute the loss in it: with rt.GradientTape() as tape: loss = ..."
            )
        self.steps.assign_add(1)
        for variable, gradient, kept in zip(variables, gradients, self.kept, strict=True):
            if gradient is not None:
                new, *after = self.rule(variable, gradient, kept, self.steps.value)
                variable.assign(new)
                for slot, array in zip(kept, after, strict=True):
                    slot.assign(array)

    # -- without variables -------------------------------------------------------------------------

    def init(self, parameters: Any) -> tuple:
        """The state before the first step, for parameters in nested containers."""
        leaves, _ = flatten(plain_lists(parameters))
        return 0, [[np.zeros_like(leaf) for _ in self.slots] for leaf in leaves]

    def update(self, gradients: Any, state: tuple, parameters: Any) -> tuple[Any, tuple]:
        """The parameters and the state after a step; `gradients` are nested like parameters."""
        leaves, structure = flatten(plain_lists(parameters))
        count, kept = state
        count = count + 1
        given, _ = flatten(plain_lists(gradients))
        rows = zip(leaves, given, kept, strict=True)
        found = [self.rule(leaf, gradient, before, count) for leaf, gradient, before in rows]
        new = user_lists(unflatten(structure, [parameter for parameter, *_ in found]))
        return new, (count, [after for _, *after in found])

    def __repr__(self):
        return f"{type(self).__name__}({self.learning_rate})"


def _check(gradients, variables):
    """Raises `ValueError` if gradients do not match variables in number and rank."""
    if not all(isinstance(variable, Variable) for variable in variables):
        raise TypeError(
            "an optimizer is applied to objects that are not variables\n"
            "The gradients are the first argument, and the variables are the second.\n"
            "Write optimizer.apply(gradients, variables)"
        )
    if len(gradients) != len(variables):
        given = "1 gradient is" if len(gradients) == 1 else f"{len(gradients)} gradients are"
        wanted = "1 variable" if len(variables) == 1 else f"{len(variables)} variables"
        raise ValueError(
            f"{given} applied to {wanted}\n"
            "Pass one for each, None for a variable that does not change."
        )
    for variable, gradient in zip(variables, gradients, strict=True):
        if gradient is not None and np.ndim(gradient) != np.ndim(variable):
            raise _another_shape(gradient, variable)
        if isinstance(gradient, np.ndarray) and gradient.shape != variable.shape:
            raise _another_shape(gradient, variable)


def _another_shape(gradient, variable):
    return ValueError(
        f"a gradient of shape {np.shape(gradient)} is applied to the {variable.described}\n"
        "A gradient has the shape of its variable.\n"
        "Pass the gradients in the order of the variables."
    )


class SGD(Optimizer):
    """Gradient descent, with momentum m if it is not zero:

    v = m v + g;  w = w - learning_rate v               (g + m v in place of v for Nesterov)
    """

    def __init__(
        self,
        learning_rate: Any = 0.01,
        momentum: float = 0.0,
        nesterov: bool = False,
        variables: Iterable[Variable] | None = None,
    ):
        self.momentum, self.nesterov = momentum, nesterov
        self.slots = ("velocity",) if momentum else ()
        super().__init__(learning_rate, variables)

    def rule(self, parameter: Any, gradient: Any, kept: Sequence[Any], step: Any) -> tuple:
        """See the class."""
        rate = parameter.dtype.type(self.learning_rate)
        if not self.momentum:
            return (parameter - rate * gradient,)
        velocity = self.momentum * kept[0] + gradient
        direction = gradient + self.momentum * velocity if self.nesterov else velocity
        return parameter - rate * direction, velocity


class Adam(Optimizer):
    """Adam (Kingma and Ba, 2015): steps by the mean of the gradients over the root of their mean
    square, both decaying, corrected for their start at zero."""

    slots = ("mean", "square")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-8,
        variables: Iterable[Variable] | None = None,
    ):
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon
        super().__init__(learning_rate, variables)

    def rule(self, parameter: Any, gradient: Any, kept: Sequence[Any], step: Any) -> tuple:
        """See the class."""
        mean, square = kept
        mean = self.beta_1 * mean + (1 - self.beta_1) * gradient
        square = self.beta_2 * square + (1 - self.beta_2) * gradient * gradient
        correction = np.sqrt(1 - self.beta_2**step) / (1 - self.beta_1**step)
        rate = parameter.dtype.type(self.learning_rate * correction)
        return parameter - rate * mean / (np.sqrt(square) + self.epsilon), mean, square


def clip_by_global_norm(gradients: Sequence[Any], limit: Any) -> list[Any]:
    """Gradients scaled so that their norm, taken together, is at most `limit` (Pascanu et al.,
    2013).  None stays None."""
    known = [gradient for gradient in gradients if gradient is not None]
    norm = np.sqrt(sum(np.sum(np.square(gradient)) for gradient in known))
    factor = limit / np.maximum(norm, limit)
    return [None if gradient is None else gradient * factor for gradient in gradients]


if not TYPE_CHECKING:
    __getattr__ = module_getattr(__name__, "rt.optimizers", modules.OPTIMIZERS)
