/** Asks for the model server's key without echo, and stores it in the account's secret. The key is never shown, logged or passed to a child process. */
import { UserError } from "../../core/errors.ts";
import type { Refusal } from "../../deployment/aws-result.ts";
import { isKeySet, readKey, storeKey } from "../../deployment/model-key.ts";
import type { Target } from "../../deployment/target.ts";
import type { Arguments } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import type { Terminal } from "../display/terminal.ts";
import { usage } from "../settings/parse.ts";

export type KeyState = "set" | "not set";
export type KeySetter = (target: Target, outputs: Record<string, string>) => Promise<KeyState>;

/** Piped input is read first: an empty pipe fails before the deployment, not ten minutes later. */
export async function createKeySetter({ flags }: Arguments, shell: Shell, terminal: Terminal): Promise<KeySetter> {
  const piped = flags.has("--key-stdin") ? await readPipedKey(terminal) : undefined;
  return async (target, { ModelKeySecret: id }) => {
    if (id === undefined) return "not set";
    const found = await isKeySet(target, id);
    if ("refusal" in found) shell.say(`~ key        the secret could not be read: ${found.refusal.reason}`);
    const isSet = "value" in found && found.value;
    if (isSet && !flags.has("--set-key")) {
      shell.say(`✔ key        already set, and kept; ${shell.command("deploy", "--set-key")} replaces it`);
      return "set";
    }
    const key = piped ?? (await askForKey(shell, terminal));
    if (key === undefined) return isSet ? "set" : "not set";
    const stored = await storeKey(target, { id, key });
    if ("refusal" in stored) throw notStored(stored.refusal);
    shell.say("✔ key        stored; functions use it within five minutes");
    return "set";
  };
}

async function readPipedKey(terminal: Terminal): Promise<string> {
  const read = readKey(await terminal.piped());
  if ("key" in read && read.key !== undefined) return read.key;
  const why = "problem" in read ? `the input cannot be a key: ${read.problem}` : "the input is empty";
  throw usage({ name: "deploy" }, `--key-stdin takes the key from standard input, but ${why}. Nothing was changed.`);
}

/** Undefined: skipped. */
async function askForKey(shell: Shell, terminal: Terminal): Promise<string | undefined> {
  if (!terminal.isThere) {
    const store = shell.command("deploy", "--set-key", "--key-stdin");
    shell.say(`~ key        not set: there is no terminal to ask on. ${store} < FILE stores it.`);
    return undefined;
  }
  for (;;) {
    const typed = await terminal.secret("The model server's key (not shown; Enter skips):");
    if (typed === undefined) throw interrupted();
    const read = readKey(typed);
    if ("key" in read) return read.key;
    shell.say(`Not stored: ${read.problem}.`);
  }
}

const SET_KEY = { command: "deploy", args: ["--set-key"] };

const interrupted = (): UserError =>
  new UserError("Interrupted. The stack is deployed; its key is not stored.", { exitCode: 130, remedy: SET_KEY });

const notStored = ({ reason, remedy }: Refusal): UserError =>
  new UserError(`The stack is deployed, but its key could not be stored: ${reason}.`, {
    exitCode: 3,
    remedy: { ...SET_KEY, note: `after this: ${remedy}` },
  });
