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
