/** Asks for the Git server's token without echo, or reads it from standard input, and stores it in the account's secret. */
import { UserError } from "../../core/errors.ts";
import { readKey, storeKey } from "../../deployment/model-key.ts";
import type { Target } from "../../deployment/target.ts";
import type { Arguments } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import type { Terminal } from "../display/terminal.ts";
import { usage } from "../settings/parse.ts";
import type { DeploymentOptions } from "./deployment-options.ts";

export type GitTokenSetter = (target: Target, outputs: Record<string, string>) => Promise<void>;

export const SET_GIT_TOKEN = "--set-git-token";

/** What is piped is read first: an empty pipe fails before the deployment, not ten minutes later. */
export async function createGitTokenSetter(
  { flags }: Arguments,
  { shell, terminal, config }: { shell: Shell; terminal: Terminal } & Pick<DeploymentOptions, "config">,
): Promise<GitTokenSetter> {
  if (!flags.has(SET_GIT_TOKEN)) return async () => {};
  if (!config.git) throw noField();
  if (flags.has("--key-stdin")) throw usage({ name: "deploy" }, `--key-stdin and ${SET_GIT_TOKEN} exclude each other.`);
  const piped = terminal.isThere ? undefined : await readPiped(terminal);
  return async (target, { GitTokenSecret: id = "" }) => {
    const token = piped ?? (await askForToken(shell, terminal));
    if (token === undefined) return;
    const stored = await storeKey(target, { id, key: token });
    if (!("refusal" in stored)) {
      shell.say("✔ Git token  stored; functions use it within five minutes");
      return;
    }
    const { reason, remedy } = stored.refusal;
    throw new UserError(`The stack is deployed, but the Git token could not be stored: ${reason}.`, {
      exitCode: 3,
      remedy: { command: "deploy", args: [SET_GIT_TOKEN], note: `after this: ${remedy}` },
    });
  };
}

const noField = (): UserError =>
  new UserError('l2mac.cloud.json has no field "git": there is no secret for a Git token. Nothing was changed.', {
    exitCode: 3,
    remedy: 'Add "git": {"host": "github.com"}, then the same command again.',
  });

async function readPiped(terminal: Terminal): Promise<string> {
  const read = readKey(await terminal.piped());
  if ("key" in read && read.key !== undefined) return read.key;
  const why = "problem" in read ? `the input cannot be a token: ${read.problem}` : "the input is empty";
  throw usage({ name: "deploy" }, `${SET_GIT_TOKEN} takes the token from standard input, but ${why}.`);
}

/** Undefined: skipped. */
async function askForToken(shell: Shell, terminal: Terminal): Promise<string | undefined> {
  for (;;) {
    const typed = await terminal.secret("The Git server's token (not shown; Enter skips):");
    if (typed === undefined) {
      throw new UserError("Interrupted. The stack is deployed; the Git token is not stored.", {
        exitCode: 130,
        remedy: { command: "deploy", args: [SET_GIT_TOKEN] },
      });
    }
    const read = readKey(typed);
    if ("key" in read) return read.key;
    shell.say(`Not stored: ${read.problem}.`);
  }
}
