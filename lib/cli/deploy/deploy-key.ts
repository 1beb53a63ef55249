/** Asks for the model server's key, unseen, and stores it in the account's secret. It is never shown, logged or passed on. */
import { UserError } from "../../core/errors.ts";
import { isKeySet, readKey, storeKey } from "../../deployment/model-key.ts";
import type { Arguments } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import type { Terminal } from "../display/terminal.ts";
import { usage } from "../settings/parse.ts";
import type { Deploying } from "./deploy.ts";

export type KeyState = "set" | "not set";
export type KeySetter = (deploying: Deploying, outputs: Record<string, string>) => Promise<KeyState>;

/** What is piped in is read first: an empty pipe is better known before ten minutes of deploying than after. */
export async function createKeySetter({ flags }: Arguments, shell: Shell, terminal: Terminal): Promise<KeySetter> {
  const piped = flags.has("--key-stdin") ? await keyPiped(terminal) : undefined;
  return async ({ place }, { ModelKeySecret: id }) => {
    if (id === undefined) return "not set";
    const already = await isKeySet(place, id);
    if ("refusal" in already) shell.say(`~ key        the secret cannot be looked at: ${already.refusal.says}`);
    if ("told" in already && already.told && !flags.has("--set-key")) {
      shell.say(`✔ key        set already, and kept; ${shell.command("deploy", "--set-key")} replaces it`);
      return "set";
    }
    const key = piped ?? (await keyTyped(shell, terminal));
    if (key === undefined) return "told" in already && already.told ? "set" : "not set";
    const stored = await storeKey(place, { id, key });
    if ("refusal" in stored) throw notStored(stored.refusal.says, stored.refusal.remedy);
    shell.say("✔ key        stored; functions use it within five minutes");
    return "set";
  };
}

async function keyPiped(terminal: Terminal): Promise<string> {
  const read = readKey(await terminal.piped());
  if ("key" in read && read.key !== undefined) return read.key;
  const why = "problem" in read ? `what came cannot be a key: ${read.problem}` : "nothing came";
  throw usage({ name: "deploy" }, `--key-stdin takes the key from standard input, and ${why}. Nothing was changed.`);
}

async function keyTyped(shell: Shell, terminal: Terminal): Promise<string | undefined> {
  if (!terminal.isThere) {
    const store = shell.command("deploy", "--set-key", "--key-stdin");
    shell.say(`~ key        not set: there is no terminal to ask at. ${store} < FILE stores it.`);
    return undefined;
  }
  for (;;) {
    const typed = await terminal.secret("The model server's key (not shown; Enter skips):");
    if (typed === undefined) throw interruptedAtKey();
    const read = readKey(typed);
    if ("key" in read) return read.key;
    shell.say(`It was not stored: ${read.problem}.`);
  }
}

const interruptedAtKey = (): UserError =>
  new UserError("Interrupted. The stack is deployed; its key is not stored.", {
    exitCode: 130,
    remedy: { command: "deploy", args: ["--set-key"] },
  });

const notStored = (why: string, remedy: string): UserError =>
  new UserError(`The stack is deployed, but its key could not be stored: ${why}.`, {
    exitCode: 3,
    remedy: { command: "deploy", args: ["--set-key"], note: `after this: ${remedy}` },
  });
