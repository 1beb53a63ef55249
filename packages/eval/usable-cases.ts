/** Which cases can be checked here: those whose programs are in the sandbox. */
import { randomUUID } from "node:crypto";
import type { Evaluator } from "../../lib/core/ports.ts";
import { packTree } from "../../lib/pack/pack.ts";
import type { EvalCase } from "./suite.ts";

export interface LeftOut {
  group: string;
  cases: number;
  missing: string[];
}

export interface UsableCases {
  cases: EvalCase[];
  left: LeftOut[];
}

const LOOK_MS = 60_000;
/** Prints the programs that are in no folder of the search path. */
const LOOKS = `const { accessSync, constants } = require("node:fs");
const { delimiter, join } = require("node:path");
const folders = (process.env.PATH ?? "").split(delimiter);
const is = (path) => { try { accessSync(path, constants.X_OK); return true; } catch { return false; } };
console.log(JSON.stringify(process.argv.slice(1).filter((name) => !folders.some((each) => is(join(each, name))))));
`;

export async function usableCases(cases: EvalCase[], evaluator: Evaluator): Promise<UsableCases> {
  const programs = [...new Set(cases.flatMap(({ group }) => group?.programs ?? []))];
  if (programs.length === 0) return { cases, left: [] };
  const missing = new Set(await missingPrograms(programs, evaluator));
  const lacks = ({ group }: EvalCase): boolean => group?.programs.some((name) => missing.has(name)) === true;
  const groups = Map.groupBy(cases.filter(lacks), ({ group }) => group?.name ?? "");
  const left = [...groups].map(([group, all]) => ({
    group,
    cases: all.length,
    missing: (all[0]?.group?.programs ?? []).filter((name) => missing.has(name)),
  }));
  return { cases: cases.filter((each) => !lacks(each)), left };
}

/** All of them, where nothing can be executed. */
async function missingPrograms(programs: string[], evaluator: Evaluator): Promise<string[]> {
  const runId = randomUUID();
  const content = new TextEncoder().encode("Programs are looked for.\n");
  try {
    const { command } = await evaluator.evaluate({
      runId,
      base: { key: runId, load: async () => packTree(undefined, [{ path: "look.txt", content }]) },
      changes: [],
      command: { argv: ["node", "-e", LOOKS, ...programs] },
      install: false,
      timeoutMs: LOOK_MS,
    });
    const line = command?.stdout.trim().split("\n").at(-1) ?? "";
    return programs.filter((name) => !line.startsWith("[") || line.includes(JSON.stringify(name)));
  } finally {
    await evaluator.release?.(runId);
  }
}

export const wordsOf = ({ group, cases, missing }: LeftOut): string =>
  `${group} is left out (${cases} ${cases === 1 ? "case" : "cases"}): there is no ${missing.join(", ")} here`;
