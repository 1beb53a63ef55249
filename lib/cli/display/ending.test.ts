import { describe, expect, it } from "vitest";
import { aRun } from "../../../test/doubles/runs.ts";
import { HERE, nextCommands } from "../../core/run/ending-words.ts";
import type { Run } from "../../core/run/run.ts";
import { remedyText } from "../../core/text/command-line.ts";
import { endingLines } from "./ending.ts";

const stopped = (over: Partial<Run>): Run => aRun({ id: "01M7YS8WFN22V1E262N138KYQ3", status: "partial", ...over });

const nextOf = (run: Run, place = HERE): string[] => nextCommands(run, place).map((next) => remedyText(next, "l2mac"));
const launcher = "l2mac";

describe("the next command", () => {
  it.each([
    [
      { reason: "daily", neededMicroUsd: 9, endedAt: "2026-02-28T23:59:59.000Z" },
      ["l2mac resume 38KYQ3   (from 00:00 UTC on 2026-03-01)"],
    ],
    [
      { reason: "daily", endedAt: "2026-02-28T23:59:59.000Z" },
      ["l2mac resume 38KYQ3   (once dailyUsd is raised in the configuration)"],
    ],
    [{ reason: "usd", options: { ...aRun().options, budget: { usd: 5 } } }, ["l2mac resume 38KYQ3 --budget 10"]],
    [
      { reason: "tokens", options: { ...aRun().options, budget: { tokens: 100 } } },
      ["l2mac resume 38KYQ3 --max-tokens 200"],
    ],
    [
      { reason: "minutes", options: { ...aRun().options, budget: { minutes: 3 } } },
      ["l2mac resume 38KYQ3 --max-minutes 6"],
    ],
    [
      { reason: "turns", turns: 50, options: { ...aRun().options, budget: { turns: 1 } } },
      ["l2mac resume 38KYQ3 --max-turns 100"],
    ],
    [{ status: "failed", reason: "credentials" }, ["l2mac resume 38KYQ3   (once OPENAI_API_KEY is set)"]],
    [
      { status: "failed", reason: "credentials", profile: { ...aRun().profile, api: "messages" } },
      ["l2mac resume 38KYQ3   (once ANTHROPIC_API_KEY is set)"],
    ],
    [
      { status: "failed", reason: "credentials", profile: { ...aRun().profile, api: "converse" } },
      ["l2mac resume 38KYQ3   (once you are signed in to AWS, or AWS_PROFILE is set)"],
    ],
    [
      { status: "failed", reason: "provider" },
      ["l2mac resume 38KYQ3   (when the model server answers)", "l2mac doctor   (shows whether it answers)"],
    ],
    [
      { status: "failed", reason: "evaluator_not_ready" },
      ["l2mac resume 38KYQ3   (when the evaluator is ready)", "l2mac doctor   (shows whether it is ready)"],
    ],
    [
      { reason: "trapped", skipped: 1, pc: 4, instructions: 3 },
      [
        "l2mac log 38KYQ3   (what was skipped)",
        "l2mac get 38KYQ3   (then start a new run for what was skipped, with --from and these files)",
      ],
    ],
    [{ status: "cancelled", reason: "cancelled" }, ["l2mac resume 38KYQ3"]],
    [{ status: "waiting", reason: "interrupted" }, ["l2mac resume 38KYQ3"]],
    [{ status: "completed" }, ["l2mac get 38KYQ3"]],
  ] as [Partial<Run>, string[]][])("after %j is one that goes on", (over, commands) => {
    expect(nextOf(stopped(over))).toEqual(commands);
  });
});

describe("the next command for a run that is computed elsewhere", () => {
  const place = { remoteFlag: ["--remote"], elsewhere: true };
  it("says where it is", () => {
    expect(nextOf(stopped({ status: "completed" }), place)).toEqual(["l2mac get 38KYQ3 --remote"]);
    expect(nextOf(stopped({ status: "failed", reason: "credentials" }), place)).toEqual([
      "l2mac resume 38KYQ3 --remote   (once the model server's key is set where the API runs)",
    ]);
    const unchecked = stopped({ status: "completed", reason: "unchecked" });
    expect(endingLines(unchecked, { folder: "/w/x", files: 4, untouched: [] }, { place, launcher }).slice(-2)).toEqual([
      "Next: l2mac status 38KYQ3 --remote   (shows what could not be checked)",
      "  or: l2mac doctor --remote   (shows what checks are there)",
    ]);
  });
});

describe("an ending", () => {
  it("says what happened, what is kept, what it cost and what was left alone", () => {
    const run = stopped({
      reason: "trapped",
      detail: "Instruction 2: it went in circles.",
      pc: 2,
      instructions: 3,
      turns: 9,
      microUsd: 830_000,
    });
    expect(
      endingLines(run, { folder: "/w/x", files: 4, untouched: ["a (it was changed there)"] }, { launcher }),
    ).toEqual([
      "partial: Instruction 2: it went in circles.",
      "Kept: 1 of 3 instructions, 4 files in /w/x.",
      expect.stringMatching(/^Cost: .*9 turns\.$/),
      "Not overwritten: a (it was changed there).",
      "Next: l2mac log 38KYQ3   (what it tried)",
      '  or: l2mac resume 38KYQ3 --hint "<what to do instead>"   (goes on with a sentence of help)',
      "  or: l2mac resume 38KYQ3   (tries again)",
    ]);
  });

  it("leads from what could not be checked to what is missing for it", () => {
    const run = stopped({ status: "completed", reason: "unchecked", detail: "Completed, but not all was checked." });
    expect(endingLines(run, { folder: "/w/x", files: 4, untouched: [] }, { launcher }).join("\n")).toMatch(
      /^Next: l2mac status 38KYQ3 .*\n.*l2mac doctor {3}\(shows/m,
    );
  });

  it("passes nothing on that a server's message could do to a terminal", () => {
    const run = stopped({ reason: "provider", detail: "\u001b]0;owned\u0007gone" });
    expect(endingLines(run, { files: 0, untouched: [] }, { launcher })[0]).toBe("partial: gone");
  });
});

describe("what is kept", () => {
  it("names its tests, and how many locked ones were amended", () => {
    const run = stopped({ instructions: 2, pc: 3, testsPassed: 4, testsTotal: 5, amended: 2 });
    expect(endingLines(run, { files: 3, folder: "/made", untouched: [] }, { launcher })[1]).toBe(
      "Kept: 2 of 2 instructions, 3 files in /made, tests 4/5, 2 locked tests amended.",
    );
    expect(endingLines({ ...run, amended: 0 }, { files: 3, untouched: [] }, { launcher })[1]).not.toContain("amended");
  });
});
