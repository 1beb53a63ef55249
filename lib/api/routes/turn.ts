/** `GET /runs/{id}/turns/{instruction}/{turn}`: one turn of the journal with its bodies. */
import * as z from "zod";
import { TRIED } from "../../control/turn/body-kinds.ts";
import { readBody, readEntry } from "../../control/turn/journal.ts";
import { defined } from "../../core/defined.ts";
import { LANES } from "../../core/limits.ts";
import type { Run } from "../../core/run/run.ts";
import { maskEveryText } from "../../core/text/secrets.ts";
import type { StepTurn } from "../../core/turn/turn.ts";
import { isSameTurn, laneOf } from "../../core/turn/turn-address.ts";
import { JournalEntry } from "../answers.ts";
import type { ApiParts } from "../parts.ts";
import { Refused } from "../problem.ts";
import { route } from "../route.ts";
import { ownRun } from "../run-view.ts";

const Query = z.strictObject({
  lane: z.int().min(1).max(LANES).optional().describe("The lane that took it ahead of the run."),
});

export const turn = route({
  name: "showTurn",
  description: "Shows a turn: the model's answer and its effects. Planning turns belong to instruction 0.",
  params: {
    instruction: z.string().regex(/^\d{1,6}$/, "It is the number of an instruction."),
    turn: z.string().regex(/^\d{1,4}$/, "It is the number of a turn."),
  },
  query: Query,
  answers: {
    200: { description: "The turn.", schema: JournalEntry },
    303: { description: "Its location, if it is too large for one answer." },
  },
  problems: [400, 403, 404],
  async handle(call) {
    const run = await ownRun(call);
    const { instruction, turn: number } = call.params;
    const at = { instruction: Number(instruction), turn: Number(number), ...laneOf(call.query.lane ?? 1) };
    const turns = await call.parts.registry.stepTurns(run, at.instruction);
    const turn = turns.find((each) => isSameTurn(each, at));
    const by = at.lane === undefined ? "" : ` by lane ${at.lane}`;
    if (!turn) throw new Refused(404, `The run has no turn ${number} of instruction ${instruction}${by}.`);
    const isLast = turn === turns.findLast(({ lane }) => lane === turn.lane);
    const tried = turn.ahead === "dropped" && isLast ? await triedOf(call.parts, run, turn) : undefined;
    const entry = { ...(await readEntry(call.parts.files, turn)), turn, ...defined({ tried }) };
    return { status: 200, json: maskEveryText(entry) };
  },
});

/** What the gate found where the work of the lane was tried. */
async function triedOf({ registry, files }: ApiParts, { id }: Run, { instruction }: StepTurn) {
  const { tried } = (await registry.instruction(id, instruction)) ?? {};
  return tried && readBody(files, { key: tried.body, hash: tried.sha256 }, TRIED);
}
