"""Calls a function of each solution in a process of its own, and compares what it returns in this one.

The solution gets arguments and returns values, both as Python literals; it never meets the tests. On Linux this process
is not dumpable, so a solution can read neither its memory nor its descriptors. The last line of the output begins with a
number that only the caller knows.
"""
import ast
import ctypes
import json
import os
import select
import signal
import subprocess
import sys
import time

SOLUTION = r"""
import ast, importlib, os, resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
channel = os.fdopen(os.dup(1), "wb", buffering=0)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
arguments = os.fdopen(os.dup(0), "rb")
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
sys.path.insert(0, os.getcwd())
module = importlib.import_module("solution")

# The same value without its subclass, such as Counter or IntEnum: it has a literal, and compares as before.
def plain(value):
    if isinstance(value, dict):
        return {plain(key): plain(each) for key, each in value.items()}
    for kind in (list, tuple, set, frozenset):
        if isinstance(value, kind):
            return kind(map(plain, value))
    if isinstance(value, str):
        return str.__str__(value)
    for kind in (bytes, float, complex):
        if isinstance(value, kind):
            return kind(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return int(value)
    return value

for line in arguments:
    name, values = ast.literal_eval(line.decode("ascii"))
    try:
        answer = ascii((True, plain(getattr(module, name)(*values))))
    except Exception as error:
        answer = ascii((False, type(error).__name__))
    channel.write(answer.encode("ascii") + b"\n")
"""
PR_SET_DUMPABLE = 4
ANSWER_BYTES = 4_000_000
# A loop without an end is ended by this; the other limit is for what waits, and large enough for a busy computer.
CPU_SECONDS = 3


class Refused(Exception):
    """The solution answered nothing that is a value."""


class Values(ast.NodeTransformer):
    """`ascii` writes a few values as names and calls, which are no literals."""

    def visit_Name(self, node):
        return ast.Constant(float(node.id)) if node.id in ("inf", "nan") else node

    def visit_Call(self, node):
        if getattr(node.func, "id", None) != "frozenset" or node.keywords or len(node.args) > 1:
            return node
        return ast.Constant(frozenset(*(ast.literal_eval(self.visit(each)) for each in node.args)))


class Solution:
    def __init__(self, folder, deadline, cpu_seconds):
        self.deadline = deadline
        self.rest = b""
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-B", "-c", SOLUTION.replace("CPU_SECONDS", str(cpu_seconds))],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def call(self, name, *values):
        try:
            self.process.stdin.write(ascii((name, values)).encode("ascii") + b"\n")
            self.process.stdin.flush()
        except OSError:
            raise Refused("the solution has ended") from None
        try:
            answer = ast.literal_eval(Values().visit(ast.parse(self.line().decode("ascii"), mode="eval")))
            is_value, value = answer
        except Refused:
            raise
        except Exception:
            raise Refused("the solution returned no value") from None
        if is_value is not True:
            raise Refused(f"the solution raised {str(value)[:40]}")
        return value

    def line(self):
        while b"\n" not in self.rest:
            left = self.deadline - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise Refused("the time is over")
            got = os.read(self.process.stdout.fileno(), 65_536)
            if not got or len(self.rest) > ANSWER_BYTES:
                raise Refused("the solution has ended")
            self.rest += got
        line, self.rest = self.rest.split(b"\n", 1)
        return line

    def end(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except OSError:
            pass
        self.process.wait()


def check_assertions(solution, spec):
    """A test that calls `candidate`; functions of the task's own text may be used in it."""
    def candidate(*values):
        return solution.call(spec["entry"], *values)

    names = {}
    exec(spec["prompt"], names)
    # Some tests call the function by its name.
    names[spec["entry"]] = candidate
    exec(spec["test"], names)
    names["check"](candidate)


def check_case(solution, entry, case):
    values, expected = ast.literal_eval(case)
    found = solution.call(entry, *values)
    assert found == expected and type(found) is type(expected), f"{entry}{values!r}"


def outcome_of(entry):
    spec = entry["spec"]
    count = 1 if "test" in spec else len(spec["cases"])
    if not os.path.isfile(os.path.join(entry["folder"], "solution.py")):
        return [0, count, ["there is no solution.py"]]
    solution = Solution(entry["folder"], time.monotonic() + entry["seconds"], spec.get("cpu", CPU_SECONDS))
    checks = (
        [lambda: check_assertions(solution, spec)]
        if "test" in spec
        else [lambda case=case: check_case(solution, spec["entry"], case) for case in spec["cases"]]
    )
    passed, failures = 0, []
    try:
        for check in checks:
            try:
                check()
                passed += 1
            except Exception as error:
                failures.append(f"{type(error).__name__}: {error}"[:80])
    finally:
        solution.end()
    return [passed, count, failures[:2]]


def main():
    # Elsewhere the kernel has no such call, and no process reads the memory of another one without a right to.
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    asked = json.load(sys.stdin)
    outcomes = [outcome_of(entry) for entry in asked["entries"]]
    print(f"\n{asked['nonce']} {json.dumps(outcomes)}", flush=True)


main()
