/** `DELETE /runs/{id}`: removes a run that nobody computes, with all that it made. */
import { RunRemoval } from "../answers.ts";
import { unlessConflict } from "../problem.ts";
import { route } from "../route.ts";
import { ownStored } from "../run-view.ts";

export const deleteRun = route({
  method: "DELETE",
  path: "/runs/{id}",
  name: "deleteRun",
  says: "Removes a run and all that it made. One that is computed must be cancelled first.",
  answers: {
    200: { says: "Nothing of it is left.", schema: RunRemoval },
    202: { says: "It is gone for everybody; what is left of a large run is removed soon.", schema: RunRemoval },
  },
  problems: [400, 403, 404, 409, 415],
  async handle(asked) {
    const { id } = await ownStored(asked);
    const status = await unlessConflict(() => asked.parts.runs.remove(id));
    return { status: status === "deleted" ? 200 : 202, json: { id, status } };
  },
});
