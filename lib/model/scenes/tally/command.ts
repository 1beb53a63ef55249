/** Part 6 of tally: the command. One edit names a text that stands there more than once, and is made again. */
import type { Part } from "../../scene.ts";
import { checks, command as commandLine, complete, edit, read, search, write } from "../calls.ts";
import { bin, commandsModule, commandTest, main } from "./command-files.ts";

const LIST = "    const chosen = inOrder(await chosenEntries(args, world));\n";
const LIST_SAYS_SO = `${LIST}    if (chosen.length === 0) return world.print("No entries.");\n`;

export const command: Part = {
  title: "Put the command together",
  text: "Write the commands add, list, sum, budget and help over the modules, a main function that turns every Problem into one line and its exit code, and the executable. An empty list says so. Test the commands through main, with the folder and the date handed in.",
  requirements: ["R1", "R3", "R4", "R5", "R6"],
  firstDraft: {
    text: "Write the commands add, list, sum and help over the modules, a main function that turns every Problem into one line and its exit code, and the executable. Test the commands through main.",
    requirements: ["R1", "R3", "R4", "R6"],
  },
  beats: [
    {
      say: "I read what the commands will call.",
      calls: [read("src/ledger.js", "src/filter.js", "src/table.js", "src/sums.js", "src/budgets.js")],
    },
    {
      say: "The commands, main, and the executable.",
      calls: [write({ "src/commands.js": commandsModule, "src/main.js": main, "bin/tally.js": bin })],
    },
    {
      say: "An empty list prints an empty line so far. Where are tables printed?",
      calls: [search("print\\(table\\(")],
    },
    {
      say: "A list without entries should say so.",
      calls: [edit("src/commands.js", ["world.print(table(", 'if (rows.length === 0) world.print("No entries.");'])],
    },
    {
      say: "That text stands there several times; the line above the rows of the list stands there once.",
      calls: [edit("src/commands.js", [LIST, LIST_SAYS_SO])],
      instead: [write({ "src/commands.js": commandsModule.replace(LIST, LIST_SAYS_SO) })],
    },
    {
      say: "Now the tests: each runs main as the executable does.",
      calls: [write({ "test/command.test.js": commandTest }), checks()],
    },
    { say: "And once as a person would start it.", calls: [commandLine("node", "bin/tally.js", "help")] },
    {
      say: "The command works.",
      calls: [
        complete(
          "bin/tally.js starts main(args, world) of src/main.js; src/commands.js has add, list, sum, budget, help. Files are ledger.csv and budgets.json in TALLY_HOME or the working folder. Exit codes: 0, 1 damaged file, 2 mistyped.",
          "Only the description for users is left; the note of decisions can go when it is written.",
        ),
      ],
    },
  ],
};
