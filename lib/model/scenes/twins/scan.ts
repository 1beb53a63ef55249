/** Part 2 of twins: walking the folders. */
import type { Part } from "../../scene.ts";
import { checks, complete, list, write } from "../calls.ts";
import { source } from "../source.ts";

const scanModule = source`
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
`;

const scanTest = source`
import os
import tempfile
import unittest

from twins.scan import scan


class ScanTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name

    def put(self, name, content=b"content"):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
        return path

    def names(self, **wishes):
        return [os.path.relpath(found.path, self.root) for found in scan(self.root, **wishes)]

    def test_files_come_with_their_size_in_order(self):
        self.put("b.txt", b"12345")
        self.put("a/c.txt", b"1")
        self.assertEqual(self.names(), ["b.txt", os.path.join("a", "c.txt")])
        self.assertEqual(next(scan(self.root)).size, 5)

    def test_hidden_files_and_folders_are_left_out_unless_wished(self):
        self.put(".secret")
        self.put(".git/config")
        self.assertEqual(self.names(), [])
        self.assertEqual(len(self.names(hidden=True)), 2)

    def test_small_files_are_left_out(self):
        self.put("empty", b"")
        self.put("small", b"123")
        self.assertEqual(self.names(), ["small"])
        self.assertEqual(self.names(min_size=4), [])

    def test_links_are_not_followed_and_two_names_are_one_file(self):
        path = self.put("a.txt")
        os.symlink(path, os.path.join(self.root, "link.txt"))
        os.link(path, os.path.join(self.root, "name.txt"))
        self.assertEqual(self.names(), ["a.txt"])

    def test_a_folder_that_cannot_be_read_is_told(self):
        troubles = []
        missing = os.path.join(self.root, "missing")
        self.assertEqual(list(scan(missing, trouble=troubles.append)), [])
        self.assertEqual(troubles[0].filename, missing)
`;

export const scan: Part = {
  title: "Walk the folders",
  text: "Write the scan: regular files below a folder with their sizes, in a fixed order, without following links, with hidden and small files left out as wished. Trouble with one file or folder is told and does not end the scan. Test with real files.",
  requirements: ["R2", "R5"],
  beats: [
    { say: "A look at the package before it grows.", calls: [list("twins/")] },
    {
      say: "The scan yields what it finds; whoever calls it says what to do about trouble.",
      calls: [write({ "twins/scan.py": scanModule, "tests/test_scan.py": scanTest }), checks()],
    },
    {
      say: "Folders are walked.",
      calls: [
        complete(
          "twins/scan.py: scan(root, min_size=1, hidden=False, trouble=function of OSError) yields Found(path, size).",
          "Grouping can begin with the sizes: they are known without reading.",
        ),
      ],
    },
  ],
};
