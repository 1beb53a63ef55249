/** What the real machine sends while files grow to 1, 10 and 100 windows, beside two arms without it. */
import { describe, expect, it } from "vitest";
import { recordRun } from "../../../lib/cli/eval/record-run.ts";
import { examineArms, type RetentionRow } from "../arms/examine-arms.ts";
import { tokensOf, WINDOW_TOKENS } from "../arms/window.ts";
import { context } from "../suites/context/context.ts";

const cases = (await context.load({ cache: "", env: {}, say: () => {} })).filter(({ retention }) => retention);

describe("requirements in what a model is sent", () => {
  it.each([
    ["requirements-1x", [20, 8, 20, 10]],
    ["requirements-10x", [20, 0, 20, 0]],
    ["requirements-100x", [20, 0, 20, 0]],
  ])(
    "%s: all of them by the machine; a chat and even summaries lose them",
    async (id, counts) => {
      const rows: RetentionRow[] = [];
      const examined = cases.filter((each) => each.id === id);
      for await (const row of examineArms(examined, recordRun)) rows.push(row);
      expect(rows.map(({ of }) => of)).toEqual(
        ["l2mac", "growing", "summarising, ideal", "summarising, even"].map((name) => `${id} ${name}`),
      );
      expect(rows.map(({ retained }) => retained)).toEqual(counts);
      expect(rows.every(({ isRight }) => isRight)).toBe(true);
    },
    120_000,
  );

  it("is looked for in requests within the window, while the files are as large as they say", async () => {
    const [, ten] = cases;
    const events = await recordRun(ten?.retention ?? { task: "", requirements: [], parts: [] });
    const sent = events.flatMap((event) => (event.kind === "request" ? [event.sent ?? ""] : []));
    const written = events.flatMap((event) => (event.kind === "message" ? [event.text] : []));
    expect(Math.max(...sent.map(tokensOf))).toBeLessThanOrEqual(WINDOW_TOKENS);
    expect(tokensOf(written.join(""))).toBeGreaterThan(10 * WINDOW_TOKENS);
    expect(sent).toHaveLength(80);
  }, 60_000);
});
