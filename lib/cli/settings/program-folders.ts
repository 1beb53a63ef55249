/** Where a command finds the programs that a program calls by name. */
import { programFolders } from "../../files/program/program-folders.ts";
import { homeOf, type Layers } from "./settings.ts";

export const foldersOf = ({ env, cwd }: Pick<Layers, "env" | "cwd">): string[] =>
  programFolders({ home: homeOf({ env, cwd }), env });
