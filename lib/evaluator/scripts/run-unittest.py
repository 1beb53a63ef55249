"""Runs tests with unittest. Standard input: as for pytest. Arguments: the files; or after `plain` the command that runs
them, as a program that makes use of unittest (`manage.py test`) or `-m` and a module.
"""

import importlib
import os
import runpy
import sys
import traceback
import unittest


def create_runner(order, report, watch):
    emit = report.open_report(order["report"], order["key"])
    missing_package, clock = report.missing_package, report.clock
    asserting, noted = watch.assertions(), []
    changed, observed, Run = watch.changed_among, watch.observed, watch.Run

    def tampered(what):
        if not noted:
            noted.append(what)
            emit(event="tampered", what=what)

    def check():
        replaced = changed(asserting)
        if replaced:
            tampered(f"{replaced} was replaced")

    begun, complete = [], []

    class Cases:
        def startTestRun(self):
            super().startTestRun()
            begun.append(self)
            check()
            canaries()

        def printErrors(self):
            # The runner comes here only after all its tests.
            super().printErrors()
            check()
            canaries()
            complete.append(self)

        def startTest(self, test):
            super().startTest(test)
            self.began = clock()
            self.noted = False
            self.run = Run()
            name = getattr(test, "_testMethodName", None)
            if name is not None and callable(getattr(test, name, None)):
                setattr(test, name, observed(getattr(test, name), self.run, check))
            emit(event="start", name=test.id())

        def stopTest(self, test):
            super().stopTest(test)
            if self.noted:
                return
            if not self.run.returned():
                tampered(f"{test.id()} is reported as passed, which is not what happened")
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
            self.noted = True
            missing = missing_package(err[1]) if err else None
            emit(
                event="case",
                name=test.id(),
                status=status,
                seconds=clock() - getattr(self, "began", clock()),
                message="".join(traceback.format_exception(*err)) if err else text,
                **({"missing": missing} if missing else {}),
            )

    class Report(Cases, unittest.TestResult):
        pass

    class Shown(Cases, unittest.TextTestResult):
        pass

    def canaries():
        """Tests of ours: one that must fail, and one that must pass."""
        for fails in (True, False):
            name = f"test_{os.urandom(8).hex()}"
            case = type(name, (unittest.TestCase,), {name: lambda self: self.assertEqual(len(os.urandom(0)), int(fails))})
            result = unittest.TestResult()
            case(name).run(result)
            if result.wasSuccessful() == fails or result.testsRun != 1:
                tampered(f"a test of ours that must have {'failed' if fails else 'passed'} did not")

    def run(paths):
        result = Report()
        suites = [suite_of(path, emit, missing_package) for path in paths]
        check()
        canaries()
        for suite in suites:
            if suite is not None:
                suite.run(result)
        check()
        canaries()
        failed = None in suites or not result.wasSuccessful()
        status = 1 if failed else 0 if result.testsRun else 5
        emit(event="end", exit=status)
        return status

    def run_plain(argv):
        """The command as it is; its cases are reported on the way."""
        unittest.TextTestRunner.resultclass = Shown
        module = argv[1] if argv[0] == "-m" else None
        sys.argv[:] = argv[1:] if module else argv
        try:
            if module:
                runpy.run_module(module, run_name="__main__", alter_sys=True)
            else:
                sys.path.insert(0, os.path.abspath(os.path.dirname(argv[0])))
                runpy.run_path(argv[0], run_name="__main__")
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
            if not isinstance(end.code, int) and end.code is not None:
                print(end.code, file=sys.stderr)
        except BaseException as problem:
            status = 1
            missing = missing_package(problem)
            more = {"missing": missing} if missing else {}
            emit(event="case", name=" ".join(argv), status="error", message=traceback.format_exc(), **more)
        if not begun and not status:
            status = 5  # It is no runner of unittest's: what it says of itself is not known.
        if len(complete) == len(begun) or status:
            emit(event="end", exit=int(status))
        return int(status)

    return run, run_plain


def suite_of(path, emit, missing_package):
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
    import l2mac_report as report
    import l2mac_watch as watch

    order = report.read_order()
    run, run_plain = create_runner(order, report, watch)
    report.take_place(unittest, order["folders"])
    status = run_plain(paths[1:]) if paths[:1] == ["plain"] else run(paths)
    sys.stdout.flush()
    sys.exit(status)


if __name__ == "__main__":
    main(sys.argv[1:])
