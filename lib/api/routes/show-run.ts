/** `GET /runs/{id}`: how a run stands. */
import { RunView } from "../answers.ts";
import { route } from "../route.ts";
import { ownRun, viewOf } from "../run-view.ts";

export const showRun = route({
  method: "GET",
  path: "/runs/{id}",
  name: "showRun",
  says: "Says how a run stands, and what it cost.",
  answers: { 200: { says: "The run.", schema: RunView } },
  problems: [400, 403, 404],
  handle: async (asked) => ({ status: 200, json: viewOf(await ownRun(asked), asked) }),
});
