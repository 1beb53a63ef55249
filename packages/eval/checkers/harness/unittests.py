"""Runs test cases of `unittest` whose texts come from standard input, behind a key that it prints after the last one."""
import json
import math
import os
import sys
import types
import unittest

PLAIN = (bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, type(None))
base_equal = unittest.TestCase.assertEqual


def is_honest(value):
    """Whether its type decides nothing about what it equals: it is one of Python or of its library."""
    if type(value).__eq__ not in [each.__eq__ for each in type(value).__mro__ if is_of_python(each)]:
        return False
    if isinstance(value, dict):
        return all(is_honest(each) for pair in value.items() for each in pair)
    return not isinstance(value, (list, tuple, set, frozenset)) or all(is_honest(each) for each in value)


def is_of_python(kind):
    return kind.__module__ == "builtins" or kind.__module__.partition(".")[0] in sys.stdlib_module_names


def equal(case, first, second, msg=None):
    """A value of Python equals values of Python only."""
    for one, other in ((first, second), (second, first)):
        if isinstance(one, PLAIN) and is_honest(one) and not is_honest(other):
            raise case.failureException("the solution returned a value that decides what it equals")
    base_equal(case, first, second, msg)


class Canary(unittest.TestCase):
    """Each of these fails, unless a solution changed what tests are made of."""

    def test_equal(self):
        self.assertEqual(1, 2)

    def test_true(self):
        self.assertTrue(False)

    def test_raises(self):
        with self.assertRaises(ValueError):
            pass

    def test_assert(self):
        assert math.inf < 0


def outcome_of(suite):
    result = unittest.TestResult()
    suite.run(result)
    return result


def main():
    """Key and channel are names of this call alone: a solution can import `__main__` and read all names of the module."""
    channel = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    key, _, rest = sys.stdin.read().partition("\n")
    sys.path.insert(0, os.getcwd())
    passed, why = tested(json.loads(rest)["tests"])
    channel.write("\n%s passed\n" % key if passed else "\n%s\n" % why)
    channel.flush()
    os._exit(0 if passed else 1)


def tested(tests):
    load = unittest.defaultTestLoader.loadTestsFromTestCase
    unittest.TestCase.assertEqual = equal
    passed, why = True, ""
    for name, source in tests.items():
        module = types.ModuleType(name)
        sys.modules[name] = module
        exec(compile(source, name + ".py", "exec"), module.__dict__)
        kinds = [each for each in vars(module).values() if isinstance(each, type) and issubclass(each, unittest.TestCase)]
        result = outcome_of(unittest.TestSuite(load(each) for each in kinds if each is not unittest.TestCase))
        canary = outcome_of(load(Canary))
        if result.testsRun < 1 or len(canary.failures) != 4 or not result.wasSuccessful():
            passed = False
            failures = result.failures + result.errors + [(None, "the tests were changed")]
            why = failures[0][1].strip().split("\n")[-1]
    return passed, why


main()
