import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createUnsealing, newKey } from "./sealed-lines.ts";

const key = newKey();
const sealed = (number: number, line: string, by = key): string => {
  const signed = `${number} ${line}`;
  return `${createHmac("sha256", Buffer.from(by, "hex")).update(signed).digest("hex")} ${signed}\n`;
};

function unsealedLines(text: string, by: string): { lines: string[]; tampered?: string } {
  const unseal = createUnsealing(by);
  const lines: string[] = [];
  for (const each of text.split("\n").slice(0, -1)) {
    const own = unseal(each);
    if ("tampered" in own) return { lines, ...own };
    lines.push(own.line);
  }
  return { lines };
}

describe("the lines of a sealed report", () => {
  it("are read in their order", () => {
    expect(unsealedLines(sealed(0, '{"a":1}') + sealed(1, '{"b":"ü"}'), key)).toEqual({
      lines: ['{"a":1}', '{"b":"ü"}'],
    });
  });
  it("may end in the middle of one, where the runner was ended", () => {
    expect(unsealedLines(sealed(0, "{}") + sealed(1, "{}").slice(0, -9), key)).toEqual({ lines: ["{}"] });
    expect(unsealedLines("", key)).toEqual({ lines: [] });
  });
  it.each([
    [
      "a line without a seal",
      `${sealed(0, "{}")}{"event":"end","exit":0}\n${sealed(1, "{}")}`,
      "line 2 of the report is not the runner's own",
    ],
    [
      "a line that is sealed with another key",
      sealed(0, "{}", newKey()),
      "line 1 of the report is not the runner's own",
    ],
    [
      "a line that was changed",
      sealed(0, '{"status":"failed"}').replace("failed", "passed"),
      "line 1 of the report is not the runner's own",
    ],
    ["a line that is missing", sealed(0, "{}") + sealed(2, "{}"), "line 2 of the report is missing"],
    ["a line that comes twice", sealed(0, "{}") + sealed(0, "{}"), "line 2 of the report is missing"],
    ["a report that was emptied on the way", sealed(7, "{}"), "line 1 of the report is missing"],
    ["blank lines", "\n\n", "line 1 of the report is not the runner's own"],
  ])("tell of %s", (_, text, tampered) => {
    expect(unsealedLines(text, key).tampered).toBe(tampered);
  });
});
