"""The texts of files, kept from one request to the next for as long as the files do not change."""

import os
import time

from python_modules import LARGEST_BYTES

KEPT_BYTES = 64 * 1024 * 1024
#: A file may change twice within one tick of the clock.
SETTLED_NS = 200_000_000


class Texts:
    def __init__(self):
        self.kept = {}
        self.large = set()
        self.left = KEPT_BYTES

    def look_at(self, paths):
        """Reads what is new, and forgets what is not asked for any more. Nothing is parsed."""
        before, self.kept, self.large, self.left = self.kept, {}, set(), KEPT_BYTES
        now = time.time_ns()
        for path in paths:
            try:
                found = os.stat(path)
                if found.st_size > LARGEST_BYTES:
                    self.large.add(path)
                    continue
                stamp = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
                self.left -= found.st_size
                if self.left < 0:
                    continue
                if path in before and before[path][0] == stamp:
                    self.kept[path] = before[path]
                else:
                    is_settled = now - found.st_ctime_ns > SETTLED_NS
                    self.kept[path] = (stamp if is_settled else None, read(path))
            except OSError:
                continue

    def is_large(self, path):
        return path in self.large

    def read(self, path):
        return self.kept[path][1] if path in self.kept else read(path)


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""
