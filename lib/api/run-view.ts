/** A run as the API shows it: the record itself, without what only the machine needs, and where to go from it. */
import type { z } from "zod";
import { Unreadable } from "../core/errors.ts";
import type { Run } from "../core/run/run.ts";
import { shownRun } from "../core/run/shown-run.ts";
import { isUlid } from "../core/run/ulid.ts";
import type { RunAccepted, RunLinks, RunView } from "./answers.ts";
import { Refused } from "./problem.ts";
import type { Asked } from "./route.ts";

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
    approve: `${self}/approve`,
    resume: `${self}/resume`,
  };
}

export const viewOf = (run: Run, { context }: Asked): RunView => ({
  ...shownRun(run),
  links: linksOf(run.id, context),
});

export const acceptedOf = ({ id, status }: Run, { context }: Asked): z.infer<typeof RunAccepted> => ({
  id,
  status,
  links: linksOf(id, context),
});

/** Somebody else's run is not there. */
export const ownRun = (asked: Asked): Promise<Run> => own(asked, asked.parts.registry.run);

/** Also one whose removal has begun. */
export const ownStored = (asked: Asked): Promise<Run> => own(asked, asked.parts.registry.stored);

async function own({ context, params }: Asked, look: (id: string) => Promise<Run | undefined>): Promise<Run> {
  const { id = "" } = params;
  const run = isUlid(id) ? await unlessForeign(look(id), context.caller) : undefined;
  if (run?.owner === context.caller) return run;
  throw new Refused(404, "There is no such run.");
}

/** What cannot be read is told to its owner alone. */
async function unlessForeign(looking: Promise<Run | undefined>, caller: string): Promise<Run | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof Unreadable && error.owner !== caller) return undefined;
    throw error;
  }
}
