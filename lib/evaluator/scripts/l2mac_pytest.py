"""A plugin of pytest: reports every case as it ends, and what does not fit what was seen to happen."""

import fnmatch
import importlib
import os
import sys
import types
import unittest

import _pytest.outcomes
import _pytest.runner
import _pytest.unittest
import pytest
from l2mac_ignored import depends_on_surroundings, holds_tests
from l2mac_report import missing_package
from l2mac_watch import Run, assertions, callables_in, changed_among, observed


def loaded(*names):
    """Which modules there are depends on the version."""
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError:
            pass
    return tuple(sys.modules[name] for name in names if name in sys.modules)


MACHINERY = (pytest, *loaded(*("_pytest." + name for name in ("runner", "reports", "python", "unittest", "outcomes"))))
#: Older versions have `raises` elsewhere.
RAISING = loaded("_pytest.raises", "_pytest.python_api")
PLUGGY = loaded("pluggy._callers", "pluggy._result", "pluggy.callers")
#: By which a project's own code decides what tests there are.
DECIDING = ("pytest_collection_modifyitems", "pytest_collection", "pytest_collection_finish", "pytest_deselected")
HIDING = ("pytest_ignore_collect", "pytest_collect_file", "pytest_collect_directory", "pytest_pycollect_makemodule")
IGNORING = ("collect_ignore", "collect_ignore_glob")
NAMING = ("pytest_pycollect_makeitem", "pytest_itemcollected", "pytest_make_collect_report")


def create_plugin(emit, files, is_plugin):
    """`files`: the project's test files, by their names. `is_plugin`: the project is loaded as a plugin, like any other."""
    runs, reported, collected, wanted, noted, originals = {}, set(), [], [], [], []
    asserting, root = assertions(), os.getcwd() + os.sep
    changed, run_protocol = changed_among, _pytest.runner.runtestprotocol
    skipping = (_pytest.outcomes.Skipped, unittest.SkipTest)

    def tampered(what):
        if not noted:
            noted.append(what)
            emit(event="tampered", what=what)

    def check(among=None):
        replaced = changed(asserting if among is None else among)
        if replaced:
            tampered(f"{replaced} was replaced")

    def watch(kind):
        original = kind.runtest

        def runtest(item):
            __tracebackhide__ = True
            run = runs[item.nodeid] = Run()
            item.obj = observed(item.obj, run, check)
            if getattr(item, "_testcase", None) is not None:  # Older versions look for the method there.
                setattr(item._testcase, item.name, item.obj)
            try:
                return original(item)
            except BaseException as problem:
                run.problem = run.problem or problem
                raise

        kind.runtest = runtest

    def begin():
        watch(pytest.Function)
        watch(_pytest.unittest.TestCaseFunction)
        for module in (*MACHINERY, *RAISING, *PLUGGY):
            originals.extend(callables_in(module))

    def is_own(hook):
        code = getattr(getattr(hook.function, "__func__", hook.function), "__code__", None)
        return code is not None and os.path.abspath(code.co_filename).startswith(root)

    def owns(config, names):
        """The project's file that implements one of these hooks."""
        for name in names:
            for hook in getattr(config.hook, name).get_hookimpls() if hasattr(config.hook, name) else ():
                if is_own(hook):
                    return os.path.relpath(hook.function.__code__.co_filename)
        return None

    def ignores(config):
        for plugin in config.pluginmanager.get_plugins():
            if any(getattr(plugin, name, None) for name in IGNORING):
                if str(getattr(plugin, "__file__", "")).startswith(root):
                    return os.path.relpath(plugin.__file__)
        return None

    def looked_at(path, config):
        """Whether the runner looks there by its settings, if nothing hides the file."""
        folders = [os.path.relpath(str(arg).split("::")[0]) for arg in config.args]
        inside = any(folder == "." or path == folder or path.startswith(folder + os.sep) for folder in folders)
        skipped = any(fnmatch.fnmatch(part, each) for part in path.split("/")[:-1] for each in config.getini("norecursedirs"))
        named = any(fnmatch.fnmatch(os.path.basename(path), each) for each in config.getini("python_files"))
        return inside and named and not skipped

    def judged(report):
        """Why what is reported cannot be what happened."""
        run = runs.get(report.nodeid)
        if run is None:
            return report.nodeid in functions and report.outcome == "passed"
        if report.outcome == "passed":
            return not run.returned()
        failing = run.problem is not None and not isinstance(run.problem, skipping)
        return report.outcome == "skipped" and failing and not hasattr(report, "wasxfail")

    functions = set()

    class Plugin:
        @pytest.hookimpl(hookwrapper=True, tryfirst=True)
        def pytest_cmdline_main(self, config):
            # Workers would report to each other, and not to us.
            if hasattr(config.option, "numprocesses"):
                config.option.numprocesses, config.option.dist, config.option.tx = None, "no", []
            yield

        @pytest.hookimpl(hookwrapper=True, tryfirst=True)
        def pytest_load_initial_conftests(self):
            # Plugins that are installed have had their say; of the project nothing is loaded yet.
            if not is_plugin:
                begin()
            yield

        def pytest_itemcollected(self, item):
            collected.append(item.nodeid)

        @pytest.hookimpl(hookwrapper=True, tryfirst=True)
        def pytest_runtestloop(self, session):
            self.settle(session)
            canaries(session)
            yield
            check()
            check(originals)
            canaries(session)

        def settle(self, session):
            check()
            check(originals)
            wanted.extend(item.nodeid for item in session.items)
            if not getattr(session.config.option, "forked", False):  # There tests run in processes of their own.
                functions.update(item.nodeid for item in session.items if isinstance(item, pytest.Function))
            lost = len(collected) - len(wanted)
            if lost <= 0:
                return
            option = session.config.option
            chosen = option.keyword or option.markexpr or option.deselect or getattr(option, "lf", False)
            by = None if chosen else owns(session.config, DECIDING)
            if by:
                tampered(f"{by} takes {lost} of {len(collected)} tests out of the run")
            else:
                emit(event="left", what=f"{lost} of {len(collected)} tests, which the project's settings deselect")

        def pytest_runtest_logstart(self, nodeid):
            emit(event="start", name=nodeid)

        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_makereport(self, item, call):
            outcome = yield
            if call.excinfo is not None:
                outcome.get_result().l2mac_missing = missing_package(call.excinfo.value)

        def pytest_exception_interact(self, node, call, report):
            report.l2mac_missing = missing_package(call.excinfo.value)
            if getattr(report, "when", None) == "collect":
                reported.add(report.nodeid)
                emit_case(report.nodeid or str(node), "error", report)

        def pytest_runtest_logreport(self, report):
            if report.when == "call" or report.outcome != "passed":
                reported.add(report.nodeid)
                if report.when == "call" and judged(report):
                    tampered(f"{report.nodeid} is reported as {report.outcome}, which is not what happened")
                failed = "failed" if report.when == "call" else "error"
                emit_case(report.nodeid, failed if report.outcome == "failed" else report.outcome, report)

        def finish(self, status, config):
            if status == 0 and len(set(wanted) - reported) > 0:
                tampered(f"{len(set(wanted) - reported)} tests were never run")
            seen = {name.split("::")[0] for name in (*collected, *reported)}
            silent = [path for path in files if path not in seen and holds_tests(path)]
            if not silent:
                return
            hidden = [path for path in silent if config and looked_at(path, config)]
            by = hidden and (owns(config, HIDING + NAMING) or ignores(config))
            if by and not depends_on_surroundings(by, HIDING + NAMING + IGNORING):
                silent = hidden
                tampered(f"{by} hides the tests of {', '.join(silent[:3])}")
            else:
                emit(event="left", what=f"the tests of {', '.join(silent[:5])}, where the runner does not look")

    def emit_case(name, status, report):
        message = report.longreprtext if status in ("failed", "error") else ""
        missing = getattr(report, "l2mac_missing", None)
        seconds = float(getattr(report, "duration", 0))
        more = {"missing": missing} if missing else {}
        emit(event="case", name=name, status=status, seconds=seconds, message=message, **more)

    def canaries(session):
        """Tests of ours, by names that cannot be guessed."""
        for test, expected in CANARIES:
            try:
                item = canary(session, test)
            except (TypeError, AttributeError):  # This version makes its tests in another way.
                return
            item.repr_failure = lambda *_: ""
            item.repr_failure = lambda problem, style=None: ""
            for report in run_protocol(item, log=False, nextitem=None):
                if report.when == "call" and report.outcome not in (expected, "skipped"):
                    tampered(f"a test of ours that must have {expected} is reported as {report.outcome}")

    def canary(session, test):
        name = f"test_{os.urandom(8).hex()}"
        module = pytest.Module.from_parent(session, path=session.config.rootpath / f"{name}.py")
        module.obj = types.ModuleType(name)
        nothing = sys.modules["_pytest.fixtures"].FuncFixtureInfo((), (), [], {})
        call = types.FunctionType(test.__code__, test.__globals__, name)
        return pytest.Function.from_parent(module, name=name, callobj=call, fixtureinfo=nothing)

    if is_plugin:
        begin()
    return Plugin()


def fails_plainly():
    assert len(os.urandom(0)) == 1


def fails_in_unittest():
    unittest.TestCase().assertEqual(1, len(os.urandom(0)))


def fails_to_raise():
    with pytest.raises(ValueError):
        len(os.urandom(0))


def passes():
    unittest.TestCase().assertEqual(0, len(os.urandom(0)))


CANARIES = (
    (fails_plainly, "failed"),
    (fails_in_unittest, "failed"),
    (fails_to_raise, "failed"),
    (passes, "passed"),
)
