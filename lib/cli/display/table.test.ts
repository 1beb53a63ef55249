import { expect, it } from "vitest";
import { columnsOf } from "./columns.ts";
import { table } from "./table.ts";

const COLUMNS = [{ head: "ID" }, { head: "STATE", least: 6 }, { head: "AGE", from: 25 }, { head: "NAME", least: 5 }];
const ROWS = [
  ["1", "waiting (approval)", "3s", "日本語の名前"],
  ["2", "done", "2h05", "short"],
];

it("aligns its columns, wide characters too, where there is room", () => {
  expect(table(COLUMNS, ROWS).split("\n")).toEqual([
    "ID  STATE               AGE   NAME",
    "1   waiting (approval)  3s    日本語の名前",
    "2   done                2h05  short",
    "",
  ]);
});

it.each([
  [
    36,
    [
      "ID  STATE               AGE   NAME",
      "1   waiting (approval)  3s    日本…",
      "2   done                2h05  short",
    ],
  ],
  [30, ["ID  STATE          AGE   NAME", "1   waiting (app…  3s    日本…", "2   done           2h05  short"]],
  [22, ["ID  STATE        NAME", "1   waiting (a…  日本…", "2   done         short"]],
  [10, ["ID  STATE…", "1   waiti…", "2   done …"]],
])("is no wider than %i columns: the last are cut first, and what matters least is left out", (room, lines) => {
  const shown = table(COLUMNS, ROWS, room).trimEnd().split("\n");
  expect(shown).toEqual(lines);
  for (const line of shown) expect(columnsOf(line)).toBeLessThanOrEqual(room);
});
