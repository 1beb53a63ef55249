/** Whether this computer can build the evaluator's image: Docker, and for which architectures. */
import { spawnSync } from "node:child_process";
import type { Architecture } from "./target.ts";

export interface DockerFacts {
  /** Absent: Docker answers. */
  missing?: string;
  /** What it can build for, natively or by emulation. Absent: unknown. */
  builds?: Architecture[];
  /** Of this computer. */
  here: Architecture;
}

const TIMEOUT_MS = 20_000;

export function inspectDocker(env: Readonly<Record<string, string | undefined>>): DockerFacts {
  const here = process.arch === "arm64" ? "arm64" : "x86_64";
  const docker = (...args: string[]) =>
    spawnSync("docker", args, { env: env as NodeJS.ProcessEnv, timeout: TIMEOUT_MS, encoding: "utf8" });
  const info = docker("info", "--format", "{{.Architecture}}");
  if (info.error && "code" in info.error && info.error.code === "ENOENT") return { missing: "is not installed", here };
  if (info.status !== 0 || info.stdout.trim() === "") {
    const error = (info.stderr ?? "").split("\n").find((line) => /error|cannot|permission|denied/i.test(line));
    return { missing: `does not answer${error ? ` (${error.trim()})` : ""}`, here };
  }
  const own = ARCHITECTURES[info.stdout.trim()];
  const builds = [...new Set([...(own ? [own] : []), ...parsePlatforms(docker("buildx", "inspect").stdout ?? "")])];
  return builds.length > 0 ? { builds, here } : { here };
}

const ARCHITECTURES: Record<string, Architecture> = {
  aarch64: "arm64",
  arm64: "arm64",
  amd64: "x86_64",
  x86_64: "x86_64",
};

/** `Platforms: linux/amd64*, linux/arm64` */
export function parsePlatforms(output: string): Architecture[] {
  const [, platforms = ""] = /^Platforms:(.*)$/m.exec(output) ?? [];
  const names = [...platforms.matchAll(/linux\/([a-z0-9_]+)/g)].map(([, name = ""]) => ARCHITECTURES[name]);
  return [...new Set(names.filter((name) => name !== undefined))];
}
