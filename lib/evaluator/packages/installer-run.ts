/** Runs pip and npm: sealed but for the network, with an environment made up here, and stopped where they fill the disk. */
import { join } from "node:path";
import { type CommandResult, runCommand } from "../process/run-command.ts";
import { watchSize } from "../process/watch-size.ts";
import type { FolderSize } from "../tree.ts";
import type { Seal } from "../workspace.ts";

/** What an installer must know to reach its registries, and the files that it must be able to read for it. */
export interface InstallerSettings {
  env: Record<string, string>;
  readable: string[];
}

export type InstallerResult = CommandResult & { tooLarge?: string };

/** Runs a command of the installer's in a folder of its environment. */
export type InstallerRun = (argv: string[], cwd: string) => Promise<InstallerResult>;

export interface InstallerRunParts {
  /** The environment that is being made: with the caches, all that is written to. */
  folder: string;
  caches: Caches;
  seal: Seal;
  settings: InstallerSettings;
  path: string;
  largest: FolderSize;
  leftMs: () => number;
  signal?: AbortSignal;
}

export interface Caches {
  pip: string;
  npm: string;
}

/** Removed when the installers are done: what they put down on the way. */
export const WORK = "work";
const ELSEWHERE = ["git", "remote", "file", "directory"];

export function createInstallerRun(parts: InstallerRunParts): InstallerRun {
  const { folder, caches, seal, settings } = parts;
  const work = join(folder, WORK);
  const env = {
    ...settings.env,
    ...{ PATH: parts.path, LANG: "C.UTF-8", CI: "1", NO_COLOR: "1", HOME: work, TMPDIR: work },
    // Whatever is set up elsewhere was read beforehand: these files could say where to write, and what to run.
    ...{ PIP_CONFIG_FILE: "/dev/null", PIP_CACHE_DIR: caches.pip, PIP_USER: "0", PYTHONNOUSERSITE: "1" },
    ...{ npm_config_userconfig: join(work, "no-npmrc"), npm_config_globalconfig: join(work, "no-global-npmrc") },
    ...{ npm_config_cache: caches.npm, PYTHONDONTWRITEBYTECODE: "1" },
    // Packages of the registry may ask for others from elsewhere. Older versions of npm do not know of this.
    ...Object.fromEntries(ELSEWHERE.map((kind) => [`npm_config_allow_${kind}`, "none"])),
  };
  return async (argv, cwd) => {
    const writable = [folder, caches.pip, caches.npm];
    const sealed = seal.seal({ argv, cwd, writable, readable: settings.readable });
    const watch = watchSize(parts);
    const result = await runCommand({
      argv: sealed.argv,
      cwd,
      env: { ...env, ...sealed.env },
      timeoutMs: Math.max(0, parts.leftMs()),
      signal: watch.signal,
    });
    const tooLarge = await watch.end();
    return { ...result, ...(tooLarge ? { tooLarge } : {}) };
  };
}
