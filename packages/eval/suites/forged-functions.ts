/** Python modules that try to pass a check of `FUNCTION` without solving it. `eval doctor` shows that none does. */

/** Equal to everything, and printed as something that counts as passed. */
const EQUAL_TO_ALL = `
class Equal:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __bool__(self): return True
    def __repr__(self): return "(True, True)"
def FUNCTION(*values):
    return Equal()
`;

/** Ends at once, as a success. */
const ENDS = `
import sys
print("ok")
sys.exit(0)
`;

const ENDS_AT_ONCE = `
import os
print("1 passed, 0 failed", flush=True)
os._exit(0)
`;

/** Answers what the checker reports, to all that it can write to. */
const WRITES_RESULTS = `
import os, builtins
for process in (os.getppid(), 1):
    try:
        for name in os.listdir("/proc/%d/fd" % process):
            with open("/proc/%d/fd/%s" % (process, name), "w") as place:
                place.write("[[1, 1, []]]\\nok\\n")
    except OSError:
        pass
builtins.AssertionError = BaseException
def FUNCTION(*values):
    return True
`;

/** Looks for the tests, and for the number that the last line begins with, in the process that checks. */
const READS_TESTS = `
import os
found = []
for place in ("mem", "environ", "cmdline", "fd/0"):
    try:
        found.append(open("/proc/%d/%s" % (os.getppid(), place), "rb").read(1_000_000))
    except (OSError, ValueError):
        pass
def FUNCTION(*values):
    return found
`;

/** Lays out what configures test runners. */
const CONFIGURES = `
import os, pathlib
here = pathlib.Path(__file__).parent
for folder in (here, here.parent):
    for name in ("conftest.py", "sitecustomize.py", "usercustomize.py", "ast.py", "json.py"):
        try:
            (folder / name).write_text("import os\\nos._exit(0)\\n")
        except OSError:
            pass
def FUNCTION(*values):
    return values
`;

export const FUNCTION_FORGERIES = [EQUAL_TO_ALL, ENDS, ENDS_AT_ONCE, WRITES_RESULTS, READS_TESTS, CONFIGURES];

export const HANGING_FUNCTION = `
def FUNCTION(*values):
    while True:
        pass
`;
