/** Our verdict about a project, as a run that starts from its tree and changes NOTES.md gets it. */
import { randomUUID } from "node:crypto";
import type { Evaluator } from "../../../lib/core/ports.ts";
import { decideGate } from "../../../lib/core/verdict/gate.ts";
import type { Verdict } from "../../../lib/core/verdict/verdict.ts";
import { readStartingTree } from "../../../lib/files/starting-tree.ts";
import { packTree } from "../../../lib/pack/pack.ts";
import { openEvaluator } from "../../../lib/sandbox/open-evaluator.ts";
import type { Opinion } from "./compare.ts";

const EVALUATION_MS = 180_000;
/** Some projects test that each file of theirs names its licence. */
const NOTE = "A note.\n\nhttp://www.apache.org/licenses/LICENSE-2.0\n";

export type Judge = (id: string, folder: string) => Promise<Opinion>;

/** With the evaluator of this computer. */
export function openJudge(home: string): { judge: Judge; python: string; how: string } {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")));
  const { evaluator, toolchain, sealed } = openEvaluator({ home, env, announce: () => {} });
  return { judge: judgeWith(evaluator), python: toolchain.python ?? "python3", how: sealed.how };
}

export function judgeWith(evaluator: Evaluator): Judge {
  return async (id, folder) => {
    const began = performance.now();
    const opinion = await opinionOf(evaluator, id, folder);
    return { ...opinion, seconds: (performance.now() - began) / 1000 };
  };
}

async function opinionOf(evaluator: Evaluator, id: string, folder: string): Promise<Omit<Opinion, "seconds">> {
  try {
    const { files } = await readStartingTree(folder);
    const base = packTree(
      undefined,
      [...files].map(([path, content]) => ({ path, content })),
    );
    const verdict = await evaluator.evaluate({
      ...{ runId: id.replaceAll(/[^\w-]/g, "-"), install: true, timeoutMs: EVALUATION_MS, syntax: {}, tests: {} },
      base: { key: randomUUID(), load: async () => base },
      changes: [{ path: "NOTES.md", content: new TextEncoder().encode(NOTE) }],
    });
    return inShort(verdict);
  } catch (problem) {
    // A tree that no run can start from is not judged at all: that is red for its user.
    return { colour: "red", cause: oneLine(String(problem)), said: "not judged" };
  }
}

function inShort(verdict: Verdict): Omit<Opinion, "seconds"> {
  const decision = decideGate(verdict, { testsSeen: false, syntax: true, tests: true });
  const said = saidOf(verdict);
  if (!decision.accepted) return { colour: "red", cause: causeOf(verdict), said };
  const [first] = decision.unchecked;
  return first === undefined
    ? { colour: "green", cause: "", said }
    : { colour: "unchecked", cause: oneLine(decision.unchecked.join("; ")), said };
}

const stated = ({ status, reason }: { status: string; reason?: string | undefined }): string =>
  reason ? `${status}:${reason}` : status;

function saidOf({ syntax, tests }: Verdict): string {
  const counts = [tests.passed, tests.failed, tests.errors, tests.skipped].join("/");
  return `syntax ${stated(syntax)}, tests ${stated(tests)} ${counts} ${tests.runner ?? ""}`.trim();
}

/** The first thing that blocks, with where it is. */
function causeOf({ syntax, tests, missingPackages }: Verdict): string {
  const [finding] = syntax.errors;
  const failing = tests.cases.find(({ status }) => status === "failed" || status === "error");
  const parts = [
    ...(finding ? [`${finding.path}:${finding.line ?? 1} ${finding.message}`] : []),
    ...(syntax.status !== "passed" && !finding ? [`syntax ${stated(syntax)} ${syntax.detail ?? ""}`] : []),
    ...(failing ? [`${failing.name}: ${failing.message ?? ""}`] : []),
    ...(tests.status !== "passed" && !failing
      ? [`tests ${stated(tests)} ${tests.detail ?? tests.output.slice(-300)}`]
      : []),
    ...(missingPackages.length > 0 ? [`missing: ${missingPackages.join(", ")}`] : []),
  ];
  return parts.map(oneLine).join(" | ");
}

const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= 300 ? line : `${line.slice(0, 120)} … ${line.slice(-175)}`;
};
