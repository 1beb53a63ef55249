/**
 * An evaluator without processes that believes the work: all is green, but tests where the work is not there yet, and where
 * stubs are in its place.
 */
import { isOfTests } from "../../lib/control/evidence/trees.ts";
import type { EvaluationRequest, Evaluator } from "../../lib/core/ports.ts";
import type { TestCase } from "../../lib/core/verdict/verdict.ts";
import { unpackTree } from "../../lib/pack/pack.ts";
import { aVerdict } from "./machines.ts";

export const believingEvaluator: Evaluator = {
  async evaluate(request, signal) {
    signal?.throwIfAborted();
    const { command, tests } = request;
    const message = messageOf(request);
    const names = (await testsIn(request)).filter(
      (name) => tests?.paths?.some((path) => name.startsWith(path)) ?? true,
    );
    const cases = names.map(
      (name): TestCase => (message === undefined ? { name, status: "passed" } : { name, status: "failed", message }),
    );
    const [passed, failed] = message === undefined ? [cases.length, 0] : [0, cases.length];
    const status = message === undefined ? "passed" : "failed";
    const verdict = aVerdict({ tests: { status, cases, passed, failed } });
    const exitCode = message === undefined ? 0 : 1;
    return command ? { ...verdict, command: { status, exitCode, stdout: "", stderr: message ?? "" } } : verdict;
  },
};

/** Why it is red. */
function messageOf({ changes, tests, command, delivered }: EvaluationRequest): string | undefined {
  if (delivered || changes.length === 0 || !(tests?.paths || command)) return undefined;
  if (changes.some(({ content }) => content && STUB.test(decoder.decode(content))))
    return "AssertionError [ERR_ASSERTION]: Expected values to be equal";
  return changes.every(({ path }) => isOfTests(path)) ? "Cannot find module 'the work'" : undefined;
}

const STUB = /__l2macStub|this place is reached|MagicMock\(\)|^\s+return (?:None|"")$/m;
const decoder = new TextDecoder();

/** `test/a.test.js > adds` */
async function testsIn({ base, changes }: EvaluationRequest): Promise<string[]> {
  const files = new Map<string, Uint8Array | null>(unpackTree(await base.load()));
  for (const { path, content } of changes) files.set(path, content);
  return [...files].flatMap(([path, content]) => {
    const text = content && /test[^/]*\.(?:js|py)$/.test(path) ? decoder.decode(content) : "";
    return [...text.matchAll(/\btest\("([^"]+)"|\bdef (test_\w+)/g)].map(([, js, py]) => `${path} > ${js ?? py}`);
  });
}
