/** Settings in layers: flags over the environment over the project's file over the user's. */
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { UserError } from "../../core/errors.ts";
import { nearestWord } from "../../core/text/nearest-word.ts";
import { readConfig } from "./config.ts";
import { OTHER_VARIABLES, type Settings, settingsTable } from "./settings-table.ts";

export type { Settings } from "./settings-table.ts";

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

/** What is said for this command alone: files speak of runs to come. */
export const settingsSaid = (layers: Layers): Settings => ({
  ...fromEnvironment(layers.env),
  ...settingsInFlags(layers),
});

/** Of a home, whichever of its runs a command is about: files speak of it too. */
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

/** Variables that look like settings and are none: a mistyped ceiling must not pass in silence. */
export function strayVariables(env: Environment): string[] {
  const known = [...Object.values(settingsTable).flatMap(({ variables }) => variables), ...OTHER_VARIABLES];
  return Object.keys(env)
    .filter((name) => name.startsWith("L2MAC_") && !known.includes(name))
    .map((name) => {
      const meant = nearestWord(name, known);
      return `${name} is set, and is no setting of l2mac${meant ? `; did you mean ${meant}?` : "."}`;
    });
}

export function settingsInFile(path: string): Settings {
  const read = readConfig(textOf(path));
  if ("problems" in read) {
    throw new UserError(`${path}: ${read.problems.join("; ")}.`, { exitCode: 3, remedy: "l2mac doctor" });
  }
  const { $schema: _schema, ...settings } = read.config;
  return settings.prompts === undefined ? settings : { ...settings, prompts: resolve(dirname(path), settings.prompts) };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UserError(`${path} cannot be read: ${why}.`, { exitCode: 3, remedy: "l2mac doctor", cause: error });
  }
}

function fromEnvironment(env: Environment): Settings {
  return collected((source) => {
    const variable = source.variables.find((name) => env[name]);
    return variable === undefined ? undefined : { name: variable, given: env[variable] ?? "", exitCode: 3 };
  });
}

export function settingsInFlags({ flags, cwd }: Pick<Layers, "flags" | "cwd">): Settings {
  const settings = collected(({ flag = "" }) => {
    const given = flags.get(flag);
    return given === undefined ? undefined : { name: flag, given, exitCode: 2 };
  });
  return settings.prompts === undefined ? settings : { ...settings, prompts: resolve(cwd, settings.prompts) };
}

interface Found {
  name: string;
  given: string;
  exitCode: number;
}

function collected(find: (source: (typeof settingsTable)[keyof typeof settingsTable]) => Found | undefined): Settings {
  const settings: Record<string, unknown> = {};
  for (const [setting, source] of Object.entries(settingsTable)) {
    const found = find(source);
    if (!found) continue;
    const read = source.read(found.given);
    if (!("value" in read)) throw notOne(found, read.expected);
    settings[setting] = read.value;
  }
  return settings;
}

const notOne = ({ name, given, exitCode }: Found, expected: string): UserError =>
  new UserError(`${name} takes ${expected}; "${given}" is none.`, { exitCode, remedy: "l2mac help run" });
