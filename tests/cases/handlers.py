"""Handlers that may catch every exception: a refusal of an operation goes past them."""


def f(parse, text, kinds):
    try:
        return parse(text)
    except ValueError:
        return None
    except kinds:
        return "other"


INPUTS = [(int, "12", (KeyError,)), (int, "a", (KeyError,)), (int, None, TypeError)]


# == generated ==

def f(parse, text, kinds):
    try:
        return ag__.converted_call(parse)(text)
    except ag__.refusals():
        raise
    except ValueError:
        return None
    except kinds:
        return 'other'
