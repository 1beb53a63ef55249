/** Which packages a project asks for: names and versions pass, nothing that fetches from elsewhere. Pure. */

import type { PackageRequest } from "../language.ts";

/** Packages by name, each with the requirement as its installer wants it. */
export type Requirements = Map<string, string>;

export interface WantedPackages {
  requirements: Requirements;
  /** What is not installed, each with the reason. */
  refused: string[];
}

/** Packages of one manifest at most. */
export const REQUIREMENTS = 300;
/** Refusals reported for one manifest. */
const REFUSED = 20;
/** Names that programs of the evaluator go by. */
export const OWN_NAME = /^l2mac(?:[-_.]|$)/i;

/** Names of Python packages are equal without case and with any separator. */
export const nameKey = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, "-");

export function bounded({ requirements, refused }: WantedPackages, over: number, source: string): WantedPackages {
  const more = refused.length - REFUSED;
  return {
    requirements,
    refused: [
      ...refused.slice(0, REFUSED),
      ...(more > 0 ? [`${more} more lines of ${source}: refused`] : []),
      ...(over > 0
        ? [`${over} more packages of ${source}: not installed, for there are more than ${REQUIREMENTS}`]
        : []),
    ],
  };
}

export const noRequests: PackageRequest = {
  requests: [],
  depends: null,
  refused: [],
  install: async () => ({ missing: [], settled: true }),
};
