/** `DELETE /runs/{id}`: removes a run that is not being computed, with all its data. */
import { RunRemoval } from "../answers.ts";
import { asConflict } from "../problem.ts";
import { route } from "../route.ts";
import { ownStored } from "../run-view.ts";

export const deleteRun = route({
  name: "deleteRun",
  description: "Removes a run and all its data. A run that is being computed must be cancelled first.",
  answers: {
    200: { description: "Nothing of it is left.", schema: RunRemoval },
    202: { description: "It is gone for everybody; what is left of a large run is removed soon.", schema: RunRemoval },
  },
  problems: [400, 403, 404, 409, 415],
  async handle(call) {
    const { id } = await ownStored(call);
    const status = await asConflict(() => call.parts.runs.remove(id));
    return { status: status === "deleted" ? 200 : 202, json: { id, status } };
  },
});
