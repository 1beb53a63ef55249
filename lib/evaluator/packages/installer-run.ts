/** Runs installers: sealed, with an environment made up here, and stopped where they fill the disk. */
import { join } from "node:path";
import { defined } from "../../core/defined.ts";
import type { InstallerRun } from "../language.ts";
import { runCommand } from "../process/run-command.ts";
import { watchSize } from "../process/watch-size.ts";
import type { FolderSize } from "../tree.ts";
import type { Seal } from "../workspace.ts";

/** What an installer must know to reach its registries, and the files that it must be able to read for it. */
export interface InstallerSettings {
  env: Record<string, string>;
  readable: string[];
}

export interface InstallerRunParts {
  /** The environment that is being made: with the downloads, all that is written to. */
  folder: string;
  downloads: string;
  seal: Seal;
  settings: InstallerSettings;
  /** What leads to registries. Absent: the installer has the network. */
  way?: RegistryWay;
  path: string;
  largest: FolderSize;
  leftMs: () => number;
  signal?: AbortSignal;
}

export interface RegistryWay {
  socket: string;
  port: number;
  /** Runs a program that reaches the socket as that port: this Node, and the text for it. */
  node: string;
  reach: string;
}

/** Removed when the installers are done: what they put down on the way. */
export const WORK = "work";

export function createInstallerRun(parts: InstallerRunParts): InstallerRun {
  const { folder, downloads, seal, settings, way } = parts;
  const work = join(folder, WORK);
  const common = { PATH: parts.path, LANG: "C.UTF-8", CI: "1", NO_COLOR: "1", HOME: work, TMPDIR: work };
  return async (argv, cwd, env = {}) => {
    const given = way ? [way.node, "-e", way.reach, "--", way.socket, String(way.port), ...argv] : argv;
    const readable = [...settings.readable, ...(way ? [way.socket] : [])];
    const sealed = seal.seal({ argv: given, cwd, writable: [folder, downloads], readable, hasNetwork: !way });
    const watch = watchSize(parts);
    const result = await runCommand({
      argv: sealed.argv,
      cwd,
      env: { ...settings.env, ...common, ...env, ...sealed.env },
      ...defined({ saysFirst: sealed.saysFirst, filter: sealed.filter }),
      timeoutMs: Math.max(0, parts.leftMs()),
      signal: watch.signal,
    });
    const tooLarge = await watch.end();
    return { ...result, ...(tooLarge ? { tooLarge } : {}) };
  };
}
