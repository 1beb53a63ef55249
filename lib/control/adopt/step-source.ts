/** Where finished steps come from, and what a source offers for the instruction at the program counter. */
import type { Evidence } from "../../core/evidence/evidence.ts";
import type { Instruction } from "../../core/program/program.ts";
import type { EventBody } from "../../core/run/event.ts";
import type { Run } from "../../core/run/run.ts";
import type { Step } from "../../core/step/step.ts";
import type { StepReading, StepWrite } from "../../core/step/step-record.ts";
import type { RunPatch } from "../../registry/commit.ts";
import type { StepResult } from "../step-result.ts";
import type { OpenStep } from "../turn/open-step.ts";
import type { Invocation, World } from "../world.ts";
import type { Adopted } from "./commit-adopted.ts";

/** What is committed with the decision about a step. */
export interface Decided {
  run?: RunPatch;
  set?: Partial<Instruction>;
  events: EventBody[];
}

/** Not adopting it is the source's to record. */
export interface OpenOffer {
  opened: OpenStep;
  passed: (why: string) => Decided;
}

export interface OfferedStep extends OpenOffer {
  step: Step;
  /** As they are on this tree. */
  readings: StepReading[];
  /** Of what it wrote, what it would not find as it did. */
  conflicts: StepWrite[];
  evidence: Evidence[];
  /** What is other here: then checks must have run its code. Empty: nothing that it depends on. */
  reasons: string[];
  adopted: Pick<Adopted, "copied" | "events" | "run" | "instruction">;
  /** What begins the checks once more with the time of a whole invocation. Absent: what they found counts. */
  late?: RunPatch | undefined;
}

/** `done`: it has answered by itself. Undefined: it has nothing for the instruction. */
export type Offer = { done: StepResult } | { refused: OpenOffer & { why: string } } | { step: OfferedStep } | undefined;

/** Where steps come from. */
export type StepSource = (world: World, run: Run, invocation: Invocation) => Promise<Offer>;
