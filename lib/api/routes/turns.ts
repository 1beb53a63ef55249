/** `GET /runs/{id}/turns`: all turns in order, without their bodies. */
import * as z from "zod";
import { TurnRecord } from "../../core/turn/turn.ts";
import { readTurnAddress, TurnPosition, turnAddress } from "../../core/turn/turn-address.ts";
import { TurnPage } from "../answers.ts";
import { route } from "../route.ts";
import { ownRun } from "../run-view.ts";

const Query = z.strictObject({
  after: TurnPosition.optional().describe(
    "Only turns after this one: `3.2` is the second of instruction 3, and `3.2@4` that of lane 4.",
  ),
  limit: z.int().min(1).max(1_000).default(200),
});

export const turns = route({
  name: "listTurns",
  description:
    "Lists the turns of a run, planning first, with cost, changes, reads and results. Those that a lane took ahead of the run come first in their instruction.",
  query: Query,
  answers: {
    200: { description: "A page.", schema: TurnPage },
    303: { description: "Its location, if it is too large for one answer." },
  },
  problems: [400, 403, 404],
  async handle(call) {
    const run = await ownRun(call);
    const { after, limit } = call.query;
    const range = { limit: limit + 1, after: after === undefined ? undefined : readTurnAddress(after) };
    const found = await call.parts.registry.stepTurnsAfter(run, range);
    const page = found.slice(0, limit).map((each) => TurnRecord.parse(each));
    const last = page.at(-1);
    const next = last && found.length > limit ? { next: turnAddress(last) } : {};
    return { status: 200, json: { turns: page, ...next } };
  },
});
