/**
 * The commands by which scripts call their package manager. Packages are laid as npm lays them, and there is no network:
 * so `pnpm`, `yarn` and `bun` run scripts and programs as they would, and what would install is done already.
 */
import { chmod, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Workspace } from "../../language.ts";
import type { ProjectPackage } from "./project-packages.ts";

const NAMES = ["npm", "npx", "pnpm", "pnpx", "yarn", "yarnpkg", "bun", "bunx", "corepack"];

/** Answers the folder of these commands. Scripts find their own programs first. */
export async function layManagers({ toolchain, scripts, newFolder }: Workspace): Promise<string> {
  const folder = await newFolder();
  for (const name of NAMES) {
    const path = join(folder, name);
    await writeFile(path, managerProgram({ name, scripts, ...toolchain }));
    await chmod(path, 0o755);
  }
  return folder;
}

/** Read by a shell, and by Node too: tools such as nyc start the `npm` that they find with Node, as npm itself is. */
function managerProgram(of: { name: string; node: string; npm?: string | undefined; scripts: string }): string {
  const script = join(of.scripts, "package-manager.mjs");
  const words = [of.node, script, of.npm ?? ""].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  return [
    "#!/bin/sh",
    `':' //; exec ${words.join(" ")} ${of.name} "$@"`,
    `process.argv.splice(2, 0, ${JSON.stringify(of.npm ?? "")}, ${JSON.stringify(of.name)});`,
    `import(${JSON.stringify(pathToFileURL(script).href)});`,
    "",
  ].join("\n");
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
