/** Permissions that are removed for a while, and which denials an act expects. */
import type { Allowance } from "./iam/allowances.ts";
import type { PlayedIam } from "./iam/iam.ts";
import type { Denial, Use } from "./parts.ts";
import type { Stage } from "./stage.ts";

/** The user who may not call the API. */
export const STRANGER = "stranger";

/** Actions that are taken away for a while; several may be at once. */
export function createRemovals(
  iam: PlayedIam,
  allowances: Allowance[],
): Pick<Stage, "without" | "lacking" | "expects"> {
  const gone: Use[] = [];
  const expected = new WeakSet<Denial>();
  async function lacking<T>(use: Use, work: () => Promise<T>): Promise<T> {
    gone.push(use);
    iam.remove(...gone);
    try {
      return await work();
    } finally {
      gone.splice(gone.indexOf(use), 1);
      iam.remove(...gone);
    }
  }
  return {
    lacking,
    async without({ role, action }, work) {
      const use = allowances.find((each) => role.test(each.principal) && each.action === action);
      if (!use) throw new Error(`No role like ${role} allows ${action}.`);
      const { denials } = iam.ledger;
      const before = denials.length;
      try {
        return await lacking(use, work);
      } finally {
        for (const denied of denials.slice(before))
          if (denied.principal === use.principal && denied.action === action) expected.add(denied);
      }
    },
    expects: (denied) => denied.principal === STRANGER || expected.has(denied),
  };
}
