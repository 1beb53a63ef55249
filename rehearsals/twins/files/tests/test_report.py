import json
import unittest

from twins.groups import Group
from twins.report import as_json, as_text

GROUPS = [Group(2048, ("a/photo.jpg", "b/photo.jpg", "c.jpg")), Group(10, ("x", "y"))]


class ReportTest(unittest.TestCase):
    def test_a_group_shows_its_size_and_what_could_be_freed(self):
        text = as_text(GROUPS)
        self.assertTrue(text.startswith("3 × 2.0 KB, 4.0 KB could be freed\n  a/photo.jpg\n"))
        self.assertTrue(text.endswith("\n\nIn all 4.0 KB could be freed."))

    def test_nothing_found_says_so(self):
        self.assertEqual(as_text([]), "No copies.")

    def test_programs_get_the_same_in_json(self):
        report = json.loads(as_json(GROUPS))
        self.assertEqual(report["wasted"], 4106)
        self.assertEqual(report["groups"][1], {"size": 10, "wasted": 10, "paths": ["x", "y"]})
