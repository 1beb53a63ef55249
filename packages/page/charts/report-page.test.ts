import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { HERE } from "../../../lib/core/run/ending-words.ts";
import type { Run } from "../../../lib/core/run/run.ts";
import { aHistory, aProgram, aTurn, change, PAID } from "../../../test/doubles/histories.ts";
import { aRun } from "../../../test/doubles/runs.ts";
import { chartDataOf } from "./chart.ts";
import { chartFile } from "./chart-file.ts";
import { charts } from "./charts.ts";
import { type ReportInput, reportPage } from "./report-page.ts";

const digest = (text: string): string => createHash("sha256").update(text).digest("base64");
const pageOf = (input: Partial<ReportInput> & { run: Run }): string =>
  reportPage(
    {
      program: { instructions: [], requirements: [] },
      turns: [],
      events: [],
      place: HERE,
      launcher: "l2mac",
      ...input,
    },
    digest,
  );
/** What somebody reads. */
const wordsOf = (page: string): string =>
  page
    .replace(/<style>.*?<\/style>|<svg.*?<\/svg>/gs, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

const aVerdict = {
  type: "verdict",
  syntax: "passed",
  tests: "failed",
  passed: 1,
  failed: 1,
  errors: 0,
  detail: "",
} as const;

describe("a report", () => {
  const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)></style><!--\u0007\u202e';
  const full: ReportInput = {
    ...aHistory(
      [
        aTurn(0, 1),
        aTurn(1, 1, {
          ...{
            changes: [change(hostile)],
            read: [hostile],
            found: { errors: 1, passed: 1, failed: 1 },
            refused: hostile,
          },
        }),
      ],
      {
        ...{ title: hostile, name: hostile, status: "failed", detail: hostile, unchecked: [hostile] },
        smoke: { status: "failed", detail: hostile },
      },
    ),
    program: {
      instructions: [
        {
          ...{ title: hostile, text: "x", requirements: [hostile, "R1"], summary: hostile, unchecked: [hostile] },
          ...{
            amendments: [{ path: hostile, reason: hostile }],
            trap: { kind: "loop", detail: hostile },
            status: "trapped",
          },
        },
      ],
      requirements: [{ id: "R1", text: hostile }],
    },
    events: [{ ...aVerdict, instruction: 1, turn: 1, gate: "blocked", refusal: [hostile], seq: 1, at: "" }],
    place: HERE,
    launcher: "l2mac",
  };

  it("shows what others wrote as text, in the page and in each chart", () => {
    for (const text of [
      reportPage(full, digest),
      ...charts.map((chart) => chartFile(chart, chartDataOf(full)) ?? ""),
    ]) {
      expect(text).not.toMatch(/<script|<img|<!--|onerror=alert\(1\)"/);
      expect(text.match(/<\/style>/g)?.length ?? 0).toBe(text.includes("<style>") ? 1 : 0);
      expect(text).not.toContain("\u0007");
      expect(text).not.toContain("\u202e");
    }
    expect(reportPage(full, digest)).toContain("&lt;script&gt;");
  });

  it("needs nothing but itself: no address but those of its own charts, and no script", () => {
    const page = reportPage(full, digest);
    expect(page.match(/https?:[^"]*/g)?.filter((address) => address !== "http://www.w3.org/2000/svg")).toEqual([]);
    expect(page).not.toMatch(
      /<(script|link|iframe|object|embed|img|form|base)|url\(|@import|<[a-z][^>]*\s(src|style|on\w+)=/,
    );
    const addresses = [...page.matchAll(/ (?:href|xlink:href)="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses).toHaveLength(8);
    for (const address of addresses) expect(address).toMatch(/^pictures\/[a-z]+\.(svg|csv)$/);
  });

  it("lets nothing run, and nothing look otherwise than by its own style", () => {
    const page = reportPage(full, digest);
    const style = page.match(/<style>(.*?)<\/style>/s)?.[1] ?? "";
    const policy = page.match(/http-equiv="Content-Security-Policy" content="([^"]*)"/)?.[1]?.replaceAll("&#39;", "'");
    expect(policy).toBe(`default-src 'none'; style-src 'sha256-${digest(style)}'; base-uri 'none'; form-action 'none'`);
  });

  it("shows the status, what is kept, cost, time, tests and the clean-room check", () => {
    const words = wordsOf(
      pageOf({
        run: aRun({
          ...{
            title: "Keep a tally",
            name: "tally",
            id: "01ABCDEFGH",
            status: "partial",
            reason: "usd",
            detail: "The money is spent.",
          },
          ...{
            instructions: 4,
            pc: 3,
            files: 9,
            turns: 12,
            microUsd: 4_990_000,
            activeMs: 185_000,
            endedAt: "2026-01-01T00:05:00.000Z",
          },
          ...{
            testsPassed: 8,
            testsTotal: 9,
            givenTests: { passed: 2, total: 3 },
            amended: 1,
            unchecked: ["tests: no_toolchain"],
          },
          options: { ...aRun().options, budget: { usd: 5 } },
          profile: { ...aRun().profile, price: { input: 1, output: 2 } },
          smoke: { status: "failed", detail: "`node bin/it.js` did not start" },
        }),
      }),
    );
    for (const part of [
      "partial (usd) : The money is spent.",
      "Kept 2 of 4 instructions, 9 files in the run CDEFGH, tests 8/9, 1 locked test amended.",
      "Cost $4.99, 12 turns; the ceiling was $5.00.",
      "Time 3 min 5 s running; started 2026-01-01 00:00 UTC, ended 2026-01-01 00:05 UTC",
      "Tests 8 of 9 passed; your tests: 2 of 3; 1 locked test amended",
      "Clean-room check `node bin/it.js` did not start",
      "Unchecked tests: no_toolchain",
      "Next l2mac resume CDEFGH --budget 10",
    ])
      expect(words).toContain(part);
  });

  it("lists each instruction with what became of it", () => {
    const instructions = [
      {
        status: "accepted" as const,
        summary: "Money is in cents.",
        startedAt: "2026-01-01T00:00:00Z",
        acceptedAt: "2026-01-01T00:01:05Z",
        milliseconds: 65_000,
      },
      { status: "accepted" as const, unchecked: ["tests: no_toolchain"] },
      { status: "trapped" as const, trap: { kind: "loop" as const, detail: "It did the same three times." } },
      {},
      {
        status: "accepted" as const,
        ahead: { lane: 2, base: 0, state: "joined" as const },
      },
    ].map((more, index) => ({ title: `Part ${index + 1}`, text: "x", requirements: ["R1"], ...more }));
    const words = wordsOf(
      pageOf({
        ...aHistory([
          ...[...PAID, aTurn(3, 1)],
          ...[aTurn(4, 1, { lane: 3, ahead: "dropped" }), aTurn(4, 1)],
          ...[1, 2, 3].map((turn) => aTurn(5, turn, { lane: 2, ahead: "joined" })),
          aTurn(5, 1, { outcome: "accepted", microUsd: 0, copied: { run: "01TESTRUN", instruction: 5 } }),
        ]),
        program: { instructions, requirements: [] },
      }),
    );
    expect(words).toContain("plan Planning 1 $0.01");
    expect(words).toContain("1 Part 1 hand-over Money is in cents. ✔ accepted 2 $0.02 1 min 5 s R1");
    expect(words).toContain("2 Part 2 ~ accepted, unchecked : tests: no_toolchain 1 $0.01");
    expect(words).toContain("3 Part 3 ✘ stuck : It did the same three times. 1 $0.01");
    expect(words).toContain("4 Part 4 ▶ started, not accepted 2 $0.02 ($0.01 dropped)");
    // What its lane took; to join it was no turn.
    expect(words).toContain("5 Part 5 ✔ accepted 3 $0.03");
    expect(words).toContain("Not checked The run is checked at its end");
  });

  it("lists what the gate refused with its place, and which locked tests were changed with the reason", () => {
    const program = aProgram();
    program.instructions[1] = {
      ...{
        title: "Two",
        text: "x",
        requirements: [],
        amendments: [{ path: "test/a.js", reason: "It asked for the wrong sum." }],
      },
    };
    const turns = [aTurn(1, 2, { refused: "tests" }), aTurn(2, 1, { refused: "locked tests" }), aTurn(2, 2)];
    const events = [
      {
        ...aVerdict,
        instruction: 1,
        turn: 2,
        gate: "blocked" as const,
        refusal: ["tests: a > b (+1 more)"],
        seq: 1,
        at: "",
      },
    ];
    const words = wordsOf(pageOf({ ...aHistory(turns), program, events }));
    expect(words).toContain(
      "Refused by the gate 2 times, by instruction and turn Turn Why 1.2 tests: a &gt; b (+1 more) 2.1 locked tests",
    );
    expect(words).toContain(
      "1 amendment, each with its reason Test Instruction Reason given test/a.js 2 It asked for the wrong sum.",
    );
  });

  it("has each chart for a wide and for a narrow window, and leads to it as a file", () => {
    const page = reportPage(full, digest);
    expect(page.match(/class="for-wide"><svg [^>]*viewBox="0 0 928 /g)).toHaveLength(charts.length);
    expect(page.match(/class="for-narrow"><svg [^>]*viewBox="0 0 358 /g)).toHaveLength(charts.length);
  });

  it("names each table and each of its columns and rows for who hears them", () => {
    const page = reportPage(full, digest);
    const tables = page.match(/<table.*?<\/table>/gs) ?? [];
    expect(tables).toHaveLength(4);
    for (const table of tables) expect(table).toMatch(/<caption>[^<]+<\/caption><thead>.*scope="col".*scope="row"/s);
  });

  it("of a run that has only begun says that there is nothing to be drawn, and why", () => {
    const page = pageOf({ run: aRun() });
    expect(page.match(/No data\./g)?.length).toBe(charts.length);
    expect(wordsOf(page)).toContain("There is no program yet.");
  });
});
