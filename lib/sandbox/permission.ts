/** Asks, before a run begins whose code would be run, whether that may be where nothing seals it off. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../core/errors.ts";
import type { PackDeclaration } from "../core/prompt/prompt.ts";
import type { RunOptions } from "../core/run/option-forms.ts";
import { categoryOf } from "../core/turn/tools.ts";

export interface Unsealed {
  /** Whether the user has said so for this command, or in a file. */
  permitted(): boolean;
  /** Asks whoever is there, having told them what that means. Absent: nobody can be asked. */
  ask?: ((means: string) => Promise<boolean>) | undefined;
}

export interface PermissionParts {
  home: string;
  /** Looked at only where something would be run: trying out what seals takes a moment. */
  sealed: () => { sealed: boolean; how: string };
  unsealed: Unsealed;
  platform: string;
}

/** Throws where it may not be. */
export type Permit = (run: { declaration: PackDeclaration; options: RunOptions }) => Promise<void>;

export function createPermit(parts: PermissionParts): Permit {
  const { home, sealed, unsealed } = parts;
  return async ({ declaration, options }) => {
    if (!runsCode(declaration, options) || sealed().sealed) return;
    if (unsealed.permitted() || isRemembered(home)) return;
    const { how } = sealed();
    if (!unsealed.ask) throw refused(`${capitalised(how)}, and nobody can be asked here. ${MEANS}`, parts);
    if (!(await unsealed.ask(`${capitalised(how)}. ${MEANS} Better: ${better(parts)}.`)))
      throw refused("The run was not begun.", parts);
    remember(home);
  };
}

/** What is only parsed is not run. A pack's own check runs at the gate, whatever is said of tests. */
const runsCode = ({ checks, tools }: PackDeclaration, options: RunOptions): boolean =>
  (checks.tests && options.runTests) ||
  checks.command !== undefined ||
  ((options.tools ?? tools)?.some((name) => categoryOf(name) === "run") ?? true);

const MEANS =
  "Without it, what the model writes runs as you: it could read your files and keys, reach your network, and change or delete what you may.";

const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

function refused(why: string, parts: PermissionParts): UserError {
  return new UserError(`${why} Nothing was run.`, {
    exitCode: 3,
    remedy: `${better(parts)}, or say --unsealed if it may all the same`,
  });
}

const better = ({ platform }: PermissionParts): string =>
  platform === "linux" ? "apt-get install bubblewrap" : ELSEWHERE;
const ELSEWHERE =
  "use l2mac in a virtual machine or container with Linux and bubblewrap, or a deployed stack (--remote)";

const ANSWER = "unsealed.json";
const isRemembered = (home: string): boolean => existsSync(join(home, ANSWER));

function remember(home: string): void {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, ANSWER), `${JSON.stringify({ unsealed: true, since: new Date().toISOString() })}\n`);
}
