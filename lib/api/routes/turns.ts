/** `GET /runs/{id}/turns`: all turns in order, without their bodies. */
import * as z from "zod";
import { TurnRecord } from "../../core/turn/turn.ts";
import { TurnPage } from "../answers.ts";
import { route } from "../route.ts";
import { ownRun } from "../run-view.ts";

const POSITION = /^\d{1,6}\.\d{1,4}$/;

const Query = z.strictObject({
  after: z
    .string()
    .regex(POSITION, "It is an instruction and a turn, such as 3.2.")
    .optional()
    .describe("Only turns after this one: `3.2` is the second of instruction 3."),
  limit: z.number().int().min(1).max(1_000).default(200),
});

export const turns = route({
  method: "GET",
  path: "/runs/{id}/turns",
  name: "listTurns",
  description: "Lists the turns of a run, planning first, with cost, changes, reads and results.",
  query: Query,
  answers: {
    200: { description: "A page.", schema: TurnPage },
    303: { description: "Its location, if it is too large for one answer." },
  },
  problems: [400, 403, 404],
  async handle(call) {
    const { id } = await ownRun(call);
    const { after, limit } = call.query;
    const range = { limit: limit + 1, ...(after === undefined ? {} : { after: positionOf(after) }) };
    const found = await call.parts.registry.turnsAfter(id, range);
    const page = found.slice(0, limit).map((each) => TurnRecord.parse(each));
    const last = page.at(-1);
    const next = last && found.length > limit ? { next: `${last.instruction}.${last.turn}` } : {};
    return { status: 200, json: { turns: page, ...next } };
  },
});

function positionOf(after: string): { instruction: number; turn: number } {
  const [instruction = 0, turn = 0] = after.split(".").map(Number);
  return { instruction, turn };
}
