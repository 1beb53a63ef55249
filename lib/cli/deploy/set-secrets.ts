/** Asks for the model server's key and the Git server's token without echo, or reads one from standard input, and stores them in the account's secrets. They are never shown, logged or passed to a child process. */
import { UserError } from "../../core/errors.ts";
import { isKeySet, readKey, storeKey } from "../../deployment/model-key.ts";
import type { Target } from "../../deployment/target.ts";
import type { Arguments } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import type { Terminal } from "../display/terminal.ts";
import { usage } from "../settings/parse.ts";
import type { DeploymentOptions } from "./deployment-options.ts";

interface Secret {
  flag: string;
  /** What takes it from standard input. */
  piping: string;
  label: string;
  what: string;
}

const KEY: Secret = { flag: "--set-key", piping: "--key-stdin", label: "key", what: "model server's key" };
const TOKEN: Secret = {
  flag: "--set-git-token",
  piping: "--set-git-token",
  label: "Git token",
  what: "Git server's token",
};

export interface SecretParts extends Pick<DeploymentOptions, "config"> {
  shell: Shell;
  terminal: Terminal;
}

/** Returns whether the model server's key is set. */
export type SecretSetter = (target: Target, outputs: Record<string, string>) => Promise<boolean>;

/** What is piped is read first: an empty pipe fails before the deployment, not ten minutes later. */
export async function createSecretSetter(
  { flags }: Pick<Arguments, "flags">,
  { shell, terminal, config }: SecretParts,
): Promise<SecretSetter> {
  const setsToken = flags.has(TOKEN.flag);
  if (setsToken && !config.git) throw noField();
  if (setsToken && flags.has(KEY.piping)) {
    throw usage({ name: "deploy" }, `${KEY.piping} and ${TOKEN.flag} exclude each other.`);
  }
  const pipedKey = flags.has(KEY.piping) ? await readPiped(KEY, terminal) : undefined;
  const pipedToken = setsToken && !terminal.isThere ? await readPiped(TOKEN, terminal) : undefined;

  async function setKey(target: Target, id: string): Promise<boolean> {
    const found = await isKeySet(target, id);
    if ("refusal" in found) shell.say(`~ key        the secret could not be read: ${found.refusal.reason}`);
    const isSet = "value" in found && found.value;
    if (isSet && !flags.has(KEY.flag)) {
      shell.say(`✔ key        already set, and kept; ${shell.command("deploy", KEY.flag)} replaces it`);
      return true;
    }
    if (pipedKey === undefined && !terminal.isThere) {
      const store = shell.command("deploy", KEY.flag, KEY.piping);
      shell.say(`~ key        not set: there is no terminal to ask on. ${store} < FILE stores it.`);
      return isSet;
    }
    const key = pipedKey ?? (await ask(KEY, shell, terminal));
    return (await store(KEY, { shell, target, id, value: key })) || isSet;
  }

  return async (target, { ModelKeySecret, GitTokenSecret = "" }) => {
    const isSet = ModelKeySecret !== undefined && (await setKey(target, ModelKeySecret));
    if (setsToken) {
      const value = pipedToken ?? (await ask(TOKEN, shell, terminal));
      await store(TOKEN, { shell, target, id: GitTokenSecret, value });
    }
    return isSet;
  };
}

const noField = (): UserError =>
  new UserError('l2mac.cloud.json has no field "git": there is no secret for a Git token. Nothing was changed.', {
    exitCode: 3,
    remedy: 'Add "git": {"host": "github.com"}, then the same command again.',
  });

async function readPiped({ piping, label }: Secret, terminal: Terminal): Promise<string> {
  const read = readKey(await terminal.piped());
  if ("key" in read && read.key !== undefined) return read.key;
  const why = "problem" in read ? `the input cannot be a ${label}: ${read.problem}` : "the input is empty";
  throw usage({ name: "deploy" }, `${piping} takes the ${label} from standard input, but ${why}. Nothing was changed.`);
}

/** Undefined: skipped. */
async function ask({ what, label, flag }: Secret, shell: Shell, terminal: Terminal): Promise<string | undefined> {
  for (;;) {
    const typed = await terminal.secret(`The ${what} (not shown; Enter skips):`);
    if (typed === undefined) {
      throw new UserError(`Interrupted. The stack is deployed; its ${label} is not stored.`, {
        exitCode: 130,
        remedy: { command: "deploy", args: [flag] },
      });
    }
    const read = readKey(typed);
    if ("key" in read) return read.key;
    shell.say(`Not stored: ${read.problem}.`);
  }
}

interface Stored {
  shell: Shell;
  target: Target;
  id: string;
  value: string | undefined;
}

async function store({ label, flag }: Secret, { shell, target, id, value }: Stored): Promise<boolean> {
  if (value === undefined) return false;
  const stored = await storeKey(target, { id, key: value });
  if ("refusal" in stored) {
    const { reason, remedy } = stored.refusal;
    throw new UserError(`The stack is deployed, but its ${label} could not be stored: ${reason}.`, {
      exitCode: 3,
      remedy: { command: "deploy", args: [flag], note: `after this: ${remedy}` },
    });
  }
  shell.say(`✔ ${label.padEnd(10)} stored; functions use it within five minutes`);
  return true;
}
