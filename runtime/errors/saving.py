"""Errors about programs that are saved or exported, and files that are loaded."""

from autograph.errors import Explained


class SaveError(Explained, ValueError):
    """A function or model cannot be saved: it needs its Python code, or nothing is there to save.

    Refused:
        def double(x):
            return 2 * x

        rt.saved.as_bytes(double)
    Works:
        @rt.function
        def double(x):
            return 2 * x

        double(np.ones(3))
        rt.saved.as_bytes(double)
    """

    code = "AG801"


class LoadError(Explained, ValueError):
    """A file is no saved program, is damaged or too large, or needs a function that is not allowed.

    Refused:
        rt.saved.from_bytes(b"not a saved program")
    Works:
        @rt.function
        def double(x):
            return 2 * x

        double(np.ones(3))
        again = rt.saved.from_bytes(rt.saved.as_bytes(double))
        again(np.ones(3))
    """

    code = "AG802"


class ExportError(Explained, ValueError):
    """A function cannot be exported: the other format has no exact form of one of its operations.

    Refused:
        def shown(x):
            print(x)
            return 2 * x

        rt.export_onnx(shown, "shown.onnx", np.ones(3))
    Works:
        import os

        def double(x):
            return 2 * x

        print(double(np.ones(3)))
        rt.export_onnx(double, os.devnull, np.ones(3))
    """

    code = "AG803"


class RunLimitError(Explained, RuntimeError):
    """A loaded function has made more steps, or has run longer, than its caller allows.

    Refused:
        @rt.function
        def halved(x):
            while x > 1:
                x = x / 2
            return x

        halved(np.float64(3.0))
        limits = rt.saved.Limits(steps=100)
        again = rt.saved.from_bytes(rt.saved.as_bytes(halved), limits=limits)
        again(np.float64(np.inf))
    Works:
        @rt.function
        def halved(x):
            while x > 1:
                x = x / 2
            return x

        halved(np.float64(3.0))
        limits = rt.saved.Limits(steps=100)
        again = rt.saved.from_bytes(rt.saved.as_bytes(halved), limits=limits)
        again(np.float64(3.0))
    """

    code = "AG804"
