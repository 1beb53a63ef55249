/** `GET /runs/{id}/task`: the task as it was given, with the prompts and the program of its run. */
import { readTaskDocument } from "../../control/program/stored-task.ts";
import { TaskDocument } from "../../core/run/task.ts";
import { route } from "../route.ts";
import { ownRun } from "../run-view.ts";

export const task = route({
  method: "GET",
  path: "/runs/{id}/task",
  name: "showTask",
  says: "Shows the task word for word, the prompts that its run works by, and the program, where one was given.",
  answers: {
    200: { says: "The task.", schema: TaskDocument },
    303: { says: "Where it is, being too large for one answer." },
  },
  problems: [400, 403, 404],
  handle: async (asked) => ({ status: 200, json: await readTaskDocument(asked.parts.files, (await ownRun(asked)).id) }),
});
