/** A run whose first step asks a person, with two more to execute. */
import { askUser, type UserQuestion } from "../../lib/control/steps/ask-user.ts";
import type { Run } from "../../lib/core/run/run.ts";
import type { Machine } from "../../lib/local/machine.ts";
import { aSubmission, compute } from "./machines.ts";
import { programOf } from "./scripted-model.ts";

export const COLOURS = { question: "Which colour?\nOne of these.", choices: ["Red", "Green"], saveTo: "colour.md" };
export const OPEN_QUESTION = { question: "What is it called?", saveTo: "docs/name.md" };

export async function askedRun(
  machine: Machine,
  asked: Omit<UserQuestion, "number"> = OPEN_QUESTION,
  over: Parameters<typeof aSubmission>[0] = {},
): Promise<Run> {
  const program = { instructions: programOf(3), requirements: [] };
  const submission = await aSubmission({
    ...over,
    options: { approve: "plan", ...over.options },
    submission: { program, ...over.submission },
  });
  return askInstead(machine, (await compute(machine, submission)).id, asked);
}

/** Asks in place of the first instruction of a program that waits for approval. */
export async function askInstead(machine: Machine, id: string, asked: Omit<UserQuestion, "number">): Promise<Run> {
  const planned = await machine.registry.run(id);
  const begun =
    planned &&
    (await machine.registry.beginEpoch(planned, { status: "running", approved: true, remove: ["reason", "detail"] }));
  if (!begun) throw new Error("gone");
  return askUser(machine.world, await machine.registry.claim(id, begun.epoch), { number: 1, ...asked });
}
