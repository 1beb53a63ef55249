"""Writes what happens in a test run, line by line, so that a run that dies has still told how far it came."""

import json
import os


def emit(**line):
    with open(os.environ["L2MAC_REPORT"], "a", encoding="utf-8", errors="backslashreplace") as file:
        file.write(json.dumps(line) + "\n")


def missing_package(problem):
    """The package whose absence an error comes from, also where pytest has wrapped it."""
    while problem is not None:
        if isinstance(problem, ModuleNotFoundError) and problem.name:
            return problem.name.split(".")[0]
        problem = problem.__cause__
    return None
