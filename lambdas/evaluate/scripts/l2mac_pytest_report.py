"""A pytest plugin: reports every case as it ends."""

import pytest
from l2mac_test_report import emit, missing_package


def pytest_runtest_logstart(nodeid):
    emit(event="start", name=nodeid)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    if call.excinfo is not None:
        outcome.get_result().l2mac_missing = missing_package(call.excinfo.value)


def pytest_exception_interact(node, call, report):
    report.l2mac_missing = missing_package(call.excinfo.value)
    if isinstance(report, pytest.CollectReport):
        emit_case(report.nodeid or str(node), "error", report)


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        failed = "failed" if report.when == "call" else "error"
        emit_case(report.nodeid, failed if report.outcome == "failed" else report.outcome, report)


def emit_case(name, status, report):
    message = report.longreprtext if status in ("failed", "error") else ""
    missing = getattr(report, "l2mac_missing", None)
    seconds = getattr(report, "duration", 0)
    emit(event="case", name=name, status=status, seconds=seconds, message=message, **({"missing": missing} if missing else {}))


def pytest_sessionfinish(exitstatus):
    emit(event="end", exit=int(exitstatus))
