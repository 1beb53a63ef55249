/** Instructions are executed side by side: the Map state of the deployed definition, with a lane for each iteration. */
import { sha256 } from "../../../lib/control/files/digest.ts";
import type { Run } from "../../../lib/core/run/run.ts";
import type { Stage } from "../stage.ts";
import { COPY } from "../stage-model.ts";
import { type Act, ask, compute, json, must, mustStand, settled, submit } from "./act.ts";
import { zipOf } from "./whole-run.ts";

const part = (number: number, needs?: string[]) => ({
  ...{ id: `p${number}`, title: `Part ${number}`, ...(needs ? { needs } : {}) },
  text: `MARK-${number}-BEGINS Write the files of this part.`,
});

/** The third reads what the first writes, and the last needs what a lane does. */
const PROGRAM = [
  part(1),
  part(2, []),
  { id: "copy", needs: [], title: "Copy", text: `${COPY} parts/part-1.txt` },
  part(4, ["p2"]),
];
const LANES = 3;
const submission = (parallel: number) => ({ task: "Write the parts.", program: PROGRAM, parallel });

/** As it is read from the API, without the types of the project. */
interface SeenEvent {
  type: string;
  instruction?: number;
  lane?: number;
  why?: string;
}

const eventsOf = async (stage: Stage, id: string): Promise<SeenEvent[]> =>
  json(await ask(stage, `GET /runs/${id}/events`)).events;

/** Three calls wait for their answers at the same time. */
async function submitHeld(stage: Stage): Promise<{ id: string; release: () => void }> {
  const release = stage.model.hold();
  const id = await submit(stage, submission(LANES));
  await stage.model.asked(LANES);
  return { id, release };
}

const sideBySide: Act = {
  name: "instructions are executed side by side, and join to the files that one lane writes",
  async play(stage) {
    const { id, release } = await submitHeld(stage);
    const { lanes } = json(await ask(stage, `GET /runs/${id}`));
    must("The API shows what each lane does", lanes?.length === LANES, lanes);
    release();
    const run = await settled(stage, id);
    mustStand(run, "completed");
    const events = await eventsOf(stage, id);
    const joined = events.filter(({ type }) => type === "joined");
    must(
      "What a lane did joins",
      joined.some(({ instruction }) => instruction === 2),
      events,
    );
    const dropped = events.find(({ type, instruction }) => type === "dropped" && instruction === 3);
    must("What read a file that changed is executed again", /part-1/.test(dropped?.why ?? ""), dropped);
    await mustAccount(stage, run);
    const alone = await compute(stage, submission(1));
    mustStand(alone, "completed");
    const [with3, with1] = [await zipOf(stage, id), await zipOf(stage, alone.id)];
    must("Both deliver the same", sha256(with3) === sha256(with1));
  },
};

interface SeenTurn {
  instruction: number;
  turn: number;
  lane?: number;
  ahead?: string;
  microUsd: number;
  inputTokens: number;
}

/** Each turn is shown, in any lane, and together they cost what the run has paid. */
async function mustAccount(stage: Stage, { id, microUsd, inputTokens }: Run): Promise<void> {
  const turns: SeenTurn[] = json(await ask(stage, `GET /runs/${id}/turns`)).turns;
  const sum = (of: "microUsd" | "inputTokens"): number => turns.reduce((total, turn) => total + turn[of], 0);
  must("The turns cost what was paid", sum("microUsd") === microUsd && sum("inputTokens") === inputTokens, turns);
  const dropped = turns.find(({ ahead }) => ahead === "dropped");
  must("What a lane did in vain is among them", dropped?.instruction === 3 && dropped.lane !== undefined, turns);
  const { turn, answer } = json(await ask(stage, `GET /runs/${id}/turns/3/1?lane=${dropped?.lane}`));
  must("It has its answer", turn.lane === dropped?.lane && answer !== undefined, turn);
}

const cancelled: Act = {
  name: "a run that is cancelled ends its lanes",
  async play(stage) {
    const { id, release } = await submitHeld(stage);
    await ask(stage, `POST /runs/${id}/cancel`, { status: 202, body: {} });
    release();
    mustStand(await settled(stage, id), "cancelled", "cancelled");
    const asked = stage.model.requests.length;
    const { turns, microUsd } = await settled(stage, id);
    must("No lane goes on", stage.model.requests.length === asked && turns <= LANES, { turns, microUsd });
  },
};

const EXECUTE = /^ControlUnitExecute/;

const failed: Act = {
  name: "a run whose first lane fails ends its lanes, and goes on when it is resumed",
  async play(stage) {
    const release = stage.model.hold();
    // Each attempt of the first lane is late as soon as its call is there, while the other lanes wait for theirs.
    const late = [0, 1, 2, 3].map((attempt) =>
      stage.disturbed.tasks.plan({
        meets: ({ functionArn, payload }) => EXECUTE.test(nameOf(stage, functionArn)) && laneIn(payload) === 1,
        trouble: { timesOut: stage.model.asked(LANES + attempt) },
      }),
    );
    const id = await submit(stage, submission(LANES));
    const run = await settled(stage, id);
    stage.disturbed.tasks.clear();
    mustStand(run, "failed", "internal");
    must(
      "The first lane was tried again",
      late.every(({ happened }) => happened() === 1),
    );
    // The others' answers come to a run that has ended.
    release();
    await ask(stage, `POST /runs/${id}/resume`, { status: 202, body: {} });
    mustStand(await settled(stage, id), "completed");
  },
};

const nameOf = ({ deployed }: Stage, functionArn: string): string =>
  Object.values(deployed.resources).find(({ arn }) => arn === functionArn)?.logicalId ?? "";

const laneIn = (payload: unknown): unknown => (payload as { lane?: number }).lane;

export const laned: Act[] = [sideBySide, cancelled, failed];
