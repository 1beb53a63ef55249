/** Reads the lock files of a project and tells what they say that is not so. */
import type { Finding } from "../../core/verdict/verdict.ts";
import { declaredPackages, parseManifest } from "../languages/javascript-manifest.ts";
import { hashFindings } from "./lock-findings.ts";
import { readManifestText } from "./manifest-text.ts";
import { checksumsIn, nodeLockFindings } from "./node-lock.ts";
import { poetryLockFindings } from "./poetry-lock.ts";

export interface LockSurroundings {
  /** Settings of the installers, among them the addresses of registries. */
  env: Record<string, string>;
  /** What was installed. */
  nodeModules?: string | undefined;
}

const LOCK_BYTES = 4 * 1024 * 1024;

export async function examineLocks(folder: string, { env, nodeModules }: LockSurroundings): Promise<Finding[]> {
  const read = async (name: string): Promise<string | undefined> =>
    (await readManifestText(folder, name, LOCK_BYTES)).text;
  const addresses = (name: RegExp): string[] =>
    Object.entries(env).flatMap(([key, value]) => (name.test(key) ? value.split(/\s+/) : []));
  const node = await read("package-lock.json");
  const poetry = await read("poetry.lock");
  const hashed = (await read("requirements.txt")) ?? "";
  const own = nodeModules && (await readManifestText(nodeModules, ".package-lock.json", 4 * LOCK_BYTES)).text;
  return [
    ...(node === undefined
      ? []
      : nodeLockFindings({
          text: node,
          declared: Object.keys(declaredPackages(parseManifest((await read("package.json")) ?? ""))),
          registries: addresses(/registry$/i),
          ...(own ? { installed: checksumsIn(own) } : {}),
        })),
    ...(poetry === undefined ? [] : poetryLockFindings(poetry, addresses(/index_url$/i))),
    ...hashFindings("requirements.txt", hashed),
  ];
}
