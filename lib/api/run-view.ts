/** A run as the API shows it: the record itself, without what only the machine needs, and where to go from it. */
import { z } from "zod";
import { Run } from "../core/run.ts";
import { isUlid } from "../core/ulid.ts";
import { Refused } from "./problem.ts";
import type { Asked } from "./route.ts";

export const RunLinks = z.object({
  self: z.string(),
  requirements: z.string(),
  program: z.string(),
  events: z.string(),
  files: z.string(),
  output: z.string(),
  cancel: z.string(),
  resume: z.string(),
});

export const RunView = Run.omit({ activeShard: true, dueAt: true, markedAt: true }).extend({ links: RunLinks });
export type RunView = z.infer<typeof RunView>;

/** What a submitted or changed run is answered with. */
export const RunAccepted = z.object({ id: z.string(), status: Run.shape.status, links: RunLinks });

export function linksOf(runId: string, { baseUrl }: Asked["context"]): z.infer<typeof RunLinks> {
  const self = `${baseUrl}/runs/${runId}`;
  return {
    self,
    requirements: `${self}/requirements`,
    program: `${self}/program`,
    events: `${self}/events`,
    files: `${self}/files`,
    output: `${self}/output`,
    cancel: `${self}/cancel`,
    resume: `${self}/resume`,
  };
}

export function viewOf(run: Run, { context }: Asked): RunView {
  const { activeShard: _activeShard, dueAt: _dueAt, markedAt: _markedAt, ...shown } = run;
  return { ...shown, links: linksOf(run.id, context) };
}

export const acceptedOf = ({ id, status }: Run, { context }: Asked): z.infer<typeof RunAccepted> => ({
  id,
  status,
  links: linksOf(id, context),
});

/** Somebody else's run is not there. */
export async function ownRun({ parts, context, params }: Asked): Promise<Run> {
  const { id = "" } = params;
  const run = isUlid(id) ? await parts.registry.run(id) : undefined;
  if (run?.owner === context.caller) return run;
  throw new Refused(404, "There is no such run.");
}
