/** A scene in Python: `twins`, which finds files that are equal. On the way a failing test and a syntax error. */
import type { Scene } from "../../scene.ts";
import { command } from "./command.ts";
import { groups } from "./groups.ts";
import { readme } from "./readme.ts";
import { report } from "./report.ts";
import { scan } from "./scan.ts";
import { sizes } from "./sizes.ts";

const requirements = [
  "Equal files are found by content, whatever their names; each file is read no further than is needed to tell it apart.",
  "Symbolic links are not followed, two names of one file are not copies of each other, and hidden files are left out unless `--hidden` is given.",
  "Sizes are shown as people read them, and `--min-size 10k` leaves smaller files out.",
  "The report shows each group with its size and how much room the copies take; `--json` gives the same to programs.",
  "What cannot be read is named on standard error and does not stop the search; exit code 0 means no copies, 1 copies, 2 trouble.",
  "Only Python's standard library is used, every module has unit tests, and a README shows how to use it.",
];

export const twins: Scene = {
  name: "twins",
  domain: "codebase",
  task: [
    "Write twins, a small command-line program in Python that finds files with equal content below a folder.",
    "",
    ...requirements.map((text, at) => `${at + 1}. ${text}`),
  ].join("\n"),
  matches: (task) => /\bpython\b/i.test(task),
  requirements: requirements.map((text, at) => ({ id: `R${at + 1}`, text })),
  parts: [sizes, scan, groups, report, command, readme],
};
