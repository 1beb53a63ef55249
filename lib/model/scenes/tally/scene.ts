/** The default scene: `tally`, a command-line ledger in JavaScript. On the way a syntax error and a failing test. */
import type { Scene } from "../../scene.ts";
import { command } from "./command.ts";
import { csv } from "./csv.ts";
import { ledger } from "./ledger.ts";
import { listing } from "./listing.ts";
import { money } from "./money.ts";
import { readme } from "./readme.ts";
import { sums } from "./sums.ts";

const requirements = [
  "`tally add <amount> <category> [note]` appends an entry to a CSV file that any spreadsheet opens; a note may hold commas, quotes and line breaks.",
  "Amounts are exact to the cent, are accepted with a point or a comma, and are never summed as fractions.",
  "`tally list` shows the entries in aligned columns, oldest first; `--month` and `--category` narrow it.",
  "`tally sum` adds up by category, or with `--by month` by month, with each one's share and a bar.",
  "`tally budget <category> <amount>` sets a monthly limit, and `tally budget` shows what is left of each.",
  "What goes wrong is one line that says what was wrong, with exit code 2 for a mistyped command and 1 for a damaged file, whose line is named.",
  "Nothing but Node is needed, every feature has its tests, and a README shows every command.",
];

export const tally: Scene = {
  name: "tally",
  domain: "codebase",
  task: [
    "Write tally, a small command-line program in JavaScript that keeps what I spend in a CSV file and adds it up.",
    "",
    ...requirements.map((text, at) => `${at + 1}. ${text}`),
  ].join("\n"),
  matches: (task) => /\btally\b|\bledger\b/i.test(task),
  requirements: requirements.map((text, at) => ({ id: `R${at + 1}`, text })),
  parts: [money, csv, ledger, listing, sums, command, readme],
};
