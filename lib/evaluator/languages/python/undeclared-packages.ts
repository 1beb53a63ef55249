/** Findings about packages that code uses and no manifest declares. They come from `python_declared.py`. */
import type { Finding, SmokeVerdict } from "../../../core/verdict/verdict.ts";
import type { Workspace } from "../../language.ts";
import type { Tree } from "../../tree.ts";
import { python } from "./python.ts";

const RULE = "undeclared";
/** Packages reported at most. */
const REPORTED = 20;

/** Each package once, at the first place: in delivered code if possible, else in tests and examples. */
export function withoutRepeats(warnings: Finding[]): Finding[] {
  const { true: undeclared = [], false: others = [] } = Object.groupBy(warnings, ({ rule }) => `${rule === RULE}`);
  const { true: code = [], false: beside = [] } = Object.groupBy(undeclared, ({ path }) => `${isDelivered(path)}`);
  const first = new Map<string, Finding>();
  for (const finding of [...code, ...beside]) if (!first.has(finding.message)) first.set(finding.message, finding);
  return [...[...first.values()].slice(0, REPORTED), ...others];
}

/** It may start here, where the package happens to be installed, but the user's computer may lack it. */
export async function failedByUndeclared(smoke: SmokeVerdict, tree: Tree, workspace: Workspace): Promise<SmokeVerdict> {
  if (smoke.status === "failed" || smoke.status === "crashed" || !tree.files.some(python.owns)) return smoke;
  const { warnings = [] } = await python.syntax({ tree }, workspace);
  const [first, ...more] = withoutRepeats(warnings).filter(({ rule, path }) => rule === RULE && isDelivered(path));
  if (!first) return smoke;
  const others = more.length > 0 ? `, and ${more.length} more` : "";
  const detail = `${first.path}:${first.line} ${first.message}${others}`;
  return { status: "failed", detail, exitCode: null, output: smoke.output };
}

/** Neither tests nor examples. */
const isDelivered = (path: string): boolean => !BESIDE.test(path);
const BESIDE =
  /(?:^|[/_])(?:tests?|testing|conftest|fixtures?|pytest)(?=[/_.])|^(?:docs?|examples?|samples?|demos?|bench\w*)\//;
