/** What every model must do. An adapter's test calls `describeModel` with a way to open one. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ModelError } from "../../lib/core/errors.ts";
import type { Model, ModelRequest } from "../../lib/core/ports.ts";

export interface OpenModel {
  /** Answers `request` with at least one tool call. */
  model: Model;
  request: ModelRequest;
  /** The same model where it cannot answer. Absent: it always can. */
  failing?: Model;
  /** The same model where no answer ever comes. Absent: it does not wait for anything. */
  hanging?: Model;
  close(): Promise<void>;
}

export function describeModel(name: string, open: () => Promise<OpenModel>): void {
  describe(`${name} as a model`, () => {
    let opened: OpenModel;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    test("answers with text, calls, usage and where the answer comes from", async () => {
      const answer = await opened.model.ask(opened.request);
      expect(answer).toMatchObject({
        text: expect.any(String),
        finish: "tools",
        model: expect.stringMatching(/./),
        requestId: expect.stringMatching(/./),
      });
      const { inputTokens, cachedTokens, outputTokens } = answer.usage;
      for (const count of [inputTokens, cachedTokens, outputTokens]) {
        expect(Number.isSafeInteger(count) && count >= 0, String(count)).toBe(true);
      }
      expect(cachedTokens).toBeLessThanOrEqual(inputTokens);
      expect(answer.milliseconds).toBeGreaterThanOrEqual(0);
    });

    test("gives every call a name, an id of its own, and arguments as text", async () => {
      const { toolCalls } = await opened.model.ask(opened.request);
      expect(toolCalls.length).toBeGreaterThan(0);
      expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(toolCalls.length);
      for (const call of toolCalls) {
        expect(call).toEqual({
          id: expect.stringMatching(/./),
          name: expect.stringMatching(/./),
          arguments: expect.any(String),
        });
      }
    });

    test("survives the journal: an answer is the same after JSON", async () => {
      const answer = await opened.model.ask(opened.request);
      expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
    });

    test("leaves the request as it was", async () => {
      const before = structuredClone(opened.request);
      await opened.model.ask(opened.request);
      expect(opened.request).toEqual(before);
    });

    test("rejects with the reason of a signal that was aborted before", async () => {
      const reason = new Error("stopped");
      await expect(opened.model.ask(opened.request, AbortSignal.abort(reason))).rejects.toBe(reason);
    });

    test("fails with a ModelError that names its kind and whether the call may have been paid for", async () => {
      if (!opened.failing) return;
      const error: unknown = await opened.failing.ask(opened.request).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ModelError);
      expect(error).toMatchObject({ kind: expect.stringMatching(/./), perhapsPaid: expect.any(Boolean) });
    });

    test("waits no longer than it may, and ends at once when it is aborted", async () => {
      if (!opened.hanging) return;
      const late = opened.hanging.ask({ ...opened.request, timeoutMs: 50 });
      await expect(late).rejects.toMatchObject({ kind: "timed_out" });
      const controller = new AbortController();
      const reason = new Error("stopped");
      const stopped = opened.hanging.ask(opened.request, controller.signal);
      setTimeout(() => controller.abort(reason), 20);
      await expect(stopped).rejects.toBe(reason);
    });
  });
}
