import { describe, expect, it } from "vitest";
import { interpret, type World } from "../../../../test/program/naive-interpreter.ts";
import { createRandom, seededProgram } from "../../../../test/program/seeded-program.ts";
import { advance as advanceRun } from "../advance.ts";
import { advance, type Fact, type Next, START } from "./advance.ts";
import type { Frames } from "./frames.ts";
import { worstCase } from "./lint/worst-case.ts";
import { listsIn } from "./nodes.ts";
import { BLOCK_DEPTH, NESTED_DEPTH, type Program, type ProgramNode } from "./schema.ts";

const PROGRAMS = 2_000;

/** Both interpreters ask the same world in the same order. */
function worldOf(seed: number): World {
  const random = createRandom(seed);
  return { holds: () => random() < 0.5, items: () => Math.floor(random() * 4) };
}

interface Walk {
  log: string[];
  steps: number;
  checks: number;
  questions: number;
  longest: number;
  deepest: number;
}

/** Keeps nothing but frames from one call to the next, as the registry does: as JSON. */
function walk(program: Program, world: World): Walk {
  const seen: Walk = { log: [], steps: 0, checks: 0, questions: 0, longest: 0, deepest: 0 };
  let frames: Frames = START;
  let fact: Fact | undefined;
  for (;;) {
    const next: Next = advance(program, frames, fact);
    const stored = JSON.stringify(next.frames);
    frames = JSON.parse(stored);
    seen.longest = Math.max(seen.longest, stored.length);
    seen.deepest = Math.max(seen.deepest, frames.length);
    seen.log.push(wordsOf(program, next));
    if (next.next === "end" || next.next === "stop") return seen;
    if (next.next === "step") seen.steps += 1;
    else if (next.next === "ask") seen.questions += 1;
    else seen.checks += 1;
    fact = factFor(next, world);
  }
}

function factFor({ next }: Next, world: World): Fact {
  if (next === "find_out") return { holds: world.holds() };
  return next === "count" ? { items: world.items() } : { done: true };
}

function wordsOf(program: Program, next: Next): string {
  if (next.next === "end") return "end";
  if (next.next === "stop") return `stop ${next.why}`;
  return `${next.next.replace("_", " ")} ${nodeAt(program, next.frames)?.id}`;
}

function nodeAt({ instructions }: Program, frames: Frames): ProgramNode | undefined {
  let list = instructions;
  let node: ProgramNode | undefined;
  for (const { at, round = 1 } of frames) {
    node = list[at];
    const lists = node ? listsIn(node) : [];
    list = (node?.kind === "if" ? lists[round - 1] : lists[0])?.[1] ?? [];
  }
  return node;
}

describe("advance", () => {
  it("takes the same steps, in the same order, as a plain recursion, and never more than the worst case", () => {
    const ends = new Map<string, number>();
    for (let seed = 1; seed <= PROGRAMS; seed += 1) {
      const program = seededProgram(seed);
      const { log, ...taken } = walk(program, worldOf(seed));
      const most = worstCase(program);
      expect(log, `seed ${seed}`).toEqual(interpret(program, worldOf(seed)));
      for (const what of ["steps", "checks", "questions"] as const) {
        expect(taken[what], `seed ${seed}, ${what}`).toBeLessThanOrEqual(most[what]);
      }
      const end = log.at(-1) ?? "";
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    // Each way to end is there, or nothing was compared.
    expect([...ends.keys()].toSorted()).toEqual([
      "end",
      "stop check_failed",
      "stop not_reached",
      "stop too_many_items",
    ]);
  });

  it("reaches the worst case where no condition ever holds", () => {
    const rounds: Program = {
      requirements: [],
      instructions: [
        {
          ...{ kind: "repeat", until: { tests: true }, atMost: 3, otherwise: "continue" },
          body: [{ kind: "for_each", items: { glob: "*" }, as: "x", atMost: 4, body: [step("a"), step("b")] }],
        },
      ],
    };
    const { steps, checks, questions } = walk(rounds, { holds: () => false, items: () => 4 });
    expect({ steps, checks, questions }).toEqual({ steps: 24, checks: 6, questions: 0 });
    expect(worstCase(rounds)).toEqual({ steps, checks, questions });
  });

  it("never passes atMost, however often the condition fails", () => {
    const program: Program = {
      requirements: [],
      instructions: [{ kind: "repeat", until: { tests: true }, atMost: 10_000, body: [step("a")] }],
    };
    const { steps, log } = walk(program, { holds: () => false, items: () => 0 });
    expect([steps, log.at(-1)]).toEqual([10_000, "stop not_reached"]);
  });

  it("keeps its frames small at the deepest place that a program can have", () => {
    let node: ProgramNode = step("deep");
    for (let depth = 0; depth < BLOCK_DEPTH; depth += 1) {
      node = { kind: "for_each", items: { glob: "*" }, as: "x", atMost: 10_000, body: [node] };
    }
    const before = Array.from({ length: 99 }, () => step("before"));
    const program: Program = { requirements: [], instructions: [...before, node] };
    let next = advance(program, [{ at: 99 }]);
    while (next.next === "count") next = advance(program, next.frames, { items: 1 });
    expect(next).toMatchObject({ next: "step", node: { id: "deep" } });
    expect(next.frames).toHaveLength(BLOCK_DEPTH + 1);
    expect(JSON.stringify(next.frames).length).toBeLessThanOrEqual(500);
  });

  it("keeps its frames small also inside the deepest calls, and comes out of them again", () => {
    let node: ProgramNode = step("deep");
    for (let depth = 0; depth < NESTED_DEPTH; depth += 1) {
      node =
        depth % 4 === 0
          ? { kind: "call", program: `${"long-".repeat(9)}.yaml`, body: [node] }
          : { kind: "group", body: [node] };
    }
    const program: Program = { requirements: [], instructions: [node, step("last")] };
    const next = advance(program, START);
    expect(next).toMatchObject({ next: "step", node: { id: "deep" } });
    expect(JSON.stringify(next.frames).length).toBeLessThanOrEqual(1_500);
    expect(advance(program, next.frames, { done: true })).toMatchObject({ next: "step", node: { id: "last" } });
  });

  it("stops at a call whose program is not part of it", () => {
    const program: Program = { requirements: [], instructions: [{ kind: "call", program: "tests.md" }] };
    expect(advance(program, START)).toMatchObject({ next: "stop", why: "not_linked" });
  });

  it("passes ten thousand blocks without work in one call", () => {
    const empty: ProgramNode = { kind: "for_each", items: [], as: "x", atMost: 1, body: [step("never")] };
    const program: Program = { requirements: [], instructions: Array.from({ length: 10_000 }, () => empty) };
    expect(advance(program, START)).toMatchObject({ next: "end" });
  });

  it("executes a list of do as the run's program counter does", () => {
    const instructions = Array.from({ length: 50 }, (_, index) => step(`${index + 1}`));
    const executed: string[] = [];
    const run = { status: "running" as const, instructions: 50, pc: 1, packed: 0 };
    for (let next = advanceRun(run); next === "execute" || next === "pack"; next = advanceRun(run)) {
      if (next === "pack") run.packed += 1;
      else {
        executed.push(`step ${run.pc}`);
        run.pc += 1;
      }
    }
    const { log } = walk({ requirements: [], instructions }, { holds: () => true, items: () => 0 });
    expect(log).toEqual([...executed, "end"]);
  });
});

function step(id: string): ProgramNode {
  return { kind: "do", id, title: id, text: id, requirements: [] };
}
