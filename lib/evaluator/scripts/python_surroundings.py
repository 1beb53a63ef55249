"""What another environment of this Python is made from: where the program is, and where pytest lies with all it needs."""

import json
import os
import re
import sys
from importlib import metadata


def entries_of(package):
    tops = {str(path).split("/")[0] for path in package.files or () if not str(path).startswith(("..", "__pycache__"))}
    return sorted(str(package.locate_file(top)) for top in tops)


def main():
    wanted, shared = ["pytest"], {}
    for name in wanted:
        try:
            package = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        shared[name] = entries_of(package)
        for line in package.requires or ():
            required = re.match(r"[\w.-]+", line).group(0).lower()
            if "extra ==" not in line and required not in wanted:
                wanted.append(required)
    program = os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)
    json.dump({"program": program, "version": "%d.%d" % sys.version_info[:2], "shared": shared}, sys.stdout)


main()
