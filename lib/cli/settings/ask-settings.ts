/** Asks for what a configuration file needs: model, folder for the files, ceiling. Flags are answers too. */
import { DEFAULT_BUDGET_USD } from "../../core/limits.ts";
import { optionList } from "../../core/run/option-list.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { reasonOf } from "../../model/default-model.ts";
import { findLocalServers } from "../../model/probe/local-servers.ts";
import type { Shell } from "../display/shell.ts";
import type { Terminal } from "../display/terminal.ts";
import { modelServerIn } from "./model-server.ts";
import { readValue } from "./read-value.ts";
import type { Settings } from "./settings.ts";

interface Asking {
  /** Absent: what is found is the answer. */
  terminal: Terminal | undefined;
  shell: Shell;
}

/** Undefined: the questions were left by Ctrl-D. */
export async function askSettings(given: Settings, { terminal, shell }: Asking): Promise<Settings | undefined> {
  const found = await foundModel(given, shell);
  if (!terminal) return { ...found, ...given };
  const ask = (name: keyof Settings, question: string, standard: string) =>
    given[name] === undefined ? answerTo({ terminal, shell, name, question, standard }) : undefined;
  const model = await ask(
    "model",
    "Which model? (l2mac models lists them; rehearsal needs none)",
    found.model ?? BY_KEY,
  );
  if (model === null) return undefined;
  const workspace = await ask("workspace", "Folder for the files of runs?", DEFAULT_WORKSPACE);
  if (workspace === null) return undefined;
  const budget = await ask("budget", "At most how many US dollars for a run?", String(DEFAULT_BUDGET_USD));
  if (budget === null) return undefined;
  const server = model === undefined || model === found.model ? { baseUrl: found.baseUrl } : {};
  return {
    ...(server.baseUrl === undefined ? {} : { baseUrl: server.baseUrl }),
    ...given,
    ...(model === undefined || model === BY_KEY ? {} : { model: String(model) }),
    ...(workspace === undefined || workspace === DEFAULT_WORKSPACE ? {} : { workspace: String(workspace) }),
    ...(budget === undefined ? {} : { budget: Number(budget) }),
  };
}

const DEFAULT_WORKSPACE = "./workspace";
/** A name in the file would hold also when a key is set. */
const BY_KEY = "the key that is set chooses";

/** By the keys that are set; else of the one server of this computer that answers with one model. */
async function foundModel(given: Settings, shell: Shell): Promise<Pick<Settings, "model" | "baseUrl">> {
  const server = modelServerIn(given, shell.env);
  const { model, baseUrl } = server;
  if (model !== undefined || baseUrl !== undefined) {
    const reason = reasonOf(server);
    if (reason !== undefined) shell.say(`Model: ${reason}`);
    return model === undefined ? {} : { model };
  }
  const [local, ...others] = await findLocalServers();
  const [only, ...more] = local?.models ?? [];
  if (local === undefined || only === undefined || others.length + more.length > 0) return {};
  shell.say(sanitizeLine(`The server at ${local.baseUrl} of this computer has the model ${only}.`));
  return { model: only, baseUrl: local.baseUrl };
}

interface Question extends Required<Asking> {
  terminal: Terminal;
  name: keyof Settings;
  question: string;
  standard: string;
}

const MOST_TRIES = 3;

/** Null: left by Ctrl-D, or never answered with what can be read. */
async function answerTo({ terminal, shell, name, question, standard }: Question): Promise<unknown> {
  const type = optionList.find((option) => option.name === name)?.type;
  for (let tries = 0; type && tries < MOST_TRIES; tries += 1) {
    const answer = await terminal.answer(`${question} [${standard}]`);
    if (answer === undefined) return null;
    const read = readValue(type, answer.trim() || standard);
    if ("value" in read) return read.value;
    shell.say(`That takes ${read.expected}.`);
  }
  return null;
}
