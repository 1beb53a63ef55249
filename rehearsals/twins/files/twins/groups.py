"""Finds which files are equal: by size, then by their beginning, and only then by the whole content."""

import hashlib
from collections import defaultdict
from dataclasses import dataclass
from typing import Callable, Hashable, Iterable, List, Optional, Tuple

from twins.scan import Found

BEGINNING = 4096
CHUNK = 1024 * 1024


@dataclass(frozen=True)
class Group:
    size: int
    paths: Tuple[str, ...]

    @property
    def wasted(self) -> int:
        """What the copies take beyond the first."""
        return self.size * (len(self.paths) - 1)


def digest(path: str, limit: Optional[int] = None) -> bytes:
    """SHA-256 of the file, or of its first bytes."""
    hasher = hashlib.sha256()
    with open(path, "rb") as file:
        if limit is not None:
            hasher.update(file.read(limit))
        else:
            while chunk := file.read(CHUNK):
                hasher.update(chunk)
    return hasher.digest()


def find_groups(
    files: Iterable[Found], *, trouble: Callable[[OSError], None] = lambda error: None
) -> List[Group]:
    """Groups of equal files, the ones that waste most first."""
    groups = [list(files)]
    groups = split(groups, lambda found: found.size, trouble)
    groups = split(groups, lambda found: digest(found.path, BEGINNING), trouble)
    groups = split(groups, lambda found: digest(found.path), trouble)
    equal = [Group(group[0].size, tuple(found.path for found in group)) for group in groups]
    return sorted(equal, key=lambda group: (-group.wasted, group.paths))


def split(
    groups: List[List[Found]], key: Callable[[Found], Hashable], trouble: Callable[[OSError], None]
) -> List[List[Found]]:
    """Each group parted by the key; what is alone in its part has no copy and drops out."""
    parts = defaultdict(list)
    for number, group in enumerate(groups):
        for found in group:
            try:
                parts[number, key(found)].append(found)
            except OSError as error:
                trouble(error)
    return [part for part in parts.values() if len(part) > 1]
