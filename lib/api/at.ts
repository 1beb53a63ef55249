/** The files of a run after an instruction or one of its turns. */
import * as z from "zod";
import { readFileIn, readTree } from "../control/files/packs.ts";
import { readBlob } from "../control/files/verified-read.ts";
import type { Run } from "../core/run/run.ts";
import type { Turn } from "../core/turn/turn.ts";
import type { ApiParts } from "./parts.ts";
import { Refused } from "./problem.ts";

/** `3`: after instruction 3; `3.2`: after its second turn. */
export const At = z.string().regex(/^\d{1,6}(\.\d{1,4})?$/, "It is <instruction> or <instruction>.<turn>.");

export interface TreeAt {
  files: { path: string; bytes: number }[];
  content(path: string): Promise<Uint8Array | undefined>;
}

export async function treeAt(parts: ApiParts, run: Run, at: string): Promise<TreeAt> {
  const [instruction = 0, turn] = at.split(".").map(Number);
  return turn === undefined ? packedAt(parts, run, instruction) : turnAt(parts, run, { instruction, turn });
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

async function turnAt(parts: ApiParts, run: Run, at: { instruction: number; turn: number }): Promise<TreeAt> {
  const turns = (await parts.registry.turns(run.id, at.instruction)).filter(({ turn }) => turn <= at.turn);
  if (turns.at(-1)?.turn !== at.turn || turns.at(-1)?.state !== "committed") {
    throw new Refused(404, `Instruction ${at.instruction} has no committed turn ${at.turn}.`);
  }
  const below = Math.max(0, at.instruction - 1);
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

/** Before the program is stored; planning changes no files. */
const EMPTY: TreeAt = { files: [], content: async () => undefined };
