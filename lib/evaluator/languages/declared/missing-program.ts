/** Which program a check needed that is not on this computer: then it says nothing about the project. */
import { delimiter, join } from "node:path";
import type { Workspace } from "../../language.ts";
import { isProgram } from "../../process/find-program.ts";
import type { CommandResult } from "../../process/run-command.ts";
import type { Tree } from "../../tree.ts";

/** What shells, make and env say of a program that they do not find. */
const NOT_FOUND = [
  /(?:^|: |\s)([\w.+-]+): (?:command )?not found$/gm,
  /^make(?:\[\d+\])?: ([\w.+-]+): No such file or directory$/gm,
  /^(?:\/usr\/bin\/)?env: ['‘"]?([\w.+-]+)['’"]?: No such file or directory$/gm,
];

/** A program that replaces one which was never installed. */
const UNREADY = /rustup could not choose a version of (\w+)/;

/** What Python's installers are made of: part of a computer, as older Pythons brought it, and no package of a project. */
const PACKAGING = /^ModuleNotFoundError: No module named '(setuptools|pkg_resources|distutils|wheel|pip|build)[.']/m;

/** A file of the project that is called like a program is missing for another reason: it is not executable. */
export function missingProgram(
  { stdout, stderr }: CommandResult,
  tree: Tree,
  workspace: Workspace,
): string | undefined {
  const own = new Set(tree.files.map((path) => path.slice(path.lastIndexOf("/") + 1)));
  const unready = UNREADY.exec(stderr)?.[1];
  if (unready) return unready;
  const packaging = PACKAGING.exec(stderr)?.[1];
  if (packaging && !own.has(packaging) && !own.has(`${packaging}.py`)) return `Python's ${packaging}`;
  const names = NOT_FOUND.flatMap((pattern) =>
    [...`${stderr}\n${stdout}`.matchAll(pattern)].flatMap(([, name]) => name ?? []),
  );
  return names.find((name) => !own.has(name) && !isOnPath(name, workspace));
}

export const isOnPath = (name: string, { path }: Workspace): boolean =>
  path.split(delimiter).some((folder) => folder !== "" && isProgram(join(folder, name)));
