/** The files of a run after an instruction or one of its turns. */
import * as z from "zod";
import { readFileIn, readTree } from "../control/files/packs.ts";
import { readBlob } from "../control/files/verified-read.ts";
import { LANES } from "../core/limits.ts";
import type { Run } from "../core/run/run.ts";
import type { Turn } from "../core/turn/turn.ts";
import { readTurnAddress, type TurnAddress } from "../core/turn/turn-address.ts";
import type { ApiParts } from "./parts.ts";
import { Refused } from "./problem.ts";

/** `3`: after instruction 3; `3.2`: after its second turn; `3.2@4`: after that of lane 4. */
export const At = z
  .string()
  .regex(
    /^\d{1,6}(\.\d{1,4}(@(1[0-6]|[1-9]))?)?$/,
    `It is <instruction>, <instruction>.<turn> or <instruction>.<turn>@<lane>, of ${LANES} lanes at most.`,
  );

export interface TreeAt {
  files: { path: string; bytes: number }[];
  content(path: string): Promise<Uint8Array | undefined>;
}

export async function treeAt(parts: ApiParts, run: Run, at: string): Promise<TreeAt> {
  const turn = readTurnAddress(at);
  return turn === undefined ? packedAt(parts, run, Number(at)) : turnAt(parts, run, turn);
}

async function packedAt({ files }: ApiParts, run: Run, instruction: number): Promise<TreeAt> {
  if (instruction > run.packed) throw notAccepted(run, instruction);
  const tree = await readTree(files, run.id, instruction);
  return {
    files: [...tree.values()].map(({ path, size }) => ({ path, bytes: size })),
    content: async (path) => readFileIn(tree, { runId: run.id, number: instruction }, path),
  };
}

export function notAccepted({ packed }: Run, instruction: number): Refused {
  const has = packed < 0 ? "nothing yet" : `0 to ${packed}`;
  return new Refused(404, `Instruction ${instruction} is not accepted; the run has ${has}.`);
}

async function turnAt(parts: ApiParts, run: Run, at: TurnAddress): Promise<TreeAt> {
  const all = await parts.registry.stepTurns(run, at.instruction);
  const turns = all.filter(({ turn, lane }) => turn <= at.turn && lane === at.lane);
  if (turns.at(-1)?.turn !== at.turn || turns.at(-1)?.state !== "committed") {
    const by = at.lane === undefined ? "" : ` by lane ${at.lane}`;
    throw new Refused(404, `Instruction ${at.instruction} has no committed turn ${at.turn}${by}.`);
  }
  const below = await packBelow(parts, run, at);
  const base = below <= run.packed ? await packedAt(parts, run, below) : EMPTY;
  const changes = new Map(turns.flatMap((turn: Turn) => turn.changes).map((change) => [change.path, change]));
  const changed = [...changes.values()].filter(({ sha256 }) => sha256 !== null);
  return {
    files: [
      ...base.files.filter(({ path }) => !changes.has(path)),
      ...changed.map(({ path, bytes }) => ({ path, bytes })),
    ],
    async content(path) {
      const change = changes.get(path);
      if (!change) return base.content(path);
      return change.sha256 === null ? undefined : readBlob(parts.files, run.id, change.sha256);
    },
  };
}

/** A lane works on the files of the pack that was the latest when it took the instruction. */
async function packBelow({ registry }: ApiParts, { id }: Run, { instruction, lane }: TurnAddress): Promise<number> {
  const before = Math.max(0, instruction - 1);
  return lane === undefined ? before : ((await registry.instruction(id, instruction))?.ahead?.base ?? before);
}

/** Before the program is stored; planning changes no files. */
const EMPTY: TreeAt = { files: [], content: async () => undefined };
