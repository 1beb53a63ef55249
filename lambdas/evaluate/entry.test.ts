import type { Context } from "aws-lambda";
import { afterAll, describe, expect, it } from "vitest";
import type { EvaluationRequest } from "../../lib/core/ports.ts";
import { encodeEvaluation } from "../../lib/core/verdict/evaluation-wire.ts";
import { packTree } from "../../lib/pack/pack.ts";
import { newFolder, removeFolders } from "../../test/doubles/evaluation.ts";

afterAll(removeFolders);

process.env.L2MAC_SCRATCH = newFolder();
const { handler } = await import("./entry.ts");

const context = { awsRequestId: "request", getRemainingTimeInMillis: () => 100_000 } as Context;
const files = { "a.mjs": "export const a = 1;\n", "b.mjs": 'import { a } from "./a.mjs";\n', "c.mjs": "" };
const encoded = Object.entries(files).map(([path, text]) => ({ path, content: new TextEncoder().encode(text) }));

async function checked(runId: string, more: Partial<EvaluationRequest> = {}) {
  const request = {
    ...{ runId, base: { key: "pack", load: async () => packTree(undefined, encoded) }, changes: [], syntax: {} },
    ...{ install: false, timeoutMs: 60_000, ...more },
  };
  return (await handler(JSON.parse(await encodeEvaluation(request)), context)).syntax;
}

describe("the evaluator's function", () => {
  it("keeps a run's last verdict as long as it is warm and asked about that run", async () => {
    const changes = [{ path: "a.mjs", content: new TextEncoder().encode("export const other = 1;\n") }];
    expect((await checked("01ONE", { incremental: true })).scope).toBeUndefined();
    expect(await checked("01ONE", { changes, incremental: true })).toMatchObject({
      errors: [{ path: "b.mjs" }],
      scope: { files: 2, of: 3 },
    });
    expect((await checked("01ONE", { changes })).scope).toBeUndefined();
    expect((await checked("01OTHER", { incremental: true })).scope).toBeUndefined();
    expect((await checked("01ONE", { changes, incremental: true })).scope).toBeUndefined();
  });
});
