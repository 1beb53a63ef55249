"""Watches that tests are what is run, and that what they assert with is what it was before the project was loaded."""

import functools
import inspect
import types
import unittest
import unittest.case
import unittest.result
import unittest.suite


def callables_in(place):
    """Each function of a module and of its classes, with its code: both can be replaced."""
    found = []
    for name, value in vars(place).items():
        inner = vars(value).items() if isinstance(value, type) and value.__module__ == place.__name__ else ()
        for holder, key, each in [(place, name, value), *((value, key, each) for key, each in inner)]:
            plain = getattr(each, "__func__", each)
            if isinstance(plain, types.FunctionType):
                found.append((holder, key, each, plain, plain.__code__))
    return found


def changed_among(originals, seen=vars, code=types.FunctionType.__code__.__get__):
    """The name of the first that is not what it was."""
    for holder, key, each, plain, body in originals:
        if seen(holder).get(key) is not each or code(plain) is not body:
            return f"{holder.__name__}.{key}"
    return None


def assertions():
    """What unittest's tests assert with and how they are run. Some hundred: this is looked at during each test."""
    wanted = ("assert", "fail", "run", "__call__", "_callTestMethod", "skipTest", "subTest", "addError", "addFailure")
    places = (unittest.case, unittest.result, unittest.suite)
    return [one for place in places for one in callables_in(place) if one[1].startswith(wanted)]


class Run:
    """What is known of one run of one test, from where it is called."""

    def __init__(self):
        self.plain = False
        self.entered = False
        self.problem = None

    def returned(self):
        return self.problem is None and (self.entered or not self.plain)


def observed(test, run, check):
    """The test, reported. A test that is a coroutine is left to those who run it."""
    if inspect.iscoroutinefunction(test) or inspect.isgeneratorfunction(test) or inspect.isasyncgenfunction(test):
        return test
    run.plain = True

    @functools.wraps(test)
    def call(*given, **named):
        __tracebackhide__ = True
        check()
        run.entered = True
        try:
            return test(*given, **named)
        except BaseException as problem:
            run.problem = problem
            raise

    return call
