/** Asks for consent before a run starts whose code would run without a sandbox. */
import { UserError } from "../core/errors.ts";
import type { PackDeclaration } from "../core/prompt/prompt.ts";
import type { RunOptions } from "../core/run/option-forms.ts";
import { categoryOf } from "../core/turn/tools.ts";

export interface UnsealedConsent {
  /** Whether the user has allowed it for this command, or in the configuration. */
  permitted(): boolean;
  /** Asks the user, with an explanation. Absent: there is no terminal to ask on. */
  ask?: ((means: string) => Promise<boolean>) | undefined;
  /** The answer of an earlier command, which is kept outside of everything that a project brings. */
  kept?: { has(): boolean; keep(): void } | undefined;
}

export interface Sealing {
  sealed: boolean;
  how: string;
}

export interface PermissionParts {
  /** Called only if something would run: probing the sandbox takes a moment. */
  sealed: () => Sealing | Promise<Sealing>;
  unsealed: UnsealedConsent;
  platform: string;
}

/** Throws if the run is not allowed. */
export type Permit = (run: { declaration: PackDeclaration; options: RunOptions }) => Promise<void>;

export function createPermit(parts: PermissionParts): Permit {
  const permitCode = createCodePermit(parts);
  return async ({ declaration, options }) => {
    if (runsCode(declaration, options)) await permitCode();
  };
}

/** For generated code that certainly runs. Throws if it is not allowed. */
export function createCodePermit(parts: PermissionParts): () => Promise<void> {
  const { sealed, unsealed } = parts;
  return async () => {
    const { sealed: isSealed, how } = await sealed();
    if (isSealed || unsealed.permitted() || unsealed.kept?.has()) return;
    if (!unsealed.ask) throw refused(`${capitalised(how)}, and there is no terminal to ask on. ${MEANS}`, parts);
    if (!(await unsealed.ask(`${capitalised(how)}. ${MEANS} Better: ${howToSeal(parts.platform)}.`)))
      throw refused("It was not allowed.", parts);
    unsealed.kept?.keep();
  };
}

/** Parsing runs nothing. A pack's own check runs at the gate, also without tests; evidence is executed but for texts. */
const runsCode = ({ checks, tools }: PackDeclaration, options: RunOptions): boolean =>
  (checks.tests && options.runTests) ||
  checks.command !== undefined ||
  (options.evidence !== undefined && checks.prose !== true) ||
  ((options.tools ?? tools)?.some((name) => categoryOf(name) === "run") ?? true);

const MEANS =
  "Without it, what the model writes runs as you: it could read your files and keys, reach your network, and change or delete what you may.";

const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

function refused(why: string, parts: PermissionParts): UserError {
  return new UserError(`${why} Nothing was run.`, {
    exitCode: 3,
    remedy: `${howToSeal(parts.platform)}, or say --unsealed if it may all the same`,
  });
}

export const howToSeal = (platform: string): string =>
  platform === "linux" ? "apt-get install bubblewrap" : ELSEWHERE;
const ELSEWHERE =
  "use l2mac in its container (docs/install.md) or a virtual machine with Linux and bubblewrap, or a deployed stack (--remote)";
