/** `GET /runs/{id}/turns/{instruction}/{turn}`: one turn of the journal with its bodies. */
import * as z from "zod";
import { readEntry } from "../../control/turn/journal.ts";
import { maskEveryText } from "../../core/text/secrets.ts";
import { AnswerBody, EffectsBody, Turn } from "../../core/turn/turn.ts";
import { Refused } from "../problem.ts";
import { route } from "../route.ts";
import { ownRun } from "../run-view.ts";

const Entry = z.object({ turn: Turn, answer: AnswerBody.optional(), effects: EffectsBody.optional() });

export const turn = route({
  method: "GET",
  path: "/runs/{id}/turns/{instruction}/{turn}",
  name: "showTurn",
  description: "Shows a turn: the model's answer and its effects. Planning turns belong to instruction 0.",
  params: {
    instruction: z.string().regex(/^\d{1,6}$/, "It is the number of an instruction."),
    turn: z.string().regex(/^\d{1,4}$/, "It is the number of a turn."),
  },
  answers: {
    200: { description: "The turn.", schema: Entry },
    303: { description: "Its location, if it is too large for one answer." },
  },
  problems: [400, 403, 404],
  async handle(call) {
    const run = await ownRun(call);
    const { instruction, turn: number } = call.params;
    const turns = await call.parts.registry.turns(run.id, Number(instruction));
    const turn = turns.find((each) => each.turn === Number(number));
    if (!turn) throw new Refused(404, `The run has no turn ${number} of instruction ${instruction}.`);
    return { status: 200, json: maskEveryText(await readEntry(call.parts.files, turn)) };
  },
});
