/** A lane finished its instruction: what it brought is kept until the run comes to it. */
import { defined } from "../../core/defined.ts";
import type { LaneStep } from "../../core/program/ahead.ts";
import type { Step } from "../../core/step/step.ts";
import { factsOf } from "../../core/turn/acceptance-facts.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import type { FinishedStep, TurnDone } from "../make/record-step.ts";
import type { AcceptedCommit } from "../turn/accepted.ts";
import { AHEAD } from "../turn/body-kinds.ts";
import { bodyOf } from "../turn/journal.ts";
import type { OpenStep } from "../turn/open-step.ts";
import type { Acceptance } from "../turn/turn-workbench.ts";

export async function finishStep(
  step: OpenStep,
  { last, acceptance, finished }: { last: TurnDone; acceptance: Acceptance; finished: FinishedStep },
): Promise<AcceptedCommit> {
  const { world, state } = step;
  const { run, entries, number, instruction } = state;
  const { turn } = last;
  const turns = [...entries.map((entry) => entry.turn), turn];
  const { summary, next, amendments } = acceptance;
  const inherited: Step = {
    instruction: number,
    record: finished.record,
    summary,
    turns: turns.length,
    ...defined({ next, amendments: amendments.length > 0 ? amendments : undefined }),
    ...(hasInsisted(acceptance) ? { insisted: true as const } : {}),
    microUsd: turns.reduce((sum, each) => sum + each.microUsd, 0),
  };
  const { bytes, hash } = bodyOf(AHEAD, inherited);
  const body = fileStoreKeys(run.id).ahead({ ...turn, attempt: run.attempt });
  await world.files.put(body, bytes);
  const lane = run.lane ?? 0;
  const ahead: LaneStep = {
    lane,
    base: run.packed,
    state: "finished",
    turns: turns.length,
    body,
    sha256: hash,
  };
  return {
    run: { pc: 0, turn: 0, forgivenTurn: 0 },
    instruction: { number, set: { ahead } },
    facts: { run: factsOf(run) },
    events: [
      {
        type: "finished",
        instruction: number,
        title: instruction?.title ?? "",
        lane,
        base: ahead.base,
        turns: turns.length,
      },
    ],
  };
}

/** The gate refused it once, and would do so again where it joins. */
const hasInsisted = ({ unchanged, unchecked, evidence }: Acceptance): boolean =>
  unchanged || unchecked.length > 0 || (evidence?.unproven.length ?? 0) > 0;
