/** `GET /runs/{id}/task`: the task verbatim, with the prompts and the program of its run. */
import { readTaskDocument } from "../../control/program/stored-task.ts";
import { TaskDocument } from "../../core/run/task.ts";
import { route } from "../route.ts";
import { ownRun } from "../run-view.ts";

export const task = route({
  name: "showTask",
  description: "Shows the task verbatim, the prompts of its run, and the program if one was given.",
  answers: {
    200: { description: "The task.", schema: TaskDocument },
    303: { description: "Where it is, being too large for one answer." },
  },
  problems: [400, 403, 404],
  handle: async (call) => ({ status: 200, json: await readTaskDocument(call.parts.files, (await ownRun(call)).id) }),
});
