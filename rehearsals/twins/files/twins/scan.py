"""Walks a folder and finds the files that may have copies."""

import os
import stat
from dataclasses import dataclass
from typing import Callable, Iterator


@dataclass(frozen=True)
class Found:
    path: str
    size: int


def scan(
    root: str,
    *,
    min_size: int = 1,
    hidden: bool = False,
    trouble: Callable[[OSError], None] = lambda error: None,
) -> Iterator[Found]:
    """Regular files in the order of their paths. Links are not followed; of several names of one file the first counts."""
    seen = set()
    for folder, folders, names in os.walk(root, onerror=trouble):
        folders[:] = sorted(name for name in folders if hidden or not name.startswith("."))
        for name in sorted(names):
            if name.startswith(".") and not hidden:
                continue
            path = os.path.join(folder, name)
            try:
                status = os.lstat(path)
            except OSError as error:
                trouble(error)
                continue
            identity = (status.st_dev, status.st_ino)
            if not stat.S_ISREG(status.st_mode) or status.st_size < min_size or identity in seen:
                continue
            seen.add(identity)
            yield Found(path, status.st_size)
