/** Whether this computer can build the evaluator's image: Docker, and for which processors. */
import { spawnSync } from "node:child_process";
import type { Architecture } from "./chosen.ts";

export interface BuildFacts {
  /** Absent: Docker answers. */
  missing?: string;
  /** For which processors it builds, itself or by emulation. Absent: it does not say. */
  builds?: Architecture[];
  /** Of the computer that cdk runs on. */
  here: Architecture;
}

const PATIENCE_MS = 20_000;

export function lookAtDocker(env: Readonly<Record<string, string | undefined>>): BuildFacts {
  const here = process.arch === "arm64" ? "arm64" : "x86_64";
  const ask = (...args: string[]) =>
    spawnSync("docker", args, { env: env as NodeJS.ProcessEnv, timeout: PATIENCE_MS, encoding: "utf8" });
  const info = ask("info", "--format", "{{.Architecture}}");
  if (info.error && "code" in info.error && info.error.code === "ENOENT") return { missing: "is not installed", here };
  if (info.status !== 0 || info.stdout.trim() === "") {
    return { missing: `does not answer${firstComplaint(info.stderr ?? "")}`, here };
  }
  const own = architectureNamed(info.stdout.trim());
  const listed = platformsIn(ask("buildx", "inspect").stdout ?? "");
  const builds = [...new Set([...(own ? [own] : []), ...listed])];
  return builds.length > 0 ? { builds, here } : { here };
}

function firstComplaint(said: string): string {
  const line = said.split("\n").find((each) => /error|cannot|permission|denied/i.test(each));
  return line ? ` (${line.trim()})` : "";
}

const NAMES: Record<string, Architecture> = {
  aarch64: "arm64",
  arm64: "arm64",
  amd64: "x86_64",
  x86_64: "x86_64",
};

const architectureNamed = (name: string): Architecture | undefined => NAMES[name];

/** `Platforms: linux/amd64*, linux/arm64` */
export function platformsIn(said: string): Architecture[] {
  const [, platforms = ""] = /^Platforms:(.*)$/m.exec(said) ?? [];
  const names = [...platforms.matchAll(/linux\/([a-z0-9_]+)/g)].map(([, name = ""]) => architectureNamed(name));
  return [...new Set(names.filter((name) => name !== undefined))];
}
