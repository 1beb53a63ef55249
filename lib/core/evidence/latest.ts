/** Which evidence counts, and what its latest execution showed. Pure. */
import { type Evidence, evidenceName } from "./evidence.ts";

/** What counts: it was not replaced, or what took its place is gone with its instruction. */
export const standingOf = (evidence: Evidence[]): Evidence[] => {
  const names = new Set(evidence.map(evidenceName));
  return evidence.filter(
    ({ requirement, replacedBy: n }) => n === undefined || !names.has(evidenceName({ requirement, n })),
  );
};

/** On the delivered tree what was not executed there is not known. */
export function lastOf({ delivered, again, work }: Evidence, isDelivered: boolean) {
  if (delivered) return delivered;
  return isDelivered ? NOT_EXECUTED : (again ?? work);
}
const NOT_EXECUTED = { status: "unknown" as const, detail: "it was not executed on the delivered tree" };
