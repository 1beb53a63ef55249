/** A run as the API shows it: the record without internal fields, with links. */
import type { z } from "zod";
import { Unreadable } from "../core/errors.ts";
import type { Run } from "../core/run/run.ts";
import { shownRun } from "../core/run/shown-run.ts";
import { isUlid } from "../core/run/ulid.ts";
import type { RunAccepted, RunLinks, RunView } from "./answers.ts";
import { Refused } from "./problem.ts";
import type { RouteCall } from "./route.ts";

export function linksOf(runId: string, { baseUrl }: RouteCall["context"]): z.infer<typeof RunLinks> {
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
    revise: `${self}/revise`,
    answers: `${self}/answers`,
    resume: `${self}/resume`,
    back: `${self}/back`,
    fork: `${self}/fork`,
    make: `${self}/make`,
  };
}

export const viewOf = (run: Run, { context }: RouteCall): RunView => ({
  ...shownRun(run),
  // Of this view, whatever the record's is: clients of other versions read it.
  format: 1,
  links: linksOf(run.id, context),
});

export const acceptedOf = ({ id, status }: Run, { context }: RouteCall): z.infer<typeof RunAccepted> => ({
  id,
  status,
  links: linksOf(id, context),
});

/** Runs of other owners do not exist for the caller. */
export const ownRun = (call: RouteCall): Promise<Run> => own(call, call.parts.registry.run);

/** Also a run whose removal has begun. */
export const ownStored = (call: RouteCall): Promise<Run> => own(call, call.parts.registry.stored);

async function own({ context, params }: RouteCall, look: (id: string) => Promise<Run | undefined>): Promise<Run> {
  const { id = "" } = params;
  const run = isUlid(id) ? await hideIfForeign(look(id), context.caller) : undefined;
  if (run?.owner === context.caller) return run;
  throw new Refused(404, "There is no such run.");
}

/** Only its owner learns that a run is unreadable. */
async function hideIfForeign(looking: Promise<Run | undefined>, caller: string): Promise<Run | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof Unreadable && error.owner !== caller) return undefined;
    throw error;
  }
}
