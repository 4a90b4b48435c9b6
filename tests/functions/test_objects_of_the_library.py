"""Objects of the standard library that a function reads, and that change between two calls."""

import argparse
import ast
import configparser
import email.message
import json
import reprlib
import string
import textwrap
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import runtime as rt


def parsed():
    found = configparser.ConfigParser()
    found.read_string("[s]\na = 1\n")
    return found


def message():
    found = email.message.Message()
    found["S"] = "1"
    return found


def assign(name, value):
    return lambda one: setattr(one, name, value)


CASES = {
    "template": (
        lambda: string.Template("$a!"),
        lambda one: len(one.substitute(a="bc")),
        assign("template", "$a"),
    ),
    "wrapper": (
        lambda: textwrap.TextWrapper(width=10),
        lambda one: len(one.wrap("aaa bbb ccc ddd eee")),
        assign("width", 4),
    ),
    "encoder": (json.JSONEncoder, lambda one: len(one.encode([1, 2])), assign("indent", 4)),
    "repr": (reprlib.Repr, lambda one: len(one.repr(list(range(20)))), assign("maxlist", 2)),
    "namespace": (
        lambda: argparse.Namespace(a=1),
        lambda one: one.a + len(vars(one)),
        assign("b", 9),
    ),
    "tree": (
        lambda: ast.parse("1 + 2", mode="eval"),
        lambda one: len(ast.dump(one)),
        assign("body", ast.Constant(3)),
    ),
    "parser": (parsed, lambda one: float(one["s"]["a"]), lambda one: one.set("s", "a", "7")),
    "options": (parsed, lambda one: len(one["s"]), lambda one: one.set("s", "b", "7")),
    "message": (message, lambda one: len(one["S"]), lambda one: one.replace_header("S", "111")),
    "element": (
        lambda: ElementTree.fromstring("<a><b/></a>"),
        len,
        lambda one: ElementTree.SubElement(one, "c"),
    ),
}


@pytest.mark.parametrize("make, read, change", CASES.values(), ids=CASES)
def test_a_change_between_two_calls_is_seen(make, read, change):
    one, held = make(), {"one": [make()]}

    @rt.function
    def by_name(x):
        return x * read(one)

    @rt.function
    def in_containers(x):
        return x * read(held["one"][0])

    before = read(one)
    for _ in range(2):
        assert by_name(np.float64(2.0)) == in_containers(np.float64(2.0)) == 2 * before
    change(one)
    change(held["one"][0])
    assert read(one) != before
    for _ in range(2):
        assert by_name(np.float64(2.0)) == in_containers(np.float64(2.0)) == 2 * read(one)


def test_an_object_that_does_not_change_needs_one_graph():
    template, parser = string.Template("$a!"), parsed()
    f = rt.function(lambda x: x * len(template.substitute(a="bc")) + float(parser["s"]["a"]))
    for _ in range(3):
        assert f(np.float64(2.0)) == 7
    assert "1 graph" in repr(f)
