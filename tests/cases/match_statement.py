"""`match` stays a Python statement; jumps and branches inside are converted."""


def f(command):
    for word in command.split(";"):
        match word.split():
            case ["go", where]:
                if where == "home":
                    return "arrived"
            case ["stop"]:
                break
            case [first, *rest]:
                print(first, len(rest))
    return "lost"


INPUTS = [("go away;look at me",), ("go home",), ("stop;go home",)]


# == generated ==

def f(command):
    word: object
    where: object
    first: object
    rest: object
    result = ag__.unset
    returned = False
    stop = False

    def get_state():
        return (result, returned)

    def set_state(vars_):
        nonlocal result, returned
        result, returned = vars_

    def if_body():
        nonlocal result, returned
        result = 'arrived'
        returned = True

    def get_state_1():
        return (result, returned, stop)

    def set_state_1(vars_):
        nonlocal result, returned, stop
        result, returned, stop = vars_

    def loop_test():
        return ag__.not_(ag__.or_(stop, lambda: returned))

    def loop_body(itr):
        nonlocal word, where, stop, first, rest
        word = itr
        del itr
        match ag__.matched(ag__.converted_call(word.split)()):
            case ['go', where]:
                ag__.if_stmt(where == 'home', if_body, None, get_state, set_state, ('result', 'returned'))
            case ['stop']:
                stop = True
            case [first, *rest]:
                ag__.converted_call(print)(first, ag__.converted_call(len)(rest))
    ag__.for_stmt(ag__.converted_call(command.split)(';'), loop_body, get_state_1, set_state_1, ('result', 'returned', 'stop'), loop_test=loop_test)

    def get_state_2():
        return (result,)

    def set_state_2(vars_):
        nonlocal result
        result, = vars_

    def if_body_1():
        nonlocal result
        result = 'lost'
    ag__.if_stmt(ag__.not_(returned), if_body_1, None, get_state_2, set_state_2, ('result',))
    return result
