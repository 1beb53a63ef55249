/** A scene for a tiny context window: what one instruction writes and reads is several times what fits into it. */
import type { Beat, Part, Scene } from "../../scene.ts";
import { checks, complete, read, write } from "../calls.ts";
import { ground } from "./ground.ts";
import { join } from "./join.ts";
import { modulePath, tableModule, tableTest, testPath, type UnitTable } from "./table-module.ts";
import { tablesOfMatter } from "./tables-of-matter.ts";
import { tablesOfSpace } from "./tables-of-space.ts";

const requirements = [
  "Twelve tables of units, each a module of its own with a test.",
  "One function converts between any two units of the same quantity.",
  "A command converts: `units 3 mile km`. A README says how.",
];

const tables = [...tablesOfSpace, ...tablesOfMatter];

/** Each is read back before the next is written: all of it together would fill the window several times. */
const beatsOf = (table: UnitTable, at: number): Beat[] => {
  const before = tables[at - 1];
  const look = before && {
    say: `I read ${before.quantity} back, to write ${table.quantity} alike.`,
    calls: [read(modulePath(before))],
  };
  const files = { [modulePath(table)]: tableModule(table), [testPath(table)]: tableTest(table) };
  return [...(look ? [look] : []), { say: `The table of ${table.quantity}, with its test.`, calls: [write(files)] }];
};

const tablesPart: Part = {
  title: "Write the twelve tables of units",
  text: `Write one module with a test for each of: ${tables.map((table) => table.quantity).join(", ")}. Read each back before the next, so that all are alike.`,
  requirements: ["R1"],
  beats: [
    ...tables.flatMap(beatsOf),
    { say: "All twelve are written. Do their tests pass?", calls: [checks()] },
    {
      say: "The twelve tables stand.",
      calls: [complete("Each quantity has its module in src, named as the quantity, exporting a table of that name.")],
    },
  ],
};

export const units: Scene = {
  name: "units",
  domain: "codebase",
  task: [
    "With a tiny context window, write units: a converter of units in JavaScript.",
    "",
    ...requirements.map((text, at) => `${at + 1}. ${text}`),
  ].join("\n"),
  matches: (task) => /\btiny context window\b/i.test(task),
  requirements: requirements.map((text, at) => ({ id: `R${at + 1}`, text })),
  parts: [ground, tablesPart, join(tables.map((table) => table.quantity))],
};
