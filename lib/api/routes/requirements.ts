/** `GET /runs/{id}/requirements`: what the task asks for. */
import * as z from "zod";
import { storedProgram } from "../../control/program/stored-program.ts";
import { Requirement } from "../../core/program/program.ts";
import { route } from "../route.ts";
import { ownRun } from "../run-view.ts";

export const requirements = route({
  name: "listRequirements",
  description: "Lists what the task asks for, each with its id. Empty until the run is planned.",
  answers: {
    200: { description: "The requirements.", schema: z.object({ requirements: z.array(Requirement) }) },
    303: { description: "Where they are, being too many for one answer." },
  },
  problems: [400, 403, 404],
  async handle(call) {
    const { requirements } = await storedProgram(call.parts, await ownRun(call));
    return { status: 200, json: { requirements } };
  },
});
