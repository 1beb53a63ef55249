/** Settings in layers: flags over the environment over the project's file over the user's. */
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { UserError } from "../../core/errors.ts";
import { type Option, optionList } from "../../core/run/option-list.ts";
import { nearestWord } from "../../core/text/nearest-word.ts";
import { readConfig, type Settings } from "./config.ts";
import { readValue } from "./read-value.ts";

export type { Settings } from "./config.ts";

/** Variables that mean something without being an option. */
export const OTHER_VARIABLES = ["L2MAC_HOME", "L2MAC_DEBUG", "L2MAC_WEBHOOK_SECRET"];

type Environment = Readonly<Record<string, string | undefined>>;

export interface Layers {
  flags: ReadonlyMap<string, string>;
  env: Environment;
  cwd: string;
}

export function readSettings(layers: Layers): Settings {
  const files = configPaths(layers).filter((path) => existsSync(path));
  const [user = {}, project = {}] = [userConfigPath(layers.env), projectConfigPath(layers.cwd)].map((path) =>
    files.includes(path) ? settingsInFile(path) : {},
  );
  const written = { ...user, ...project, models: { ...user.models, ...project.models } };
  return { ...written, ...settingsSaid(layers) };
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
export const userConfigPath = (env: Environment): string =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), ".config"), "l2mac", "config.json");
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
    const read = readConfig(readFileSync(path, "utf8"));
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

export function settingsInFile(path: string): Settings {
  const read = readConfig(textOf(path));
  if ("problems" in read) {
    throw new UserError(`${path}: ${read.problems.join("; ")}.`, {
      exitCode: 3,
      remedy: { command: "doctor", args: [] },
    });
  }
  const { $schema: _schema, ...settings } = read.config;
  return withPathsFrom(dirname(path), settings);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
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

export function settingsInFlags({ flags, cwd }: Pick<Layers, "flags" | "cwd">): Settings {
  const settings = collected(({ flag = "" }) => {
    const text = flags.get(flag);
    return text === undefined ? undefined : { name: flag, text, exitCode: 2 };
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
}

function collected(find: (option: Option) => Source | undefined): Settings {
  const settings: Record<string, unknown> = {};
  for (const option of optionList) {
    const source = find(option);
    if (source) settings[option.name] = valueFrom(source, option);
  }
  return settings;
}

function valueFrom({ name, text, exitCode }: Source, { type, isNegated }: Option): unknown {
  const read = readValue(type, text);
  if ("value" in read) return isNegated ? !read.value : read.value;
  throw new UserError(`${name} takes ${read.expected}, not "${text}".`, {
    exitCode,
    remedy: { command: "help", args: ["run"] },
  });
}
