/** A stack of the version before is updated to this one while runs of it wait and compute. */
import { readFileSync } from "node:fs";
import { sha256 } from "../../../lib/control/files/digest.ts";
import type { Run } from "../../../lib/core/run/run.ts";
import type { Stage } from "../stage.ts";
import { type Act, ask, compute, must, mustStand, SHORT, settled, submit } from "./act.ts";
import { zipOf } from "./whole-run.ts";

const invocationsOf = ({ functions }: Stage, name: RegExp): number =>
  Object.entries(functions.usage()).reduce((sum, [id, { invocations }]) => sum + (name.test(id) ? invocations : 0), 0);

/** Its instructions are states of the machine that the stack of version 0.2.0 has. */
const program = JSON.parse(readFileSync(new URL("../released/program.json", import.meta.url), "utf8"));
const COMPILED = { task: SHORT.task, program: program.instructions };

/** All but the first are executed side by side. */
const PARTS = [1, 2, 3].map((number) => ({
  ...{ id: `p${number}`, title: `Part ${number}`, ...(number === 1 ? {} : { needs: [] }) },
  text: `MARK-${number}-BEGINS Write the files of this part.`,
}));
const LANES = 3;

export const updated: Act = {
  name: "a stack is updated while runs compute, also in lanes, and wait: none is lost, and all end with the same zip",
  async play(stage) {
    const before = await compute(stage, COMPILED);
    mustStand(before, "completed");
    const waiting = await compute(stage, { ...COMPILED, approve: "plan" });
    mustStand(waiting, "waiting", "approval");
    const answer = stage.model.hold();
    const computing = await submit(stage, COMPILED);
    const inLanes = await submit(stage, { task: SHORT.task, program: PARTS, parallel: LANES });
    await stage.model.asked(1 + LANES);

    stage.update();
    answer();
    const runs = [await settled(stage, computing), await settled(stage, inLanes)];
    await ask(stage, `POST /runs/${waiting.id}/approve`, { status: 202, body: { decision: "approve" } });
    runs.push(await settled(stage, waiting.id));

    must("The new code computed", invocationsOf(stage, /^ControlUnitExecute/) > 0, stage.functions.usage());
    for (const run of runs) await mustEndAs(stage, before, run);
    const { runs: listed } = (await ask(stage, "GET /runs")).json as { runs: { id: string }[] };
    must(
      "The runs from before are listed",
      [before, waiting].every(({ id }) => listed.some((run) => run.id === id)),
    );
  },
};

/** Both programs write the same files, in as many calls. */
async function mustEndAs(stage: Stage, before: Run, run: Run): Promise<void> {
  mustStand(run, "completed");
  must("No call is paid twice", run.calls === before.calls, { before: before.calls, run: run.calls });
  const [expected, found] = [await zipOf(stage, before.id), await zipOf(stage, run.id)];
  must("Its zip is that of the run before the update", sha256(found) === sha256(expected));
}
