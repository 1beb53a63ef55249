/** Lays out a function's image from its Dockerfile without Docker: files, environment variables and command. */
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface Image {
  /** The folder that is `/` in the image. */
  root: string;
  /** Where the base image puts the code: /var/task. */
  taskRoot: string;
  handler: string;
  env: Record<string, string>;
}

/** What Lambda's base images set. */
const BASE = { LAMBDA_TASK_ROOT: "/var/task", LAMBDA_RUNTIME_DIR: "/var/runtime" };

/** The commands of RUN need Docker; what they install is not there. Any other instruction that is not understood is refused. */
export function layImage(asset: string, root: string): Image {
  const env: Record<string, string> = { ...BASE };
  let handler: string | undefined;
  for (const [instruction, rest] of instructionsIn(readFileSync(join(asset, "Dockerfile"), "utf8"))) {
    if (instruction === "COPY") copy(asset, root, filled(rest, env));
    else if (instruction === "ENV") Object.assign(env, setBy(filled(rest, env)));
    else if (instruction === "CMD") handler = handlerIn(rest);
    else if (instruction !== "FROM" && instruction !== "RUN") throw new Error(`${instruction} is not understood.`);
  }
  if (handler === undefined) throw new Error("The Dockerfile has no CMD.");
  for (const path of ["tmp", BASE.LAMBDA_TASK_ROOT]) mkdirSync(join(root, path), { recursive: true });
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !Object.hasOwn(BASE, name)));
  return { root, taskRoot: join(root, BASE.LAMBDA_TASK_ROOT), handler, env: own };
}

/** Comments go, and what goes on in the next line is one instruction. */
function instructionsIn(text: string): [instruction: string, rest: string][] {
  const lines = text
    .split("\n")
    .filter((line) => !line.trimStart().startsWith("#"))
    .join("\n")
    .replaceAll(/\\\n/g, " ")
    .split("\n");
  return lines.flatMap((line) => {
    const [, instruction, rest] = /^\s*([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (instruction !== undefined && rest !== undefined) return [[instruction, rest.trim()] as [string, string]];
    if (line.trim() === "") return [];
    throw new Error(`The Dockerfile's line is not understood: ${line}`);
  });
}

const filled = (text: string, env: Record<string, string>): string =>
  text.replaceAll(/\$\{(\w+)\}|\$(\w+)/g, (_, braced?: string, bare?: string) => env[braced ?? bare ?? ""] ?? "");

function copy(asset: string, root: string, rest: string): void {
  const [from = "", to = "", ...more] = rest.split(/\s+/);
  if (from.startsWith("--") || to === "" || more.length > 0) throw new Error(`COPY ${rest} is not understood.`);
  if (!existsSync(join(asset, from))) throw new Error(`The Dockerfile copies ${from}, which is not there.`);
  const target = join(root, to.startsWith("/") ? to : join(BASE.LAMBDA_TASK_ROOT, to));
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(asset, from), target, { recursive: true });
}

function setBy(rest: string): Record<string, string> {
  const set = rest.split(/\s+/).map((pair) => /^(\w+)=(.*)$/.exec(pair));
  return Object.fromEntries(
    set.map((match) => {
      if (!match) throw new Error(`ENV ${rest} is not understood.`);
      return [match[1] ?? "", match[2] ?? ""];
    }),
  );
}

function handlerIn(rest: string): string {
  const [handler, ...more] = JSON.parse(rest) as string[];
  if (handler === undefined || more.length > 0) throw new Error(`CMD ${rest} names no handler.`);
  return handler;
}
