import { describe, expect, it } from "vitest";
import {
  addItem,
  changeItem,
  findingsIn,
  moveItem,
  readEdit,
  removeItem,
  servedBy,
  startEdit,
  toMarkdown,
  toOutline,
} from "./program-edit.ts";

const program = {
  requirements: [
    { id: "R1", text: "It adds." },
    { id: "R2", text: "It lists." },
  ],
  instructions: [
    { title: "Add", text: "Write add.", requirements: ["R1"], words: { most: 90 } },
    { title: "List", text: "Write list.", requirements: ["R2", "R1"] },
  ],
};

describe("a program that is edited", () => {
  it("is the same where nothing was changed, as an outline and as Markdown", () => {
    const edited = startEdit(program);
    expect(readEdit(edited)).toEqual(program);
    expect(readEdit(toMarkdown(edited))).toEqual(program);
    expect(toOutline(toMarkdown(edited))).toEqual(edited);
  });

  it("can be moved, changed, added to and removed from", () => {
    const moved = moveItem(startEdit(program), 1, 0);
    expect(servedBy(moved, "R1")).toEqual([1, 2]);
    expect(servedBy(moved, "R2")).toEqual([1]);
    const added = changeItem(addItem(moved), 2, { title: "Show", text: "Write show." });
    const read = readEdit(removeItem(added, 0));
    expect(read).toMatchObject({ instructions: [{ title: "List" }, { title: "Show", requirements: [] }] });
  });

  it("says what is wrong with it", () => {
    expect(readEdit(addItem(startEdit(program)))).toEqual({ problem: expect.stringContaining("instruction 3") });
    expect(toOutline({ ...startEdit(program), markdown: "nothing" })).toEqual({
      problem: "line 1, column 1: there is no list; a program is a list with one item per instruction.",
    });
  });

  it("is text where it has loops or checks, and every finding in it is named with its line", () => {
    const loop = '1. {.repeat until={"tests":true} atMost=2}\n\n   1. **Repair**\n\n      Repair it.\n';
    const read = readEdit({ ...startEdit(program), markdown: loop });
    if ("problem" in read) throw new Error(read.problem);
    const edited = startEdit(read);
    expect(edited.markdown).toContain("# Program\n\n1. {.repeat until=");
    expect(toOutline(edited)).toEqual({ problem: expect.stringContaining("edited as Markdown") });
    expect(findingsIn(edited)).toEqual([]);
    const wrong = `${loop.replace(" atMost=2", "")}2. {.assert check={"tests":true}}\n`;
    expect(findingsIn({ ...edited, markdown: wrong })).toEqual([
      expect.stringMatching(/^line 1, column \d+: `repeat` needs `atMost`/),
      expect.stringMatching(/^line 6, column \d+: `assert` needs `otherwise`/),
    ]);
    expect(findingsIn({ ...edited, markdown: `# Requirements\n- R1: a\n# Program\n${loop}` })).toEqual([
      expect.stringMatching(/^Perhaps: line 2, column 1: no instruction serves R1\./),
    ]);
  });
});
