/** `GET /runs/{id}`: how a run stands. */
import { dailyUsage } from "../../control/lifecycle/daily-budget.ts";
import { RunStanding } from "../answers.ts";
import { route } from "../route.ts";
import { ownRun, viewOf } from "../run-view.ts";

export const showRun = route({
  method: "GET",
  path: "/runs/{id}",
  name: "showRun",
  says: "Says how a run stands, and what it cost.",
  answers: { 200: { says: "The run.", schema: RunStanding } },
  problems: [400, 403, 404],
  async handle(asked) {
    const run = await ownRun(asked);
    const day = await dailyUsage(asked.parts);
    return { status: 200, json: { ...viewOf(run, asked), ...(day ? { day } : {}) } };
  },
});
