/** Part 4 of twins: the report. The first draft of the program forgets the form for programs. */
import type { Part } from "../../scene.ts";
import { checks, complete, search, write } from "../calls.ts";
import { source } from "../source.ts";

const reportModule = source`
"""What was found, for people and for programs."""

import json
from typing import List

from twins.groups import Group
from twins.sizes import human


def as_text(groups: List[Group]) -> str:
    """Each group with its paths below it, and the sum at the end."""
    if not groups:
        return "No copies."
    blocks = []
    for group in groups:
        head = f"{len(group.paths)} × {human(group.size)}, {human(group.wasted)} could be freed"
        blocks.append("\n".join([head, *(f"  {path}" for path in group.paths)]))
    total = human(sum(group.wasted for group in groups))
    return "\n\n".join([*blocks, f"In all {total} could be freed."])


def as_json(groups: List[Group]) -> str:
    found = [{"size": group.size, "wasted": group.wasted, "paths": list(group.paths)} for group in groups]
    return json.dumps({"groups": found, "wasted": sum(group.wasted for group in groups)}, indent=2)
`;

const reportTest = source`
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
`;

export const report: Part = {
  title: "Report to people and to programs",
  text: "Write the report as text, with sizes and what could be freed, and the same as JSON for programs. Test both, and the report of nothing found.",
  requirements: ["R3", "R4"],
  firstDraft: {
    text: "Write the report as text, with human sizes. Test it, and the report of nothing found.",
    requirements: ["R3"],
  },
  beats: [
    { say: "Where do sizes become text?", calls: [search("def human|def wasted", "twins/*.py")] },
    {
      say: "Two forms of one report.",
      calls: [write({ "twins/report.py": reportModule, "tests/test_report.py": reportTest }), checks()],
    },
    {
      say: "The report speaks both ways.",
      calls: [complete("twins/report.py: as_text(groups) and as_json(groups).", "The command is next.")],
    },
  ],
};
