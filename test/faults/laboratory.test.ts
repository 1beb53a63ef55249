/** The laboratory itself: it repeats what it did, says what it cannot do, and its mutations still fit. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { projectDefinition } from "../../lib/local/project-definition.ts";
import { createChance } from "./chance.ts";
import { drawFault, type Fault } from "./fault.ts";
import { playHistory } from "./history.ts";
import { play } from "./laboratory.ts";
import { readMutations } from "./mutate.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const setting = { seed: 7, instructions: 2, definition: projectDefinition(2) };

async function said(words: string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const code = await play(words, (line) => lines.push(line));
  return { code, text: lines.join("\n") };
}

describe("a history", () => {
  it("repeats: the same seed and the same faults give the same calls, in the same order", async () => {
    const faults: Fault[] = [
      { kind: "freeze", call: 60, minutes: 30 },
      { kind: "kill", call: 90, when: "after" },
      { kind: "duplicate", invocation: 3, seconds: 20 },
    ];
    const first = await playHistory({ ...setting, faults });
    expect(first.problems).toEqual([]);
    expect(first.kills).toBe(1);
    expect(await playHistory({ ...setting, faults })).toEqual(first);
  });

  it("draws every kind of fault", async () => {
    const chance = createChance(1);
    const extent = { calls: 100, asked: 10, invocations: 5, evaluations: 10 };
    const kinds = new Set(Array.from({ length: 500 }, () => drawFault(chance, extent).kind));
    expect([...kinds].toSorted()).toEqual(
      ["cancel", "delay", "duplicate", "evaluator", "expire", "fail", "freeze", "kill", "model"].concat([
        "start",
        "stop",
        "throttle",
      ]),
    );
  });
});

describe("the laboratory", () => {
  it("prints its figures, and ends 0 where nothing broke", async () => {
    const { code, text } = await said(["histories", "--seeds", "12", "--from", "5"]);
    expect(code).toBe(0);
    expect(text).toContain("seeds 5 to 16");
    expect(text).toContain("Nothing was lost, nothing was paid twice.");
  });

  it.each(["53", "339"])("finds nothing written by a lane after its run has ended, from seed %s", async (seed) => {
    const { text } = await said(["lane-histories", "--seeds", "1", "--from", seed]);
    expect(text).not.toContain("BROKEN");
    expect(text).toContain(`histories with 1 to 4 lanes, seeds ${seed} to ${seed}`);
  });

  it("says what it does not know, and ends 2", async () => {
    expect(await said(["--seeds", "many"])).toMatchObject({ code: 2, text: expect.stringContaining('"many"') });
    expect(await said(["earthquake"])).toMatchObject({ code: 2, text: expect.stringContaining("earthquake") });
    expect((await said(["--loud"])).code).toBe(2);
  });
});

describe("the mutations", () => {
  it("are ten or more, each with the invariant that it breaks and the experiment that shows it", () => {
    const mutations = readMutations();
    expect(mutations.length).toBeGreaterThanOrEqual(10);
    for (const { name, breaks, shownBy } of mutations) {
      expect(breaks, name).toMatch(/^I\d+$/);
      expect(shownBy, name).toMatch(
        /^(boundaries|histories|programs|waiting|daily|evidence|schedules|lane-kills|lane-histories|lane-stalls|makes|power-cut)$/,
      );
    }
  });

  it.each(readMutations())("$name still fits the lines that it breaks", ({ file }) => {
    expect(readFileSync(file, "utf8")).toContain("diff --git a/l");
    expect(() => execFileSync("git", ["apply", "--check", file], { cwd: root, stdio: "pipe" })).not.toThrow();
  });
});
