/** Part 3 of twins: grouping. Its first writing lacks a colon; the finding in the answer shows it. */
import type { Part } from "../../scene.ts";
import { syntaxErrorIn } from "../../scene-findings.ts";
import { checks, complete, flawed, read, write } from "../calls.ts";
import { source } from "../source.ts";

const groupsModule = source`
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
`;

const groupsTest = source`
import os
import tempfile
import unittest

from twins.groups import BEGINNING, Group, find_groups
from twins.scan import Found, scan


class GroupsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name

    def put(self, name, content):
        with open(os.path.join(self.root, name), "wb") as file:
            file.write(content)

    def groups(self):
        return [[os.path.basename(path) for path in group.paths] for group in find_groups(scan(self.root))]

    def test_equal_files_are_grouped_whatever_their_names(self):
        self.put("a.txt", b"same")
        self.put("b.jpg", b"same")
        self.put("c.txt", b"else")
        self.assertEqual(self.groups(), [["a.txt", "b.jpg"]])

    def test_files_that_differ_only_at_their_end_are_no_copies(self):
        self.put("a", b"x" * BEGINNING + b"1")
        self.put("b", b"x" * BEGINNING + b"2")
        self.assertEqual(self.groups(), [])

    def test_the_group_that_wastes_most_comes_first(self):
        for name in ("a", "b", "c"):
            self.put(name, b"three")
        for name in ("d", "e"):
            self.put(name, b"longer than fifteen bytes")
        self.assertEqual(self.groups(), [["d", "e"], ["a", "b", "c"]])

    def test_a_file_that_vanished_is_told(self):
        self.put("a", b"same")
        troubles = []
        gone = Found(os.path.join(self.root, "gone"), 4)
        found = [*scan(self.root), gone]
        self.assertEqual(find_groups(found, trouble=troubles.append), [])
        self.assertEqual(troubles[0].filename, gone.path)

    def test_the_first_copy_is_not_waste(self):
        self.assertEqual(Group(10, ("a", "b", "c")).wasted, 20)
`;

const slip = flawed("twins/groups.py", groupsModule, {
  right: "for number, group in enumerate(groups):",
  wrong: "for number, group in enumerate(groups)",
});

export const groups: Part = {
  title: "Group equal files",
  text: "Write the grouping: part the files by size, then by their first bytes, then by the whole content, and keep only groups of two and more. No file is read further than needed. Files that cannot be read are told and left out. Test files that differ only at their end.",
  requirements: ["R1", "R5"],
  repairs: [
    {
      say: "The loop over the groups lacks its colon.",
      sees: syntaxErrorIn("twins/groups.py"),
      calls: [...slip.mend.calls, checks()],
      instead: [...(slip.mend.instead ?? []), checks()],
    },
  ],
  beats: [
    { say: "What does the scan hand over?", calls: [read("twins/scan.py")] },
    {
      say: "One function parts groups by a key; it is called three times, each time with a dearer key.",
      calls: [write({ "twins/groups.py": slip.content, "tests/test_groups.py": groupsTest })],
    },
    {
      say: "Equal files are found.",
      calls: [
        complete(
          "twins/groups.py: find_groups(files, trouble=…) gives Group(size, paths) with .wasted, the most wasteful first.",
          "The report needs only groups and human sizes.",
        ),
      ],
    },
  ],
};
