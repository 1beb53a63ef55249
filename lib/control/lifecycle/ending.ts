/** Ends a run: whatever the reason, the last pack stays and is its output. */
import { defined } from "../../core/defined.ts";
import type { Instruction } from "../../core/program/program.ts";
import type { Question } from "../../core/program/question.ts";
import { activeMsAt } from "../../core/run/active-time.ts";
import { minutesUsedUp } from "../../core/run/budget.ts";
import type { EventBody } from "../../core/run/event.ts";
import type { Digest, Run, RunReason, RunStatus } from "../../core/run/run.ts";
import type { RunPatch } from "../../registry/commit.ts";
import { ENDED_SHARD } from "../../registry/keys.ts";
import { chargeLostReservation } from "../../registry/lost-reservation.ts";
import { unlessDamaged } from "../files/verified-read.ts";
import { haltLane } from "../lanes/halt-lane.ts";
import { settleLanes } from "../lanes/settle-lanes.ts";
import type { World } from "../world.ts";
import { packedSecrets, secretNotice } from "./packed-secrets.ts";
import { writeReport } from "./report.ts";

export interface Ending {
  /** What of an instruction is noted with it. */
  noted?: { instruction: { number: number; set: Partial<Instruction> }; events: EventBody[] };
  /** What led to it. */
  events?: EventBody[];
  status: Extract<RunStatus, "completed" | "partial" | "failed" | "cancelled">;
  reason?: RunReason;
  detail: string;
  /** Of the zip that it delivered. */
  output?: Digest & { files: number };
  /** Where the day's ceiling ends it: the least that its next call may cost. */
  neededMicroUsd?: number;
}

export const CANCELLED: Ending = {
  status: "cancelled",
  reason: "cancelled",
  detail: "The run was cancelled on request.",
};

/** The run is not computed and no time is due: a person decides how it goes on. */
export const awaitingApproval = ({ consent }: Pick<Run, "consent">) =>
  ({
    status: "waiting",
    reason: "approval",
    detail: consent ?? "Waiting for approval. Nothing has been executed yet.",
    remove: ["activeShard", "dueAt", "markedAt"],
  }) satisfies RunPatch;

/** The same, where its program asks. */
export const awaitingAnswer = ({ text }: Question): RunPatch & { detail: string } => ({
  status: "waiting",
  reason: "answer",
  detail: `Waiting for an answer: ${text}`,
  remove: ["activeShard", "dueAt", "markedAt"],
});

/** What a timed wait left in the run. */
export const OF_WAITS = ["waitUntil", "evaluatorAwaitedSince", "heldSince"] as const;

export async function endRun(world: World, run: Run, ending: Ending): Promise<Run> {
  // What ends a lane does not end its run.
  if (run.lane !== undefined) return haltLane(world, run, ending);
  const ended = await commitEnding(world, await settleLanes(world, run), ending);
  // From here on no lane makes another call.
  return settleLanes(world, ended);
}

async function commitEnding(world: World, run: Run, ending: Ending): Promise<Run> {
  const now = new Date(world.clock.now()).toISOString();
  const { status, reason, detail, noted, output, neededMicroUsd } = ending;
  // Only what delivers a run may need to read what it delivers.
  const secrets = output ? await unlessDamaged(packedSecrets(world, run), []) : [];
  const outputOf = output && {
    outputDigest: { bytes: output.bytes, sha256: output.sha256 },
    outputFiles: output.files,
  };
  const reported = { ...run, ...outputOf, status, reason, detail, endedAt: now };
  await unlessDamaged(writeReport(world, reported, { secrets, ...defined({ noted: noted?.instruction }) }), undefined);
  return world.registry.commit(run, {
    run: {
      status,
      detail,
      endedAt: now,
      ...chargeLostReservation(run),
      ...(reason ? { reason } : {}),
      ...outputOf,
      ...(neededMicroUsd === undefined ? {} : { neededMicroUsd }),
      // Found by its end from then on, should runs be kept for so many days only.
      activeShard: ENDED_SHARD,
      dueAt: now,
      remove: ["markedAt", "cancelRequested", "ending", ...OF_WAITS, ...(reason ? [] : (["reason"] as const))],
    },
    ...(noted ? { instruction: noted.instruction } : {}),
    events: [
      ...(noted?.events ?? []),
      ...(ending.events ?? []),
      ...secretNotice(secrets),
      { type: "ended", status, detail, ...(reason ? { reason } : {}) },
    ],
    evenIfCancelled: true,
  });
}

/** For steps that take time and ask no model, whose calls are bounded by themselves. */
export async function endAtMinutes(world: World, run: Run): Promise<Run | undefined> {
  const ending = minutesEnding(world, run);
  return ending && endRun(world, run, ending);
}

export function minutesEnding({ clock }: Pick<World, "clock">, run: Run): Ending | undefined {
  const usedUp = minutesUsedUp(run.options.budget, activeMsAt(run, clock.now()));
  return usedUp && { status: "partial", ...usedUp };
}
