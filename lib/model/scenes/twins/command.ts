/** Part 5 of twins: the command. One edit names a text that stands there twice, and is made again. */
import type { Part } from "../../scene.ts";
import { checks, complete, edit, write } from "../calls.ts";
import { source } from "../source.ts";

const commandModule = source`
"""The command: twins FOLDER."""

import argparse
import sys
from typing import List, Optional

from twins.groups import find_groups
from twins.report import as_json, as_text
from twins.scan import scan
from twins.sizes import parse_size


def main(argv: Optional[List[str]] = None, out=None, err=None) -> int:
    """Exit code 0: no copies, 1: copies, 2: something could not be read."""
    out = out or sys.stdout
    err = err or sys.stderr
    wishes = parser().parse_args(argv)
    troubles = []

    def trouble(error: OSError) -> None:
        troubles.append(error)
        print(f"twins: {error.filename}: {error.strerror}", file=err)

    files = scan(wishes.folder, min_size=wishes.min_size, hidden=wishes.hidden, trouble=trouble)
    groups = find_groups(files, trouble=trouble)
    print(as_json(groups) if wishes.json else as_text(groups), file=out)
    if troubles:
        return 2
    return 1 if groups else 0


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(prog="twins", description="Finds files with equal content below a folder.")
    result.add_argument("folder", nargs="?", default=".")
    result.add_argument("--min-size", type=parse_size, default=1, metavar="SIZE")
    result.add_argument("--hidden", action="store_true", help="look into hidden files and folders too")
    result.add_argument("--json", action="store_true", help="report in JSON")
    return result
`;

const entry = source`
import sys

from twins.command import main

sys.exit(main())
`;

const commandTest = source`
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
`;

const SIZE_OPTION = `"--min-size", type=parse_size, default=1, metavar="SIZE"`;
const SIZE_OPTION_SAID = `"--min-size", type=parse_size, default=1, metavar="SIZE", help="such as 10k or 1.5M"`;

export const command: Part = {
  title: "Make it a command",
  text: "Write the command: arguments, options, reports on standard output, trouble on standard error, and the exit codes. It also starts as a module of Python. Test it through its main function.",
  requirements: ["R3", "R4", "R5"],
  firstDraft: {
    text: "Write the command: arguments, options, the report on standard output, trouble on standard error, and the exit codes. It also starts as a module of Python. Test it through its main function.",
    requirements: ["R3", "R5"],
  },
  beats: [
    {
      say: "The command only joins what is there.",
      calls: [
        write({ "twins/command.py": commandModule, "twins/__main__.py": entry, "tests/test_command.py": commandTest }),
      ],
    },
    {
      say: "The option for the least size should say what it takes.",
      calls: [edit("twins/command.py", ["parse_size", "parse_size  # such as 10k"])],
    },
    {
      say: "That name is there twice, in the import and in the option: I name the whole option.",
      calls: [edit("twins/command.py", [SIZE_OPTION, SIZE_OPTION_SAID])],
      instead: [write({ "twins/command.py": commandModule.replace(SIZE_OPTION, SIZE_OPTION_SAID) })],
    },
    { say: "All checks, of all modules.", calls: [checks()] },
    {
      say: "The command is there.",
      calls: [
        complete(
          "twins/command.py: main(argv, out, err) gives the exit code; python3 -m twins starts it.",
          "The README is left.",
        ),
      ],
    },
  ],
};
