/** The checks of an examiner as a fork inherits them: as they were declared. */
import { asDeclared, type Evidence, OF_EXAMINER } from "../../core/evidence/evidence.ts";
import type { World } from "../world.ts";

/** What instructions met of them is of their run: the fork meets them again, at its last instruction at the latest. */
export const declaredChecks = async ({ registry }: World, from: string): Promise<Evidence[]> =>
  (await registry.evidence(from)).filter(({ instruction }) => instruction === OF_EXAMINER).map(withoutFindings);

/** Whether a file of it is another one now, the gates of the fork find out. */
function withoutFindings(evidence: Evidence): Evidence {
  const { changed: _changed, ...declared } = asDeclared(evidence);
  return declared;
}
