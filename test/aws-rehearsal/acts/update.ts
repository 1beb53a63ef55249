/** A stack of the version before is updated to this one while runs of it wait and compute. */
import { sha256 } from "../../../lib/control/files/digest.ts";
import type { Stage } from "../stage.ts";
import { type Act, ask, compute, must, mustStand, SHORT, settled, submit } from "./act.ts";
import { zipOf } from "./whole-run.ts";

const invocationsOf = ({ functions }: Stage, name: RegExp): number =>
  Object.entries(functions.usage()).reduce((sum, [id, { invocations }]) => sum + (name.test(id) ? invocations : 0), 0);

/** The version before has no such field, and a program without requirements needs none. */
const PARTS = { ...SHORT, evidence: undefined };

export const updated: Act = {
  name: "a stack is updated while runs compute and wait: none is lost, and all end with the same zip",
  async play(stage) {
    const before = await compute(stage, PARTS);
    mustStand(before, "completed");
    const waiting = await compute(stage, { ...PARTS, approve: "plan" });
    mustStand(waiting, "waiting", "approval");
    const answer = stage.model.hold();
    const computing = await submit(stage, PARTS);
    await stage.model.asked();

    stage.update();
    const after = await submit(stage, PARTS);
    answer();
    const runs = [await settled(stage, computing), await settled(stage, after)];
    await ask(stage, `POST /runs/${waiting.id}/approve`, { status: 202, body: { decision: "approve" } });
    runs.push(await settled(stage, waiting.id));

    must("The new code computed", invocationsOf(stage, /^ControlUnitExecute/) > 0, stage.functions.usage());
    const expected = sha256(await zipOf(stage, before.id));
    for (const run of runs) {
      mustStand(run, "completed");
      must("No call is paid twice", run.calls === before.calls, { before: before.calls, run: run.calls });
      must("Its zip is that of the run before the update", sha256(await zipOf(stage, run.id)) === expected);
    }
    const { runs: listed } = (await ask(stage, "GET /runs")).json as { runs: { id: string }[] };
    must(
      "The runs from before are listed",
      [before, waiting].every(({ id }) => listed.some((run) => run.id === id)),
    );
  },
};
