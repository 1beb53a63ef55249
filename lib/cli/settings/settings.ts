/** Settings in layers: flags over the environment over the project's file over the user's. */
import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { UserError } from "../../core/errors.ts";
import { type Option, optionList } from "../../core/run/option-list.ts";
import { nearestWord } from "../../core/text/nearest-word.ts";
import { readRegularSync } from "../../host/regular-file.ts";
import { type Environment, userFolder } from "../../host/user-folder.ts";
import { isTrusted, trustFile } from "../../host/user-trust.ts";
import { readConfig, type Settings } from "./config.ts";
import { askedFor, settingsInWords, trustedFileOf, untrusted, without } from "./project-config.ts";
import { readValue } from "./read-value.ts";

export type { Settings } from "./config.ts";

/** Variables that mean something without being an option. */
export const OTHER_VARIABLES = ["L2MAC_HOME", "L2MAC_DEBUG", "L2MAC_WEBHOOK_SECRET"];

export interface Layers {
  flags: ReadonlyMap<string, string>;
  env: Environment;
  cwd: string;
  /** The command whose help describes the flags; absent: `run`. */
  helpOf?: string;
}

/** What a project asks for beyond what it may set does not count until its file is trusted. */
export function readSettings(layers: Layers): Settings {
  const { user, project, asked } = readFiles(layers);
  const counted = without(project, asked);
  const written = { ...user, ...counted, models: { ...user.models, ...counted.models } };
  return { ...written, ...settingsSaid(layers) };
}

interface Files {
  user: Settings;
  project: Settings;
  /** The settings of the project that do not count. */
  asked: (keyof Settings)[];
}

function readFiles({ env, cwd }: Pick<Layers, "env" | "cwd">): Files {
  const [userPath, projectPath] = [userConfigPath(env), projectConfigPath(cwd)];
  const user = existsSync(userPath) ? settingsInFile(userPath) : {};
  if (!existsSync(projectPath)) return { user, project: {}, asked: [] };
  const text = textOf(projectPath);
  const project = settingsInText(projectPath, text);
  const asked = askedFor(project, user);
  const trusted = asked.length > 0 && isTrusted(env, trustedFileOf(projectPath, { text, settings: project }));
  return { user, project, asked: trusted ? [] : asked };
}

/** Throws if the project's file asks for what is not trusted and not said otherwise. `only`: of these settings. */
export function refuseUntrusted(layers: Layers, only?: (keyof Settings)[]): void {
  const { project, asked } = readFiles(layers);
  const said = settingsSaid(layers);
  const open = asked.filter((name) => said[name] === undefined && (only?.includes(name) ?? true));
  if (open.length > 0) throw untrusted(projectConfigPath(layers.cwd), settingsInWords(project, open));
}

/** What a project asks for is neither followed nor left out without a word. */
export function settingsOfNewRun(layers: Layers): Settings {
  refuseUntrusted(layers);
  return readSettings(layers);
}

/** Trusts the project's file as it is now. Answers what it sets beyond what projects may; undefined: nothing. */
export function trustProject({ env, cwd }: Pick<Layers, "env" | "cwd">): string | undefined {
  const path = projectConfigPath(cwd);
  if (!existsSync(path)) return undefined;
  const text = textOf(path);
  const settings = settingsInText(path, text);
  const { user } = readFiles({ env, cwd });
  const asked = askedFor(settings, user);
  if (asked.length === 0) return undefined;
  trustFile(env, trustedFileOf(path, { text, settings }));
  return settingsInWords(settings, asked);
}

/** Set for this command only: configuration files apply to new runs. */
export const settingsSaid = (layers: Layers): Settings => ({
  ...fromEnvironment(layers.env),
  ...settingsInFlags(layers),
});

/** For commands that only read runs, or stop them: a configuration that is wrong counts as empty. */
export function readableSettings({ env, cwd }: Pick<Layers, "env" | "cwd">): Settings {
  try {
    return readSettings({ env, cwd, flags: new Map() });
  } catch (error) {
    if (error instanceof UserError) return {};
    throw error;
  }
}

/** Applies to a home, so files count for every command. */
export const dailyUsdOf = ({ env, cwd }: Pick<Layers, "env" | "cwd">): number | undefined =>
  readSettings({ env, cwd, flags: new Map() }).dailyUsd;

export const projectConfigPath = (cwd: string): string => join(cwd, "l2mac.config.json");
export const userConfigPath = (env: Environment): string => join(userFolder(env), "config.json");
/** The user's first. */
export const configPaths = ({ env, cwd }: Pick<Layers, "env" | "cwd">): string[] => [
  userConfigPath(env),
  projectConfigPath(cwd),
];

export const homeOf = ({ env, cwd }: Pick<Layers, "env" | "cwd">): string => resolve(cwd, env.L2MAC_HOME || ".l2mac");

/** What the user should know of variables and configuration files: mistakes and old names. */
export const settingNotices = (layers: Pick<Layers, "env" | "cwd">): string[] => [
  ...strayVariables(layers.env),
  ...formerVariables(layers.env),
  ...configPaths(layers).flatMap(renamedIn),
];

/** A file that cannot be read is reported where its settings are needed. */
function renamedIn(path: string): string[] {
  try {
    const read = readConfig(textOf(path));
    return "config" in read ? (read.renamed ?? []).map((sentence) => `${path}: ${sentence}`) : [];
  } catch {
    return [];
  }
}

function formerVariables(env: Environment): string[] {
  return optionList.flatMap((option) =>
    option.formerVariables
      .filter((name) => env[name])
      .map((name) => `The variable ${name} is now called ${option.variables[0]}.`),
  );
}

/** Variables that look like settings but are none: a mistyped ceiling must be reported. */
function strayVariables(env: Environment): string[] {
  const known = [...optionList.flatMap(({ variables }) => variables), ...OTHER_VARIABLES];
  const former = optionList.flatMap(({ formerVariables }) => formerVariables);
  return Object.keys(env)
    .filter((name) => name.startsWith("L2MAC_") && ![...known, ...former].includes(name))
    .map((name) => {
      const meant = nearestWord(name, known);
      return `${name} is set, and is no setting of l2mac${meant ? `; did you mean ${meant}?` : "."}`;
    });
}

export const settingsInFile = (path: string): Settings => settingsInText(path, textOf(path));

function settingsInText(path: string, text: string): Settings {
  const read = readConfig(text);
  if ("problems" in read) {
    throw new UserError(`${path}: ${read.problems.join("; ")}.`, {
      exitCode: 3,
      remedy: { command: "doctor", args: [] },
    });
  }
  const { $schema: _schema, ...settings } = read.config;
  return withPathsFrom(dirname(path), settings);
}

const CONFIG_BYTES = 1_048_576;

function textOf(path: string): string {
  try {
    const found = statSync(path);
    if (!found.isFile() || found.size > CONFIG_BYTES) throw new Error("it is no file of at most 1 MiB");
    return readRegularSync(path).toString("utf8");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UserError(`${path} cannot be read: ${why}.`, {
      exitCode: 3,
      remedy: { command: "doctor", args: [] },
      cause: error,
    });
  }
}

function fromEnvironment(env: Environment): Settings {
  return collected(({ variables, formerVariables }) => {
    const variable = [...variables, ...formerVariables].find((name) => env[name]);
    return variable === undefined ? undefined : { name: variable, text: env[variable] ?? "", exitCode: 3 };
  });
}

export function settingsInFlags({ flags, cwd, helpOf }: Pick<Layers, "flags" | "cwd" | "helpOf">): Settings {
  const settings = collected(({ flag = "" }) => {
    const text = flags.get(flag);
    return text === undefined ? undefined : { name: flag, text, exitCode: 2, ...(helpOf ? { helpOf } : {}) };
  });
  return withPathsFrom(cwd, settings);
}

/** A path is relative to where it is set. */
const withPathsFrom = (folder: string, settings: Settings): Settings => {
  const paths = optionList.filter(({ isPath }) => isPath).map(({ name }) => name);
  const resolved = paths.flatMap((name) => {
    const path = settings[name];
    return typeof path === "string" ? [[name, resolve(folder, path)]] : [];
  });
  return { ...settings, ...Object.fromEntries(resolved) };
};

/** Where a value comes from: a flag or a variable. */
interface Source {
  name: string;
  text: string;
  exitCode: number;
  helpOf?: string;
}

function collected(find: (option: Option) => Source | undefined): Settings {
  const settings: Record<string, unknown> = {};
  for (const option of optionList) {
    const source = find(option);
    if (source) settings[option.name] = valueFrom(source, option);
  }
  return settings;
}

function valueFrom({ name, text, exitCode, helpOf = "run" }: Source, { type, isNegated }: Option): unknown {
  const read = readValue(type, text);
  if ("value" in read) return isNegated ? !read.value : read.value;
  throw new UserError(`${name} takes ${read.expected}, not "${text}".`, {
    exitCode,
    remedy: { command: "help", args: [helpOf] },
  });
}
