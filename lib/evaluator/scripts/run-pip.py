"""
Runs pip for another environment, from its empty state, by the Python of this computer: run-pip.py PLACE VENV ARGUMENTS…
Nothing that lies in the environment is imported, and no program is started: packages are data.
"""

import runpy
import sys
from importlib.machinery import PathFinder

place, venv = sys.argv[1:3]
STARTS = ("subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system")


class Pip:
    """Finds pip, and nothing that lies beside it."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        return PathFinder.find_spec(name, [place]) if name == "pip" else None


def refuse(event, arguments):
    # Where musl is the library of C, only its loader knows its version.
    if event.startswith(STARTS) and "/ld-musl-" not in str(arguments[0] if arguments else ""):
        raise PermissionError(f"no program is started while packages are installed: {event}")


sys.addaudithook(refuse)
sys.prefix = sys.exec_prefix = venv
sys.executable = f"{venv}/bin/python"
sys.meta_path.insert(0, Pip)
sys.argv = ["pip", *sys.argv[3:]]
runpy.run_module("pip", run_name="__main__", alter_sys=True)
