"""Marks the functions of a collection of programs, each with arguments to call it with."""


class Example:
    """A function as a person wrote it, and arguments to call it with.

    `sizes` is false where the function has to know the shapes of its arguments while it is traced,
    for example because it makes Python lists of that length.
    """

    def __init__(self, function, arguments, sizes):
        self.function, self.arguments, self.sizes = function, arguments, sizes

    def __repr__(self):
        return self.function.__name__


class Collection(list):
    """The examples of one domain, in the order of the file."""

    def example(self, *arguments, sizes=True):
        """Returns a decorator that adds a function to the collection, and leaves it as it is."""

        def mark(function):
            self.append(Example(function, arguments, sizes))
            return function

        return mark
