import { describe, expect, it } from "vitest";
import { aRun } from "../../test/doubles/runs.ts";
import { nextCommand } from "../core/run/ending-words.ts";
import { commandsIn } from "./commands-in.ts";

const commands = (sentence: string): string[] =>
  commandsIn(sentence).flatMap(({ says, isCommand }) => (isCommand ? [says] : []));

describe("what to do next", () => {
  it("is told from the words around it", () => {
    const run = { id: "01M8068ZV7FS90GPC1MTBV83TK", status: "partial" } as const;
    expect(commands(nextCommand(aRun({ ...run, reason: "trapped" })))).toEqual([
      "l2mac log BV83TK",
      "l2mac resume BV83TK",
    ]);
    expect(commands(nextCommand(aRun({ ...run, reason: "usd" })))).toEqual(["l2mac resume BV83TK --budget 10"]);
    expect(commands("l2mac resume BV83TK --remote   (when the server answers: l2mac doctor tells)")).toEqual([
      ...["l2mac resume BV83TK --remote", "l2mac doctor"],
    ]);
    expect(commands(nextCommand(aRun({ ...run, status: "waiting", reason: "approval" })))).toEqual([
      ...["l2mac approve BV83TK", "l2mac reject BV83TK", "l2mac watch BV83TK > program.md"],
      "l2mac approve BV83TK --program program.md",
    ]);
    const [resume] = commandsIn("l2mac resume BV83TK, of l2mac", "npx l2mac");
    expect(resume).toEqual({ says: "npx l2mac resume BV83TK", isCommand: true });
    const sentence = nextCommand(aRun({ ...run, reason: "trapped" }));
    expect(
      commandsIn(sentence)
        .map(({ says }) => says)
        .join(""),
    ).toBe(sentence);
  });
});
