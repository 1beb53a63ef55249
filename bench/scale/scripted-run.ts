/** A run as the handlers compute it, call by call of the registry, with a model that thinks in virtual time. */
import type { Clock } from "../../lib/core/ports.ts";
import { instructionOf } from "../../lib/core/program/program.ts";
import type { Run } from "../../lib/core/run/run.ts";
import type { Turn } from "../../lib/core/turn/turn.ts";
import type { Registry } from "../../lib/registry/registry.ts";
import { aRun } from "../../test/doubles/runs.ts";

export interface ScriptedRun {
  id: string;
  registry: Registry;
  clock: Clock;
  random: () => number;
  until: number;
  /** Absent: no daily ceiling. */
  dailyMicroUsd?: number;
}

const TURNS_PER_INSTRUCTION = 5;
const THINKING_MS = { least: 10_000, most: 30_000 };
const INVOCATION_MS = 840_000;
const RESERVED = { microUsd: 60_000, tokens: 20_000 };
const COST = 15_000;
const INSTRUCTIONS = 40;

/** Answers how many turns it took. */
export async function computeRun(scripted: ScriptedRun): Promise<number> {
  const { id, registry, clock, until } = scripted;
  const created = await registry.create(aRun({ id, title: "x".repeat(200), owner: "arn:aws:iam::1:role/ci" }));
  if ("conflict" in created) throw new Error("conflict");
  await registry.beginEpoch(created.run, {});
  let run = await registry.claim(id, 1);
  const text = { title: "An instruction", text: "x".repeat(400), requirements: [] };
  const instructions = Array.from({ length: INSTRUCTIONS }, () => text);
  await registry.storeProgram(run, { instructions, requirements: [] });
  run = await registry.commit(run, { run: { status: "running", instructions: INSTRUCTIONS, pc: 1, packed: 0 } });
  let turns = 0;
  while (clock.now() < until) {
    run = await takeTurn(scripted, run, turns);
    turns += 1;
    if (turns % TURNS_PER_INSTRUCTION === 0) {
      await acceptInstruction(registry, run);
      run = await registry.claim(id, 1);
    }
  }
  return turns;
}

async function takeTurn(scripted: ScriptedRun, run: Run, made: number): Promise<Run> {
  const { registry, clock, random, dailyMicroUsd } = scripted;
  const reserved = await reserve(registry, run, dailyMicroUsd);
  await clock.sleep(THINKING_MS.least + random() * (THINKING_MS.most - THINKING_MS.least));
  const turn = turnOf(reserved, made, clock.now());
  const settled = { microUsd: run.microUsd + COST, reservedMicroUsd: 0, reservedTokens: 0, calls: run.calls + 1 };
  const answered = await registry.commit(reserved, { turn, newTurn: true, run: settled });
  const entry = { sha256: String(made), bytes: 900, lines: 30, instruction: turn.instruction, turn: turn.turn };
  const folded = `src/module-${made}.ts`;
  return registry.commit(answered, {
    turn: { ...turn, state: "committed" },
    run: { turns: run.turns + 1, files: run.files + 1 },
    entries: [{ folded, entry: { path: folded, ...entry }, was: null }],
    events: [{ type: "notice", text: "A turn was committed, with what its tools did.".repeat(4) }],
  });
}

async function reserve(registry: Registry, run: Run, dailyMicroUsd: number | undefined): Promise<Run> {
  if (dailyMicroUsd === undefined) return registry.reserve(run, RESERVED, INVOCATION_MS);
  await registry.today();
  const reserved = await registry.reserveToday(run, RESERVED, { invocationMs: INVOCATION_MS, dailyMicroUsd });
  if (!reserved) throw new Error("The day has no room.");
  return reserved;
}

const turnOf = ({ pc, epoch, attempt }: Run, made: number, now: number): Turn => ({
  ...{ instruction: pc, turn: (made % TURNS_PER_INSTRUCTION) + 1, epoch, attempt, segment: 0, state: "answered" },
  ...{ at: new Date(now).toISOString(), answerKey: "x".repeat(60), answerSha256: "x".repeat(64) },
  ...{ inputTokens: 9_000, cachedTokens: 4_000, outputTokens: 900, microUsd: COST, milliseconds: 20_000, changes: [] },
});

const acceptInstruction = (registry: Registry, run: Run): Promise<Run> =>
  registry.commit(run, {
    run: { pc: run.pc + 1, packed: run.pc, turn: 0 },
    instruction: {
      number: run.pc,
      set: { ...instructionOf({ title: "", text: "", requirements: [] }, run.pc), status: "accepted" },
    },
    events: [{ type: "notice", text: "The instruction was accepted." }],
  });
