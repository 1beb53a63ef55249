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
