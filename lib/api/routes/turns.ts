/** `GET /runs/{id}/turns`: all turns in order, each with what it cost, changed, read and found; their bodies apart. */
import * as z from "zod";
import { ToldTurn } from "../../core/turn/turn.ts";
import { TurnPage } from "../answers.ts";
import { route } from "../route.ts";
import { ownRun } from "../run-view.ts";

const PLACE = /^\d{1,6}\.\d{1,4}$/;

const Query = z.strictObject({
  after: z
    .string()
    .regex(PLACE, "It is an instruction and a turn, such as 3.2.")
    .optional()
    .describe("Only turns after this one: `3.2` is the second of instruction 3."),
  limit: z.number().int().min(1).max(1_000).default(200),
});

export const turns = route({
  method: "GET",
  path: "/runs/{id}/turns",
  name: "listTurns",
  says: "Lists the turns of a run, planning first, with what each cost, changed, read and found.",
  query: Query,
  answers: {
    200: { says: "A page.", schema: TurnPage },
    303: { says: "Where it is, being too large for one answer." },
  },
  problems: [400, 403, 404],
  async handle(asked) {
    const { id } = await ownRun(asked);
    const { after, limit } = asked.query;
    const range = { limit: limit + 1, ...(after === undefined ? {} : { after: placeOf(after) }) };
    const found = await asked.parts.registry.turnsAfter(id, range);
    const page = found.slice(0, limit).map((each) => ToldTurn.parse(each));
    const last = page.at(-1);
    const next = last && found.length > limit ? { next: `${last.instruction}.${last.turn}` } : {};
    return { status: 200, json: { turns: page, ...next } };
  },
});

function placeOf(after: string): { instruction: number; turn: number } {
  const [instruction = 0, turn = 0] = after.split(".").map(Number);
  return { instruction, turn };
}
