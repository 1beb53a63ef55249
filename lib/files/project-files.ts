/** Where the project's own files are: in a clone two folders above this file, in the package one above the bundle. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const isClone = import.meta.url.endsWith("/lib/files/project-files.ts");
const root = new URL(isClone ? "../../" : "../", import.meta.url);

/** By its path from the top folder: `prompts`, `statemachine/control-unit.asl.json`. */
export const projectFile = (path: string): string => fileURLToPath(new URL(path, root));

export const projectVersion = (): string =>
  String((JSON.parse(readFileSync(projectFile("package.json"), "utf8")) as { version: unknown }).version);
