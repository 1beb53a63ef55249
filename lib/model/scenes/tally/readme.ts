/** Part 7 of tally: the README, a last try, and tidying up. */
import type { Part } from "../../scene.ts";
import { command, complete, list, remove, write } from "../calls.ts";
import { source } from "../source.ts";

const readmeFile = source`
# tally

Keeps what you spend in a CSV file that any spreadsheet opens, and adds it up. Needs Node 20 or later and nothing else.

This project was written by the rehearsal of L2MAC from a prepared script, not by a language model: it shows
how a run goes. The program is real all the same, and its tests are too.

## Try it

    node bin/tally.js add 12.50 food soup and bread
    node bin/tally.js add 700 rent --date 2026-11-01
    node bin/tally.js list
    node bin/tally.js list --month 2026-11 --category food
    node bin/tally.js sum
    node bin/tally.js sum --by month
    node bin/tally.js budget food 300
    node bin/tally.js budget

\`npm link\` makes it the command \`tally\`. A refund is a negative amount after two dashes:
\`tally add -- -3.20 food\`.

## Where things are

| | |
|---|---|
| \`ledger.csv\` | the entries: date, amount, category, note |
| \`budgets.json\` | monthly limits by category |
| \`TALLY_HOME\` | the folder of both; the working folder where it is not set |

Exit codes: 0 fine, 1 a file is damaged (the message names the line), 2 the command was mistyped.

## Tests

    npm test
`;

export const readme: Part = {
  title: "Describe it, try it, tidy up",
  text: "Write the README with every command, the files and the exit codes. Try the program once more as a user would. Remove the note of decisions, which the code now says itself.",
  requirements: ["R7"],
  beats: [
    { say: "What has come together?", calls: [list()] },
    { say: "The README names every command with an example.", calls: [write({ "README.md": readmeFile })] },
    {
      say: "I try the first example of the README.",
      calls: [command("node", "bin/tally.js", "add", "12.50", "food", "soup", "and", "bread")],
    },
    {
      say: "The note of decisions has served its time: the code and the README say it now.",
      calls: [remove("notes/decisions.md")],
    },
    {
      say: "All seven requirements are there.",
      calls: [complete("README.md describes every command. notes/decisions.md is gone. The program is complete.")],
    },
  ],
};
