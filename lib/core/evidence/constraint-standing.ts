/** How far the constraints of a task are checked: by an executed check that is green, or by declaration alone. Pure. */
import * as z from "zod";
import type { Constraint } from "../program/constraints.ts";
import { Evidence, evidenceName, isRed } from "./evidence.ts";
import { lastOf, standingOf } from "./latest.ts";
import type { GatheredOfTask } from "./standing.ts";

export const ConstraintRow = z.object({
  id: z.string(),
  text: z.string(),
  /** `declared`: nothing was executed for it. */
  state: z.enum(["checked", "declared", "broken", "waived"]),
  why: z.string().optional(),
  evidence: z.array(Evidence),
});
export type ConstraintRow = z.infer<typeof ConstraintRow>;

/** An id that a requirement has is that requirement's. */
export const constraintRows = (given: GatheredOfTask, requirements: readonly { id: string }[]): ConstraintRow[] =>
  (given.constraints ?? [])
    .filter(({ id }) => !requirements.some((each) => each.id === id))
    .map((each) => constraintRow(each, given));

/** What was green once and cannot be executed now is not known: it is not called checked. */
function constraintRow({ id, text }: Constraint, given: GatheredOfTask): ConstraintRow {
  const evidence = given.evidence.filter(({ requirement }) => requirement === id);
  const waiver = given.waivers?.find(({ requirement }) => requirement === id);
  if (waiver) return { id, text, state: "waived", why: waiver.reason, evidence };
  const standing = standingOf(evidence).map((each) => ({ each, last: lastOf(each, given.isDelivered) }));
  const red = standing.find(({ last }) => isRed(last));
  if (red) return { id, text, state: "broken", why: `${evidenceName(red.each)} red: ${red.last.detail}`, evidence };
  const dropped = evidence.find((each) => isDropped(each, evidence));
  if (dropped) return { id, text, state: "declared", why: `${evidenceName(dropped)} ${DROPPED}`, evidence };
  const green = standing.filter(({ each, last }) => last.status === "passed" && !each.changed);
  if (green.length > 0) return { id, text, state: "checked", evidence };
  const [other] = standing;
  const why = other && `${evidenceName(other.each)} ${other.each.changed ? CHANGED : UNKNOWN}`;
  return { id, text, state: "declared", ...(why === undefined ? {} : { why }), evidence };
}

/** It was red, and another check took its place: whether that checks as much is not known. */
const isDropped = ({ replacedBy, check }: Evidence, all: Evidence[]): boolean => {
  const by = replacedBy === undefined ? undefined : all.find(({ n }) => n === replacedBy);
  return by !== undefined && JSON.stringify(by.check) !== JSON.stringify(check);
};

const DROPPED = "was red, and another check took its place";
const CHANGED = "the check was changed";
const UNKNOWN = "could not be executed";
