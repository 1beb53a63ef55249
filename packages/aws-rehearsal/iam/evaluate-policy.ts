/** Evaluates a request against policy statements as IAM does: explicit denials win, and the default is denial. Pure. */

import type { Ask, PolicyStatement } from "../parts.ts";
import { assertDecidable, assertWithoutVariables, type Context, holds } from "./conditions.ts";
import type { Statement } from "./policies.ts";
import { matchesAction, matchesResource } from "./wildcards.ts";

export type Decision =
  | { effect: "Allow" | "Deny"; by: { owner: string; statement: number; action: string } }
  /** No statement speaks of it. */
  | { effect: "none" };

/** `context`: all that is known of the request, with what the ask itself brings. */
export function evaluate(
  statements: readonly Statement[],
  ask: Pick<Ask, "action" | "resource">,
  context: Context,
): Decision {
  let decision: Decision = { effect: "none" };
  for (const statement of statements) {
    if (statement.Effect === "Allow" && decision.effect === "Allow") continue;
    const action = spokenOf(statement, ask, context);
    if (action === undefined) continue;
    decision = { effect: statement.Effect, by: { owner: statement.owner, statement: statement.index, action } };
    if (statement.Effect === "Deny") return decision;
  }
  return decision;
}

/** The action as the statement writes it; undefined where the statement does not speak of the request. */
function spokenOf(
  statement: PolicyStatement,
  { action, resource }: Pick<Ask, "action" | "resource">,
  context: Context,
): string | undefined {
  const { Action, NotAction, Resource, NotResource, Condition } = statement;
  const written =
    NotAction === undefined
      ? listOf(Action).find((pattern) => matchesAction(pattern, action))
      : listOf(NotAction).some((pattern) => matchesAction(pattern, action))
        ? undefined
        : `all but ${listOf(NotAction).join(", ")}`;
  if (written === undefined) return undefined;
  const onIt =
    NotResource === undefined
      ? listOf(Resource).some((pattern) => matchesResource(pattern, resource))
      : !listOf(NotResource).some((pattern) => matchesResource(pattern, resource));
  return onIt && (Condition === undefined || holds(Condition, context)) ? written : undefined;
}

export const listOf = (value: string | string[] | undefined): string[] => [value ?? []].flat();

/** Throws, naming the statement, where it could not be decided. */
export function assertStatement(statement: Statement): void {
  const { owner, index, Effect, Action, NotAction, Resource, NotResource, Condition } = statement;
  const refuse = (why: string): never => {
    throw new Error(`Statement ${index} of ${owner}: ${why}`);
  };
  if (Effect !== "Allow" && Effect !== "Deny") refuse(`its effect is ${Effect}.`);
  if ((Action === undefined) === (NotAction === undefined)) refuse("it needs either Action or NotAction.");
  if ((Resource === undefined) === (NotResource === undefined)) refuse("it needs either Resource or NotResource.");
  try {
    for (const text of [Action, NotAction, Resource, NotResource].flatMap(listOf)) assertWithoutVariables(text);
    if (Condition) assertDecidable(Condition);
  } catch (error) {
    refuse((error as Error).message);
  }
}
