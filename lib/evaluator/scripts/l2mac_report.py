"""The report of a test run: line by line, so that a run that dies has reported how far it came, each line sealed.

Nothing here can keep a secret from code that runs in the same process and looks for exactly this. What it holds off is
everything else: other processes, code that writes to the file, code that replaces modules, functions or streams.
"""

import _json
import os
import sys
import time

try:
    from _hashlib import hmac_digest as _digest
except ImportError:
    from hmac import digest as _digest


def read_order():
    """What we are to do comes through standard input, which cannot be read again after us."""
    import json

    parts = []
    for part in iter(lambda: os.read(0, 65536), b""):
        parts.append(part)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return json.loads(b"".join(parts))


def open_report(path, key):
    """A function that writes a line. What it is made of was there before any code of the project."""
    secret = bytes.fromhex(key)
    digest, quoted, getpid = _digest, _json.encode_basestring_ascii, os.getpid
    opened, write, close, flags = os.open, os.write, os.close, os.O_WRONLY | os.O_CREAT | os.O_APPEND
    own, is_text, text_of, float_of = getpid(), str.__instancecheck__, str, float.__repr__
    kinds = (str, int, float)
    state = [0]

    def shown(value, text=kinds[0], whole=kinds[1], real=kinds[2]):
        kind = type(value)
        if kind is real:
            return float_of(value) if value == value and abs(value) < 1e9 else "0"
        return whole.__repr__(value) if kind is whole else quoted(value if kind is text else text_of(value))

    def emit(**line):
        if getpid() != own:  # A test has forked, and its child came to its own end.
            return
        body = "{" + ",".join([f"{quoted(name)}:{shown(value)}" for name, value in line.items()]) + "}"
        signed = f"{state[0]} {body}".encode("ascii")
        state[0] += 1
        file = opened(path, flags, 0o600)
        try:
            write(file, digest(secret, signed, "sha256").hex().encode("ascii") + b" " + signed + b"\n")
        finally:
            close(file)

    return emit


def missing_package(problem):
    """The package whose absence an error comes from, also where pytest has wrapped it."""
    while problem is not None:
        if isinstance(problem, ModuleNotFoundError) and problem.name:
            return problem.name.split(".")[0]
        problem = problem.__cause__
    return None


clock = time.perf_counter


def take_place(main, folders):
    """The project's own modules come after everything that the runner needs, and find nothing of ours."""
    import types

    own = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [os.getcwd(), *folders, *(path for path in sys.path if os.path.abspath(path or ".") != own)]
    # Where the project is installed, every Python finds it.
    if folders and os.environ.pop("EDITABLE_LATER", None) is None:
        os.environ["PYTHONPATH"] = os.pathsep.join(folders)
    stand_in = types.ModuleType("__main__")
    stand_in.__file__ = getattr(main, "__file__", None)
    stand_in.__spec__ = getattr(main, "__spec__", None)
    sys.modules["__main__"] = stand_in
    for name in [name for name in sys.modules if name.startswith("l2mac_")]:
        del sys.modules[name]
