/** Proves that every permission of the stack is needed: removes each and plays again the act that used it first. */
import { type Act, perform } from "./acts/act.ts";
import type { Allowance } from "./iam/allowances.ts";
import type { Use } from "./parts.ts";
import type { Stage } from "./stage.ts";

/** Which act used a permission first. */
export type FirstUses = Map<string, { use: Use; act: Act }>;

export function noteUses(stage: Stage, act: Act, uses: FirstUses): void {
  for (const use of stage.iam.ledger.uses) if (!uses.has(keyOf(use))) uses.set(keyOf(use), { use, act });
}

export const keyOf = ({ principal, statement, action }: Use): string => `${principal} ${statement} ${action}`;

/** What failed, naming the action; or why nothing shows that it is needed. */
type Removal = { failed: string; unshown?: never } | { unshown: string; failed?: never };

/** Plays the act that needs the permission, without it. */
export async function playWithout(stage: Stage, allowance: Allowance, act: Act): Promise<Removal> {
  if (KEPT_WARM.test(allowance.action)) await stage.functions.cool();
  const failed = await stage.lacking(allowance, () =>
    perform(stage, act).then(
      () => undefined,
      (error: Error) => error.message,
    ),
  );
  await stage.controlUnit.settled();
  // An act that failed may have left the model held, and the next one would wait for it for ever.
  stage.model.letGo();
  if (failed === undefined) return { unshown: "nothing fails without it" };
  const isNamed = failed.includes(`was denied ${allowance.action}.`);
  return isNamed ? { failed } : { unshown: `what fails without it does not name it: ${failed}` };
}

/** A warm function keeps its log stream, and the keys that it has read: a fresh one has to ask. */
const KEPT_WARM = /^(kms|logs|secretsmanager):/;
