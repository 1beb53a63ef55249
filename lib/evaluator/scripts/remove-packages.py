"""Removes what packages say that they brought: remove-packages.py SITE_PACKAGES NAME… Nothing of theirs is imported."""

import importlib.metadata
import os
import re
import sys

library, *names = sys.argv[1:]


def remove(path):
    try:
        os.unlink(path)
        os.removedirs(os.path.dirname(path))
    except OSError:
        pass  # It is gone, or its folder holds more.


for package in importlib.metadata.distributions(path=[library]):
    if re.sub(r"[-_.]+", "-", package.metadata["Name"] or "").lower() in names:
        for file in package.files or []:
            remove(package.locate_file(file))
