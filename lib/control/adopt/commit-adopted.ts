/** Commits a step that was executed elsewhere, by a lane or in another run, as one turn that asked no model. */
import type { Instruction } from "../../core/program/program.ts";
import type { EventBody } from "../../core/run/event.ts";
import type { Run } from "../../core/run/run.ts";
import type { Step } from "../../core/step/step.ts";
import type { StepRecord, TurnReading } from "../../core/step/step-record.ts";
import { type Turn, turnWithoutAnswer } from "../../core/turn/turn.ts";
import { commitTurn } from "../turn/commit-turn.ts";
import type { OpenStep } from "../turn/open-step.ts";
import type { TurnWorkbench } from "../turn/turn-workbench.ts";

export interface Adopted {
  step: Step;
  readings: StepRecord["readings"];
  workbench: TurnWorkbench;
  copied: NonNullable<Turn["copied"]>;
  events: EventBody[];
  run?: Partial<Run>;
  instruction: Partial<Instruction>;
}

export async function commitAdopted(opened: OpenStep, adopted: Adopted): Promise<void> {
  const { run } = opened.state;
  const { step, readings, workbench, copied, events } = adopted;
  await commitTurn(opened, {
    turn: {
      instruction: run.pc,
      turn: 1,
      ...turnWithoutAnswer(run, opened.world.clock.now()),
      copied,
    },
    outcome: "accepted",
    effects: {
      inputs: { elision: { views: 0, contents: 0 }, left: "", maxOutputTokens: 0 },
      results: [],
      correction: "",
      verdicts: workbench.verdicts,
      readings: asTurnReadings(step.record, readings),
      ...(workbench.amendments.length > 0 ? { amendments: workbench.amendments } : {}),
    },
    contextTokens: 0,
    workbench,
    events,
    run: { turns: run.turns, status: "running", ...adopted.run },
    taken: step.record,
    instruction: { ...adopted.instruction, status: "accepted" },
    isNew: true,
  });
}

const asTurnReadings = ({ touched }: StepRecord, readings: StepRecord["readings"]): TurnReading[] =>
  readings.map((reading) => (reading.kind === "file" ? reading : { ...reading, own: touched.slice(0, reading.own) }));
