/**
 * The commands by which scripts call their package manager. Packages are laid as npm lays them, and there is no network:
 * so `pnpm`, `yarn` and `bun` run scripts and programs as they would, and what would install is done already.
 */
import { chmod, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Workspace } from "../../language.ts";
import type { ProjectPackage } from "./project-packages.ts";

const NAMES = ["npm", "npx", "pnpm", "pnpx", "yarn", "yarnpkg", "bun", "bunx", "corepack"];

/** Answers the folder of these commands. Scripts find their own programs first. */
export async function layManagers({ toolchain, scripts, newFolder }: Workspace): Promise<string> {
  const folder = await newFolder();
  const script = join(scripts, "package-manager.mjs");
  const words = [toolchain.node, script, toolchain.npm ?? ""].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  for (const name of NAMES) {
    const path = join(folder, name);
    await writeFile(path, `#!/bin/sh\nexec ${words.join(" ")} ${name} "$@"\n`);
    await chmod(path, 0o755);
  }
  return folder;
}

/** As npm sets it for a script of the package. */
export function scriptEnvironment(
  { below, manifest }: ProjectPackage,
  { folder, managers, workspace }: { folder: string; managers: string; workspace: Workspace },
): Record<string, string> {
  const at = join(folder, below);
  const folders = below.split("/").map((_, count, all) => all.slice(0, all.length - count).join("/"));
  const bins = [...new Set([...folders, ""])].map((each) => join(folder, each, "node_modules/.bin"));
  const { toolchain, path } = workspace;
  return {
    PATH: [...bins, managers, path].join(delimiter),
    INIT_CWD: at,
    npm_lifecycle_event: "test",
    npm_package_json: join(at, "package.json"),
    npm_node_execpath: toolchain.node,
    ...(toolchain.npm ? { npm_execpath: toolchain.npm } : {}),
    ...(manifest.name ? { npm_package_name: manifest.name } : {}),
    ...(manifest.version ? { npm_package_version: manifest.version } : {}),
    npm_config_offline: "true",
    npm_config_update_notifier: "false",
  };
}
