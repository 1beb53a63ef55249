/** `GET /runs/{id}`: the status of a run. */
import { dailyUsage } from "../../control/lifecycle/daily-usage.ts";
import { RunStatusView } from "../answers.ts";
import { route } from "../route.ts";
import { ownRun, viewOf } from "../run-view.ts";

export const showRun = route({
  name: "showRun",
  description: "Shows the status and cost of a run.",
  answers: { 200: { description: "The run.", schema: RunStatusView } },
  problems: [400, 403, 404],
  async handle(call) {
    const run = await ownRun(call);
    const day = await dailyUsage(call.parts);
    const lanes = await call.parts.registry.busyLanes(run);
    const more = { ...(day ? { day } : {}), ...(lanes.length > 0 ? { lanes } : {}) };
    return { status: 200, json: { ...viewOf(run, call), ...more } };
  },
});
