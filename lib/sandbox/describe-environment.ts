/** The programs of this computer that checked code finds, with their versions, as the prompts of a run state them. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Environment } from "../core/prompt/environment.ts";
import { answerOf } from "../evaluator/process/find-program.ts";
import type { FoundToolchain } from "./toolchain.ts";

type Found = Pick<FoundToolchain, "node" | "npm" | "python" | "tools">;

export function describeEnvironment({ node, npm, python, tools }: Found): Environment {
  return {
    system: `${SYSTEMS[process.platform] ?? process.platform} ${process.arch}`,
    programs: {
      node: versionIn(answerOf(node, ["--version"], {})),
      ...(npm ? { npm: versionOfNpm(npm) } : {}),
      ...(python ? { python3: versionIn(answerOf(python, ["-I", "--version"], {})) } : {}),
      ...Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, versionIn(tool?.version)])),
    },
    packages: "installed",
  };
}

const SYSTEMS: Partial<Record<NodeJS.Platform, string>> = { linux: "Linux", darwin: "macOS", win32: "Windows" };

/** Programs add names and dates, which no prompt needs. */
const versionIn = (said = ""): string => /\d+(?:\.\d+)*/.exec(said)?.[0] ?? "";

/** npm itself takes a second to say it. */
function versionOfNpm(script: string): string {
  try {
    return versionIn(JSON.parse(readFileSync(join(dirname(dirname(script)), "package.json"), "utf8")).version);
  } catch {
    return "";
  }
}
