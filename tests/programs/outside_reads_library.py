"""Reads of the outside world: the state of libraries; see `outside_reads.py`."""

import contextvars
import datetime
import decimal
import itertools
import json
import locale
import logging
import queue
import random
import threading
import time

import numpy as np
from outside_world import case

local = threading.local()
context = contextvars.ContextVar("context", default=2.0)


@case
def a_variable_of_a_context():
    token = context.set(2.0)

    def read(x):
        return x * context.get()

    return read, lambda: context.set(3.0), lambda: context.reset(token)


@case
def a_variable_of_a_thread():
    local.rate = 2.0

    def read(x):
        return x * local.rate

    def change():
        local.rate = 3.0

    return read, change


@case
def the_precision_of_decimals():
    before = decimal.getcontext().prec
    decimal.getcontext().prec = 20

    def read(x):
        return x * decimal.getcontext().prec

    def change():
        decimal.getcontext().prec = 30

    def restore():
        decimal.getcontext().prec = before

    return read, change, restore


@case
def a_quotient_of_decimals():
    before = decimal.getcontext().prec
    decimal.getcontext().prec = 4
    one, three = decimal.Decimal(1), decimal.Decimal(3)

    def read(x):
        return x * float(one / three)

    def change():
        decimal.getcontext().prec = 8

    def restore():
        decimal.getcontext().prec = before

    return read, change, restore


@case
def the_print_options_of_numpy():
    before = np.get_printoptions()["precision"]
    np.set_printoptions(precision=5)

    def read(x):
        return x * np.get_printoptions()["precision"]

    def change():
        np.set_printoptions(precision=3)

    return read, change, lambda: np.set_printoptions(precision=before)


@case
def the_error_state_of_numpy():
    before = np.seterr(over="warn")

    def read(x):
        return x * (2.0 if np.geterr()["over"] == "warn" else 5.0)

    return read, lambda: np.seterr(over="ignore"), lambda: np.seterr(**before)


@case
def a_generator_of_random_numbers():
    generator = random.Random(3)

    def read(x):
        return x * generator.random()

    return read, lambda: None


@case
def a_choice_of_random_numbers():
    generator = random.Random(3)

    def read(x):
        return x * generator.choice([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]) + generator.randint(1, 99)

    return read, lambda: None


@case
def the_module_random():
    random.seed(3)

    def read(x):
        return x * random.random() + random.choice([1, 2, 3, 4, 5, 6, 7, 8, 9])

    return read, lambda: None


@case
def a_sample_of_the_module_random():
    random.seed(3)

    def read(x):
        return x * sum(random.sample(range(100), 3))

    return read, lambda: None


@case
def a_generator_of_numpy():
    generator = np.random.default_rng(3)

    def read(x):
        return x * generator.normal()

    return read, lambda: None


@case
def the_state_of_a_generator_of_numpy():
    generator = np.random.default_rng(3)

    def read(x):
        return x * (generator.bit_generator.state["state"]["state"] % 1009)

    return read, generator.normal


@case
def a_counter_of_itertools():
    counter = itertools.count(2)

    def read(x):
        return x * next(counter)

    return read, lambda: None


@case
def a_cycle_of_itertools():
    cycle = itertools.cycle([2.0, 3.0, 5.0])

    def read(x):
        return x * next(cycle)

    return read, lambda: None


@case
def the_size_of_a_queue():
    tasks = queue.Queue()
    tasks.put(1)

    def read(x):
        return x * tasks.qsize()

    return read, lambda: tasks.put(2)


@case
def an_item_of_a_queue():
    tasks = queue.Queue()
    for i in range(2, 20):
        tasks.put(float(i))

    def read(x):
        return x * tasks.get(timeout=5)

    return read, lambda: None


@case
def whether_a_lock_is_held():
    lock = threading.Lock()

    def read(x):
        return x * (2.0 if lock.locked() else 5.0)

    return read, lock.acquire


@case
def whether_an_event_is_set():
    event = threading.Event()

    def read(x):
        return x * (2.0 if event.is_set() else 5.0)

    return read, event.set


@case
def the_name_of_the_thread():
    thread = threading.current_thread()
    before = thread.name

    def read(x):
        return x * len(threading.current_thread().name)

    def change():
        thread.name = "another name of it"

    def restore():
        thread.name = before

    return read, change, restore


@case
def the_flags_of_an_array():
    made = np.array([2.0])

    def read(x):
        return x * (2.0 if made.flags.writeable else 5.0)

    return read, lambda: made.setflags(write=False)


@case
def a_setting_of_a_module():
    before = logging.raiseExceptions

    def read(x):
        return x * (2.0 if logging.raiseExceptions else 5.0)

    def change():
        logging.raiseExceptions = not before

    def restore():
        logging.raiseExceptions = before

    return read, change, restore


@case
def a_replaced_function_of_a_module():
    before = json.loads

    def read(x):
        return x * json.loads("2")

    def change():
        json.loads = lambda text: 3

    def restore():
        json.loads = before

    return read, change, restore


@case
def a_level_of_a_logger():
    logger = logging.getLogger("outside")
    logger.setLevel(logging.ERROR)

    def read(x):
        return x * (2.0 if logger.isEnabledFor(logging.INFO) else 5.0)

    return read, lambda: logger.setLevel(logging.INFO)


@case
def a_token_of_entropy():
    import secrets

    before = secrets.token_bytes
    tokens = iter([b"ab", b"abc", b"abcd", b"abcde"])
    secrets.token_bytes = lambda n: next(tokens)

    def read(x):
        return x * len(secrets.token_bytes(2))

    def restore():
        secrets.token_bytes = before

    return read, lambda: None, restore


@case
def the_locale():
    def read(x):
        return x * (2.0 if locale.localeconv()["decimal_point"] == "." else 5.0)

    return read, lambda: None


@case
def a_clock_that_is_replaced():
    before = time.time
    time.time = lambda: 2.0

    def read(x):
        return x * time.time()

    def change():
        time.time = lambda: 3.0

    def restore():
        time.time = before

    return read, change, restore


@case
def the_year_of_a_date():
    held = [datetime.date(2000, 1, 2)]

    def read(x):
        return x * held[0].day

    return read, lambda: held.__setitem__(0, datetime.date(2000, 1, 3))
