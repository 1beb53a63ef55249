/** Of the packages that a project wants, what the verdict says: which could not be had, and what there is instead. Pure. */
import type { Verdict } from "../../core/verdict/verdict.ts";
import type { ProjectEnvironment } from "../language.ts";

type Packages = Pick<Verdict, "missingPackages" | "availablePackages">;

/** Who lacks more knows enough. */
const MISSING = 50;

export function packagesFound(environment: ProjectEnvironment | undefined, missing: string[]): Packages {
  const all = [...new Set([...(environment?.missing ?? []), ...missing])];
  const available = environment?.available ?? [];
  const more = all.length - MISSING;
  return {
    missingPackages: more > 0 ? [...all.slice(0, MISSING), `and ${more} more`] : all,
    ...(all.length > 0 && available.length > 0 ? { availablePackages: available } : {}),
  };
}
