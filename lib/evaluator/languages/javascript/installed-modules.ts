/** Where the packages of a folder of the tree are installed: its own, then those of the folders around it. Pure. */
import type { NodeModules, ProjectEnvironment } from "../../language.ts";

export const modulesAt = (environment: ProjectEnvironment | undefined, below: string): NodeModules[] =>
  (environment?.nodeModules ?? [])
    .filter((one) => one.below === "" || one.below === below || below.startsWith(`${one.below}/`))
    .toSorted((one, other) => other.below.length - one.below.length);
