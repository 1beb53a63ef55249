/** Part 1 of twins: the package, and sizes. A boundary is off by one; the checks show the failing test. */
import type { Part } from "../../scene.ts";
import { testFails } from "../../scene-findings.ts";
import { checks, complete, flawed, write } from "../calls.ts";
import { source } from "../source.ts";

const manifest = source`
[project]
name = "twins"
version = "1.0.0"
description = "Finds files with equal content."
requires-python = ">=3.9"
dependencies = []
`;

const packageModule = source`
"""Finds files with equal content below a folder."""

__version__ = "1.0.0"
`;

const testsPackage = source`
"""Tests of twins: python3 -m unittest runs them all."""
`;

const sizesModule = source`
"""Sizes in bytes, as people write and read them."""

UNITS = ("B", "KB", "MB", "GB", "TB")


def human(count: int) -> str:
    """1536 is 1.5 KB; bytes have no fraction."""
    size = float(count)
    for unit in UNITS:
        if size < 1024 or unit == UNITS[-1]:
            break
        size /= 1024
    return f"{count} B" if unit == "B" else f"{size:.1f} {unit}"


def parse_size(text: str) -> int:
    """10k, 1.5 MB and 300 are sizes; what is not one raises ValueError."""
    letters = text.strip().upper().removesuffix("B")
    power = 0
    if letters[-1:] in ("K", "M", "G", "T"):
        power = "KMGT".index(letters[-1]) + 1
        letters = letters[:-1]
    count = float(letters)
    if not 0 <= count < float("inf"):
        raise ValueError(f"{text!r} is not a size")
    return int(count * 1024**power)
`;

const sizesTest = source`
import unittest

from twins.sizes import human, parse_size


class HumanTest(unittest.TestCase):
    def test_small_sizes_are_bytes(self):
        self.assertEqual(human(0), "0 B")
        self.assertEqual(human(1023), "1023 B")

    def test_a_full_unit_moves_to_the_next(self):
        self.assertEqual(human(1024), "1.0 KB")
        self.assertEqual(human(1024**2), "1.0 MB")
        self.assertEqual(human(1536), "1.5 KB")

    def test_the_largest_unit_takes_the_rest(self):
        self.assertEqual(human(5000 * 1024**4), "5000.0 TB")


class ParseSizeTest(unittest.TestCase):
    def test_sizes_are_read_in_any_unit(self):
        self.assertEqual(parse_size("300"), 300)
        self.assertEqual(parse_size("10k"), 10240)
        self.assertEqual(parse_size("1.5 MB"), 1572864)

    def test_what_is_no_size_is_refused(self):
        for text in ("", "ten", "-1", "inf", "k"):
            with self.assertRaises(ValueError):
                parse_size(text)
`;

const slip = flawed("twins/sizes.py", sizesModule, {
  right: "if size < 1024 or unit",
  wrong: "if size <= 1024 or unit",
});

export const sizes: Part = {
  title: "Lay out the package and read and write sizes",
  text: "Create the project file and the Python package with its tests. Write the module that shows sizes as people read them and reads sizes as people write them. Test the boundaries between units.",
  requirements: ["R3", "R6"],
  repairs: [
    {
      say: "A full unit stays in the smaller one: the comparison must leave 1024 itself out.",
      sees: testFails("test_a_full_unit_moves_to_the_next"),
      ...slip.mend,
    },
  ],
  beats: [
    {
      say: "The package and the package of its tests.",
      calls: [
        write({ "pyproject.toml": manifest, "twins/__init__.py": packageModule, "tests/__init__.py": testsPackage }),
      ],
    },
    {
      say: "Sizes, and tests at the boundaries.",
      calls: [write({ "twins/sizes.py": slip.content, "tests/test_sizes.py": sizesTest })],
    },
    { say: "Do the boundaries hold?", calls: [checks()] },
    {
      say: "Sizes are read and written.",
      calls: [
        complete(
          "The package twins and its tests are laid out for unittest. twins/sizes.py: human(count) and parse_size(text), which raises ValueError.",
          "The scan takes a least size in bytes.",
        ),
      ],
    },
  ],
};
