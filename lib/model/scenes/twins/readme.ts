/** Part 6 of twins: the README and a last try. */
import type { Part } from "../../scene.ts";
import { command, complete, write } from "../calls.ts";
import { source } from "../source.ts";

const readmeFile = source`
# twins

Finds files with equal content below a folder. Needs Python 3.9 or later and nothing else.

This project was written by the rehearsal of L2MAC from a prepared script, not by a language model: it shows
how a run goes. The program is real all the same, and its tests are too.

## Try it

    python3 -m twins ~/Pictures
    python3 -m twins --min-size 10k --hidden .
    python3 -m twins --json . > copies.json

It only reads. Files are compared by size first, then by their first 4 KB, and only what is still equal is read whole.
Symbolic links are not followed, and several names of one file (hard links) are no copies.

Exit codes: 0 no copies, 1 copies were found, 2 something could not be read; standard error names it.

## Tests

    python3 -m unittest
`;

export const readme: Part = {
  title: "Describe it and try it",
  text: "Write the README: what it is for, how to start it, what the options do, and the exit codes. Try the program on itself.",
  requirements: ["R6"],
  beats: [
    { say: "The README first.", calls: [write({ "README.md": readmeFile })] },
    { say: "Has the program copies of its own?", calls: [command("python3", "-m", "twins", "--json", ".")] },
    {
      say: "All six requirements are there.",
      calls: [complete("README.md says how to use twins. The program is complete.")],
    },
  ],
};
