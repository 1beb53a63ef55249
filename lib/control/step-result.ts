/** What a step of the machine answers. */
import type { HandlerAnswer } from "../core/program/advance.ts";
import type { Run } from "../core/run/run.ts";
import type { Invocation, World } from "./world.ts";

/** The run goes on with its next step, or the handler answers the state machine. */
export type StepResult = { kind: "done"; run: Run } | { kind: "answer"; answer: HandlerAnswer };

export type StepHandler = (world: World, run: Run, invocation: Invocation) => Promise<StepResult>;
