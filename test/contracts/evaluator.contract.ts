/** What every evaluator must do. An adapter's test calls `describeEvaluator` with a way to open one. */
import { beforeAll, describe, expect, test } from "vitest";
import type { EvaluationRequest, Evaluator } from "../../lib/core/ports.ts";
import { Verdict } from "../../lib/core/verdict/verdict.ts";
import { packTree } from "../../lib/pack/pack.ts";

/** `looks`: false for a test double whose verdicts do not depend on the tree. */
export function describeEvaluator(name: string, open: () => Evaluator, { looks = true } = {}): void {
  describe(`${name} as an evaluator`, () => {
    let evaluator: Evaluator;
    beforeAll(() => {
      evaluator = open();
    });
    const evaluate = (more: Partial<EvaluationRequest>, signal?: AbortSignal): Promise<Verdict> =>
      evaluator.evaluate(requestOf(more), signal);

    test("answers with a verdict that can be stored, and names the request it answers", async () => {
      const verdict = await evaluate({ syntax: {} });
      expect(JSON.parse(JSON.stringify(Verdict.parse(verdict)))).toEqual(JSON.parse(JSON.stringify(verdict)));
      expect(verdict.requestId).toMatch(/./);
    });

    test("leaves the request as it was", async () => {
      const request = requestOf({ syntax: {}, changes: [{ path: "b.json", content: bytes("{}") }] });
      const { base, ...before } = structuredClone({ ...request, base: request.base.key });
      await evaluator.evaluate(request);
      const { base: after, ...rest } = request;
      expect({ base: after.key, ...rest }).toEqual({ base, ...before });
    });

    test("rejects with the reason of a signal that was aborted before", async () => {
      const reason = new Error("stopped");
      await expect(evaluate({ syntax: {} }, AbortSignal.abort(reason))).rejects.toBe(reason);
    });

    if (looks) describeLooking(evaluate);
  });
}

function describeLooking(evaluate: (more: Partial<EvaluationRequest>) => Promise<Verdict>): void {
  test("checks what is asked for, and says of the rest that it did not run", async () => {
    const syntax = await evaluate({ syntax: {} });
    expect(syntax).toMatchObject({ syntax: { status: "passed" }, tests: { status: "not_run" } });
    expect(syntax.command).toBeUndefined();
    const command = await evaluate({ command: { argv: ["node", "-p", "6 * 7"] } });
    expect(command).toMatchObject({ syntax: { status: "not_run" }, command: { exitCode: 0, stdout: "42\n" } });
  });

  test("looks at the base with the changes on top: written, replaced and deleted files", async () => {
    const broken = { path: "b.json", content: bytes("{") };
    expect(await evaluate({ syntax: {}, changes: [broken] })).toMatchObject({
      syntax: { status: "failed", errors: [{ path: "b.json" }] },
    });
    expect(await evaluate({ syntax: {}, changes: [{ path: "b.json", content: null }] })).toMatchObject({
      syntax: { status: "passed" },
    });
  });

  test("keeps evaluations of one run at the same time apart", async () => {
    const [red, green] = await Promise.all([
      evaluate({ syntax: {}, changes: [{ path: "a.json", content: bytes("{") }] }),
      evaluate({ syntax: {} }),
    ]);
    expect([red.syntax.status, green.syntax.status]).toEqual(["failed", "passed"]);
  });

  test("shows no run the files of another", async () => {
    await evaluate({ runId: "02ANOTHER", syntax: {}, changes: [{ path: "theirs.txt", content: bytes("x") }] });
    const { command } = await evaluate({ command: { argv: ["node", "-p", 'fs.readdirSync(".").join()'] } });
    expect(command?.stdout).toBe("a.json\n");
  });

  test("reports a command that fails, and one that does not exist, without failing itself", async () => {
    const failed = await evaluate({ command: { argv: ["node", "-e", "process.exit(3)"] } });
    expect(failed.command).toMatchObject({ exitCode: 3 });
    const missing = await evaluate({ command: { argv: ["no-such-program"] } });
    expect(missing.command?.status).not.toBe("passed");
  });
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const requestOf = (more: Partial<EvaluationRequest>): EvaluationRequest => ({
  runId: "01CONTRACT",
  base: { key: "packs/1.zip", load: async () => packTree(undefined, [{ path: "a.json", content: bytes("{}\n") }]) },
  changes: [],
  install: false,
  timeoutMs: 30_000,
  ...more,
});
