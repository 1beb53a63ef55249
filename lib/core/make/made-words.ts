/** What became of a step that could be taken over, in words. Pure. */
import { money, shortId } from "../text/format.ts";
import { costWords } from "./copied-steps.ts";
import type { MadeEvent } from "./made-event.ts";

export function madeWords({ decision, why, saved, from }: MadeEvent): string {
  if (from) return callWords({ decision, why, saved, from });
  if (decision === "executed") return `is executed: ${why}`;
  const cost = saved ? ` (it cost ${money(saved.microUsd)})` : "";
  return decision === "copied" ? `taken over without a model call${cost}` : `kept, its checks are green: ${why}${cost}`;
}

type OfCall = Pick<MadeEvent, "decision" | "why" | "saved"> & { from: NonNullable<MadeEvent["from"]> };

function callWords({ decision, why, saved, from: { run, instruction } }: OfCall): string {
  const where = `the same call in run ${shortId(run)}`;
  if (decision === "executed") return `is executed, ${where} is not copied: ${why}`;
  return `copied from ${where}, step ${instruction}${saved ? `: saves ${costWords(saved)}` : ""}`;
}

export const A_PERSON_IS_ASKED = "a person is asked";
export const NEW_STEP = "no accepted step was asked the same";
export const REQUIREMENTS_CHANGED = "what it serves, or its length, changed";
export const NOT_ACCEPTED = "it was not accepted";
export const NO_KEY = "an earlier version accepted it: what it depended on is not known";
