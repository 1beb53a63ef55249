import io
import json
import os
import tempfile
import unittest

from twins.command import main


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name

    def put(self, name, content):
        with open(os.path.join(self.root, name), "w") as file:
            file.write(content)

    def twins(self, *args, folder=None):
        out, err = io.StringIO(), io.StringIO()
        code = main([folder or self.root, *args], out, err)
        return code, out.getvalue(), err.getvalue()

    def test_no_copies_end_with_0(self):
        self.put("a", "one")
        self.assertEqual(self.twins(), (0, "No copies.\n", ""))

    def test_copies_end_with_1(self):
        self.put("a", "same")
        self.put("b", "same")
        code, out, _ = self.twins()
        self.assertEqual(code, 1)
        self.assertIn("In all 4 B could be freed.", out)
        self.assertEqual(json.loads(self.twins("--json")[1])["wasted"], 4)

    def test_a_least_size_leaves_smaller_files_out(self):
        self.put("a", "same")
        self.put("b", "same")
        self.assertEqual(self.twins("--min-size", "1k")[0], 0)

    def test_trouble_ends_with_2_and_is_named(self):
        missing = os.path.join(self.root, "missing")
        code, out, err = self.twins(folder=missing)
        self.assertEqual((code, out), (2, "No copies.\n"))
        self.assertIn(missing, err)
