"""Runs test files with unittest, where pytest is not to be had. Arguments: the files."""

import importlib
import os
import sys
import time
import traceback
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from l2mac_test_report import emit, missing_package  # noqa: E402


class Report(unittest.TestResult):
    def startTest(self, test):
        super().startTest(test)
        self.began = time.perf_counter()
        self.told = False
        emit(event="start", name=test.id())

    def stopTest(self, test):
        super().stopTest(test)
        if not self.told:
            self.tell(test, "passed")

    def addError(self, test, err):
        super().addError(test, err)
        self.tell(test, "error", err)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.tell(test, "failed", err)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.tell(test, "skipped")

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self.tell(test, "skipped")

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.tell(test, "failed", text="passed, though it was expected to fail")

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.tell(test, "failed" if issubclass(err[0], test.failureException) else "error", err)

    def tell(self, test, status, err=None, text=""):
        self.told = True
        missing = missing_package(err[1]) if err else None
        emit(
            event="case",
            name=test.id(),
            status=status,
            seconds=time.perf_counter() - getattr(self, "began", time.perf_counter()),
            message="".join(traceback.format_exception(*err)) if err else text,
            **({"missing": missing} if missing else {}),
        )


def suite_of(path):
    """None where the file cannot be loaded."""
    try:
        module = importlib.import_module(module_name(path))
    except BaseException as problem:
        missing = missing_package(problem)
        emit(
            event="case",
            name=path,
            status="error",
            message=traceback.format_exc(),
            **({"missing": missing} if missing else {}),
        )
        return None
    if any(name.startswith("test") and callable(value) for name, value in vars(module).items()):
        emit(event="unseen", name=path, needs="pytest")
    return unittest.defaultTestLoader.loadTestsFromModule(module)


def module_name(path):
    """Puts the folder above the file's package on the path, as pytest does."""
    folder, name = os.path.split(path)
    parts = [os.path.splitext(name)[0]]
    while folder and os.path.exists(os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
        parts.insert(0, name)
    sys.path.insert(0, os.path.abspath(folder))
    return ".".join(parts)


def main(paths):
    sys.path.insert(0, os.getcwd())
    result = Report()
    suites = [suite_of(path) for path in paths]
    for suite in suites:
        if suite is not None:
            suite.run(result)
    failed = None in suites or not result.wasSuccessful()
    status = 1 if failed else 0 if result.testsRun else 5
    emit(event="end", exit=status)
    sys.exit(status)


main(sys.argv[1:])
