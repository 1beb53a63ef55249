/** What a lane did of an instruction before the run came to it. Pure. */
import * as z from "zod";
import { count } from "../count.ts";

/** `joined`: it became the instruction's result. `dropped`: the run executes the instruction itself. */
export const LaneStepState = z.enum(["taken", "finished", "joined", "dropped"]);

export const LaneStep = z.object({
  lane: count,
  /** The pack that it was executed on. */
  base: count,
  state: LaneStepState,
  /** Why it was dropped. */
  why: z.string().optional(),
  /** How many turns it took, and what they brought, in the file store. */
  turns: count.optional(),
  body: z.string().optional(),
  sha256: z.string().optional(),
});
export type LaneStep = z.infer<typeof LaneStep>;

export const baseWords = (base: number): string =>
  base === 0 ? "on the files at the start" : `on the files after instruction ${base}`;

/** How many turns the run itself has of an instruction: one joined those of a lane. */
export const ownTurnsOf = ({ ahead, turns }: { ahead?: LaneStep | undefined; turns: number }): number =>
  ahead?.state === "joined" ? 1 : turns;

/** A type of its own, because it is compared as JSON. */
export type TakenStep = { lane: number; base: number; state: "taken" };
export const takenBy = (lane: number, base: number): TakenStep => ({ lane, base, state: "taken" });

/** Lanes evaluate side by side: to an evaluator each is a run of its own. */
export const evaluatedAs = (runId: string, lane: number): string => `${runId}-${lane}`;
/** The run of such a name. */
export const runEvaluatedAs = (name: string): string => name.replace(/-\d+$/, "");
