/** `GET /runs/{id}/turns`: all turns in order, each with what it cost, changed, read and found; their bodies apart. */
import * as z from "zod";
import { badCursor, fromCursor, toCursor } from "../../core/cursor.ts";
import { ToldTurn } from "../../core/turn.ts";
import { TurnPage } from "../answers.ts";
import { about } from "../problem.ts";
import { route } from "../route.ts";
import { ownRun } from "../run-view.ts";

const Query = z.strictObject({
  cursor: z.string().min(1).max(200).optional(),
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
    const { cursor, limit } = asked.query;
    const after = cursor === undefined ? {} : { after: await about("cursor", () => placeIn(cursor)) };
    const found = await asked.parts.registry.turnsAfter(id, { ...after, limit: limit + 1 });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const next = last && found.length > limit ? { cursor: toCursor([`${last.instruction}.${last.turn}`]) } : {};
    const turns = page.map((each) => ToldTurn.parse(each));
    return { status: 200, json: { turns, ...next } };
  },
});

function placeIn(cursor: string): { instruction: number; turn: number } {
  const [place = ""] = fromCursor(cursor, 1);
  const [, instruction, turn] = /^(\d{1,6})\.(\d{1,4})$/.exec(place) ?? [];
  if (instruction === undefined) throw badCursor();
  return { instruction: Number(instruction), turn: Number(turn) };
}
