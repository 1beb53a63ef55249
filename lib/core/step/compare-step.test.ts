import { describe, expect, it } from "vitest";
import { compareStep, type FoundTree } from "./compare-step.ts";
import type { StepReading, StepRecord } from "./step-record.ts";

const NOTES = "NOTES.md";
const key = { instruction: "", requirements: "", words: "", task: "", prompts: "", tools: "", model: "", handover: "" };
const reading = (path: string): StepReading => ({ kind: "file", path, sha256: `${path} as it was` });
const write = (path: string) => ({ path, sha256: `${path} now`, was: null });

const step = (parts: Partial<StepRecord>): StepRecord => ({
  key,
  touched: (parts.writes ?? []).map(({ path }) => path),
  writes: [],
  readings: [],
  ran: false,
  ...parts,
});

const found = (other: { changed?: string[]; written?: string[]; isSame?: boolean } = {}): FoundTree => ({
  isChanged: (each) => each.kind === "file" && (other.changed ?? []).includes(each.path),
  isConflict: ({ path }) => (other.written ?? []).includes(path),
  isSame: other.isSame ?? false,
  notes: NOTES,
});

describe("a step on another tree", () => {
  it("that read and found the same has no differences, whatever else is there", () => {
    const record = step({ readings: [reading("a.js")], writes: [write("b.js")] });
    expect(compareStep(record, found())).toEqual({ changed: [], conflicts: [], ranOnOthers: false, staleTexts: [] });
  });

  it("names what it read that is other, and where it wrote on what is other", () => {
    const record = step({ readings: [reading("a.js"), reading("c.js")], writes: [write("b.js"), write("d.js")] });
    expect(compareStep(record, found({ changed: ["c.js"], written: ["b.js"] }))).toMatchObject({
      changed: [reading("c.js")],
      conflicts: [write("b.js")],
    });
  });

  it("ran its commands on other files, unless the whole tree is the same", () => {
    expect(compareStep(step({ ran: true, base: "tree" }), found()).ranOnOthers).toBe(true);
    expect(compareStep(step({ ran: true, base: "tree" }), found({ isSame: true })).ranOnOthers).toBe(false);
    // An earlier version did not record it.
    const { ran: _ran, ...record } = step({});
    expect(compareStep(record, found()).ranOnOthers).toBe(true);
  });

  it("wrote texts that no check reads: they are stale once it saw anything else", () => {
    const record = step({ readings: [reading("a.js")], writes: [write("guide.md"), write("b.js"), write(NOTES)] });
    expect(compareStep(record, found()).staleTexts).toEqual([]);
    expect(compareStep(record, found({ changed: ["a.js"] })).staleTexts).toEqual(["guide.md"]);
    expect(compareStep({ ...record, base: "tree" }, found()).staleTexts).toEqual(["guide.md"]);
  });

  it("takes lines of others in the notes for nothing else, and in a README that it added to itself", () => {
    const notes = step({ readings: [reading(NOTES)], writes: [write("guide.md")] });
    expect(compareStep(notes, found({ changed: [NOTES] })).staleTexts).toEqual([]);
    const readme = step({ readings: [reading("README.md")], writes: [write("guide.md"), write("README.md")] });
    expect(compareStep(readme, found({ changed: ["README.md"] })).staleTexts).toEqual([]);
    const onlyRead = step({ readings: [reading("README.md")], writes: [write("guide.md")] });
    expect(compareStep(onlyRead, found({ changed: ["README.md"] })).staleTexts).toEqual(["guide.md"]);
  });
});
