/** `GET /runs`: the caller's runs, latest first. */
import * as z from "zod";
import { type Run, RunStatus } from "../../core/run/run.ts";
import type { RunsFound } from "../../registry/find-runs.ts";
import { RunPage } from "../answers.ts";
import { asFieldError } from "../problem.ts";
import { type RouteCall, route } from "../route.ts";
import { viewOf } from "../run-view.ts";

const Query = z.strictObject({
  q: z.string().max(200).optional().describe("Part of the id, name or title."),
  status: RunStatus.optional(),
  cursor: z.string().min(1).max(4_000).optional(),
  limit: z.int().min(1).max(100).default(20),
});
type Query = z.infer<typeof Query>;

export const listRuns = route({
  name: "listRuns",
  description: "Lists the caller's runs, latest first. A page can be short, or empty, and still have a cursor.",
  query: Query,
  answers: { 200: { description: "A page.", schema: RunPage } },
  problems: [400, 403],
  async handle(call) {
    const { runs, ...more } = await asFieldError("cursor", () => page(call));
    return { status: 200, json: { runs: runs.map((run) => viewOf(run, call)), ...more } };
  },
});

/** Runs read for one page at most, matching or not. */
const MAX_READ = 500;

async function page({ parts, context, query }: RouteCall<Query>): Promise<RunsFound> {
  const runs: Run[] = [];
  const unreadable: string[] = [];
  let { cursor } = query;
  for (let read = 0; read < MAX_READ && runs.length < query.limit; ) {
    const limit = query.limit - runs.length;
    const found = await parts.registry.runs({ owner: context.caller, limit, ...(cursor ? { cursor } : {}) });
    runs.push(...found.runs.filter((run) => matches(run, query)));
    unreadable.push(...(found.unreadable ?? []));
    read += limit;
    cursor = found.cursor;
    if (cursor === undefined) break;
  }
  return { runs, ...(unreadable.length > 0 ? { unreadable } : {}), ...(cursor ? { cursor } : {}) };
}

function matches({ id, name, title, status }: Run, query: Query): boolean {
  if (query.status !== undefined && status !== query.status) return false;
  const wanted = query.q?.toLowerCase() ?? "";
  return [id, name, title].some((text) => text.toLowerCase().includes(wanted));
}
