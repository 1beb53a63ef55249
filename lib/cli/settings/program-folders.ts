/** Where a command finds the programs that a program calls by name. */
import { programFolders } from "../../files/program/program-folders.ts";
import { REMOTE } from "./flags.ts";
import { homeOf, type Layers } from "./settings.ts";

/** What is not found by its name here is looked up where the program is submitted. */
export const namesElsewhere = (flags: Layers["flags"], { env }: Pick<Layers, "env">): boolean =>
  flags.has(REMOTE.name) || Boolean(env.L2MAC_API_URL);

export const foldersOf = ({ env, cwd }: Pick<Layers, "env" | "cwd">): string[] =>
  programFolders({ home: homeOf({ env, cwd }), env });
