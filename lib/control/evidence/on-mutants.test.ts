/** What of a mutant counts: a place that ends its process is reached, a limit alone is no finding, and what is put off comes last. */
import { describe, expect, it } from "vitest";
import { aVerdict } from "../../../test/doubles/machines.ts";
import { encodeText } from "../../core/text/file-text.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import { onMutants } from "./on-mutants.ts";

type Found = "passed" | "refuted" | "unknown";
interface Ran {
  found: Found;
  detail?: string;
  tests?: Partial<Verdict["tests"]>;
  milliseconds?: number;
}

/** `ran`: what the check finds where `src/a.js` is this text. */
async function scoreOf(code: string, ran: (text: string) => Ran, usual = 1_000) {
  const found = await onMutants({
    ...{ requirement: "R1", check: { tests: ["test/a.test.js"] }, milliseconds: usual, longestMs: 120_000 },
    trees: { base: new Map(), work: new Map([["src/a.js", "1"]]), changes: [] },
    sources: { read: async () => encodeText(code), except: [] },
    isReadable: async () => false,
    async on({ changes, hash }) {
      const {
        found: status,
        detail = "",
        tests = {},
        milliseconds = 0,
      } = ran(String(Buffer.from(changes[0]?.content ?? [])));
      const verdict = { ...aVerdict({ tests }), milliseconds };
      return { outcome: { status, detail, output: "", tree: hash }, verdict };
    },
  });
  return found.score;
}

const isProbe = (text: string): boolean => text.includes("this place is reached");
const ENDED = { status: "crashed", detail: "the test run ended with 97 before its tests had ended" } as const;

describe("a place that the check reaches", () => {
  it("counts where the test run itself ends there", async () => {
    const score = await scoreOf("function a() { return 1; }\n", (text) =>
      isProbe(text) ? { found: "unknown", tests: ENDED } : { found: "passed" },
    );
    expect(score).toMatchObject({ killed: 0, effective: 2, exhausted: true });
  });

  it("is not one that could not be executed", async () => {
    const tests = { status: "crashed", reason: "evaluator_failed", detail: "the sandbox broke" } as const;
    const score = await scoreOf("function a() { return 1; }\n", (text) =>
      isProbe(text) ? { found: "unknown", tests } : { found: "passed" },
    );
    expect(score).toMatchObject({ effective: 0, tried: 2 });
  });
});

const FAR = "function far(n) { return [n < 1, n < 2, n < 3, n < 4, n < 5, n < 6, n < 7, n < 8, n < 9]; }\n";
const NEAR = "function near() { return 7; }\n";

describe("a function that the check does not reach", () => {
  it("is put off after two places, and executed in the end: what is left out is not all that there is", async () => {
    let tried = 0;
    const score = await scoreOf(`${FAR}${NEAR}`, (text) => {
      tried += 1;
      return { found: text.includes(NEAR) ? "passed" : "refuted" };
    });
    expect(score).toMatchObject({ killed: 2, effective: 2, exhausted: false });
    expect(tried).toBe(20);
  });

  it("is not put off for places where nothing can be found out", async () => {
    const seen: string[] = [];
    await scoreOf(`${FAR}${NEAR}`, (text) => {
      if (isProbe(text)) return { found: "refuted", detail: "SyntaxError: Unexpected token" };
      seen.push(text.includes(NEAR) ? "far" : "near");
      return { found: "passed" };
    });
    expect(seen.slice(0, 8).filter((where) => where === "far").length).toBeGreaterThan(2);
  });
});

describe("what a limit ended", () => {
  const late = (milliseconds: number) =>
    scoreOf("function a() { return 1; }\n", () => ({ found: "unknown", tests: { status: "timed_out" }, milliseconds }));

  it("has hung after several times the usual time", async () => {
    expect(await late(30_000)).toMatchObject({ killed: 2, effective: 2 });
  });

  it("shows nothing where its files took the time", async () => {
    expect(await late(500)).toMatchObject({ killed: 0, effective: 0 });
  });

  it("is no code, where the check speaks of its syntax and no checker answers", async () => {
    const score = await scoreOf("function a() { return 1; }\n", () => ({ found: "refuted", detail: "SyntaxError" }));
    expect(score).toMatchObject({ killed: 0, effective: 0 });
  });
});
