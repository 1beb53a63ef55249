/** An evaluator that runs the tests of a tree with the programs of this computer, and the same tree once. */
import { createHash } from "node:crypto";
import type { Evaluator } from "../../lib/core/ports.ts";
import type { Verdict } from "../../lib/core/verdict/verdict.ts";
import { createEvaluate } from "../../lib/evaluator/evaluate.ts";
import { createSandboxEvaluator } from "../../lib/sandbox/sandbox-evaluator.ts";
import { unsealed } from "../../lib/sandbox/seal.ts";
import { newFolder, toolchain } from "./evaluation.ts";

/** `acrossRuns`: also where another run has the same tree. */
export function realEvaluator({ acrossRuns = false } = {}): Evaluator {
  const scratch = newFolder();
  const evaluateTree = createEvaluate({
    seal: unsealed("tests"),
    toolchain,
    scratch,
    now: Date.now,
    newId: () => "request",
  });
  const sandbox = createSandboxEvaluator({ folder: newFolder(), evaluateTree, now: Date.now });
  const known = new Map<string, Promise<Verdict>>();
  return {
    async evaluate(request, signal) {
      signal?.throwIfAborted();
      const { base, changes, syntax, tests, incremental, command, prose, smoke, delivered } = request;
      const tree = acrossRuns ? hashOf(await base.load()) : [request.runId, base.key];
      const contents = changes.map(({ path, content }) => [path, content && Buffer.from(content).toString("base64")]);
      const asked = JSON.stringify([tree, contents, syntax, tests, incremental, command, prose, smoke, delivered]);
      const key = hashOf(asked);
      const verdict = known.get(key) ?? sandbox.evaluate(request, signal);
      known.set(key, verdict);
      return verdict;
    },
  };
}

const hashOf = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");
