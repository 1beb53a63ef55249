import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EvaluationRequest } from "../ports.ts";
import { decodeEvaluation, encodeEvaluation } from "./evaluation-wire.ts";

const travelled = async (request: EvaluationRequest) => decodeEvaluation(JSON.parse(await encodeEvaluation(request)));

const bytesOf = (text: string) => new TextEncoder().encode(text);
const plainRequest = (over: Partial<EvaluationRequest> = {}): EvaluationRequest => ({
  runId: "01RUN",
  base: { key: "runs/01RUN/packs/000001.zip", load: async () => Uint8Array.from([80, 75, 0, 255]) },
  changes: [],
  install: true,
  timeoutMs: 180_000,
  ...over,
});

describe("a request to the evaluator", () => {
  it("arrives as it was sent, with the base's bytes in it", async () => {
    const { base, ...rest } = await travelled(
      plainRequest({
        syntax: { paths: ["a.py"] },
        tests: {},
        incremental: true,
        command: { argv: ["node", "a b"], stdin: "", timeoutSeconds: 3, keep: ["*.sum"] },
      }),
    );
    expect(rest).toEqual({
      runId: "01RUN",
      changes: [],
      syntax: { paths: ["a.py"] },
      tests: {},
      incremental: true,
      command: { argv: ["node", "a b"], stdin: "", timeoutSeconds: 3, keep: ["*.sum"] },
      install: true,
      timeoutMs: 180_000,
    });
    expect(base.key).toBe("runs/01RUN/packs/000001.zip");
    expect(await base.load()).toEqual(Uint8Array.from([80, 75, 0, 255]));
  });

  it("asks for nothing that was not asked for", async () => {
    expect(Object.keys(await travelled(plainRequest())).toSorted()).toEqual([
      ...["base", "changes", "install", "runId", "timeoutMs"],
    ]);
  });

  it("keeps every byte of every change: text, byte order marks, binaries, nothing, deletions", async () => {
    const content = fc.oneof(
      fc.constant(null),
      fc.uint8Array({ maxLength: 300 }),
      fc.string({ unit: "grapheme", maxLength: 300 }).map((text) => bytesOf(text)),
      fc.constantFrom(bytesOf("\ufeffmark"), bytesOf("a\0b"), bytesOf("")),
    );
    const changes = fc.array(fc.record({ path: fc.string({ unit: "grapheme" }), content }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(changes, async (given) => {
        expect((await travelled(plainRequest({ changes: given }))).changes).toEqual(given);
      }),
      { numRuns: 60 },
    );
  });

  it("is not much larger than the pack in base64: text compresses, and megabytes do not overflow the stack", async () => {
    const pack = new Uint8Array(3 * 1024 * 1024).fill(9);
    const change = { path: "big.txt", content: bytesOf("the same line again\n".repeat(50_000)) };
    const payload = await encodeEvaluation(
      plainRequest({ base: { key: "k", load: async () => pack }, changes: [change] }),
    );
    expect(payload.length).toBeLessThan((pack.length * 4) / 3 + 20_000);
    const { base, changes } = await decodeEvaluation(JSON.parse(payload));
    expect((await base.load()).length).toBe(pack.length);
    expect(changes[0]?.content?.length).toBe(change.content.length);
  });

  it.each([
    [undefined],
    [{}],
    [{ base: "", request: "" }],
    [{ base: "", request: btoa("not gzip") }],
    [{ base: "%", request: "" }],
  ])("what is no request is refused: %j", async (payload) => {
    await expect(decodeEvaluation(payload)).rejects.toThrow();
  });

  it("a request of another shape is refused", async () => {
    const { base } = JSON.parse(await encodeEvaluation(plainRequest()));
    const { request } = JSON.parse(await encodeEvaluation(plainRequest({ timeoutMs: Number.NaN })));
    await expect(decodeEvaluation({ base, request })).rejects.toThrow();
  });
});
