import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../test/virtual-clock.ts";
import { INVOCATION_MS, INVOCATION_PAYLOAD_BYTES } from "../core/limits.ts";
import type { Clock } from "../core/ports.ts";
import type { Json } from "../core/text/json.ts";
import { call, type TaskFunction } from "./asl-invoke.ts";

function rig(
  task: (...asked: [...Parameters<TaskFunction>, Clock]) => Promise<Json>,
  timeoutMs = Number.POSITIVE_INFINITY,
) {
  const clock = createVirtualClock(1_000_000);
  const stop = new AbortController();
  return {
    clock,
    stop,
    called: call({
      task: (payload, context) => task(payload, context, clock),
      payload: {},
      clock,
      signal: stop.signal,
      timeoutMs,
    }),
  };
}

const never = () => new Promise<Json>(() => {});

describe("an invocation", () => {
  it("counts its time down", async () => {
    const remaining: number[] = [];
    const { called } = rig(async (_, { remainingMs }, clock) => {
      remaining.push(remainingMs());
      await clock.sleep(40_000);
      remaining.push(remainingMs());
      return {};
    });
    expect(await called).toEqual({ ok: true, value: {} });
    expect(remaining).toEqual([INVOCATION_MS, INVOCATION_MS - 40_000]);
  });

  it("ends at its limit as Lambda's do, and its signal says so", async () => {
    let signal: AbortSignal | undefined;
    const { clock, called } = rig((_, context) => {
      signal = context.signal;
      return never();
    });
    expect(await called).toMatchObject({ failure: { error: "Sandbox.Timedout" } });
    expect(clock.now()).toBe(1_000_000 + INVOCATION_MS);
    expect(signal?.aborted).toBe(true);
  });

  it("lives on after the state's time-out, until its own limit", async () => {
    let signal: AbortSignal | undefined;
    const { clock, called } = rig((_, context) => {
      signal = context.signal;
      return never();
    }, 60_000);
    expect(await called).toEqual({ ok: false, failure: { error: "States.Timeout" } });
    expect(clock.now()).toBe(1_060_000);
    expect(signal?.aborted).toBe(false);
    await clock.sleep(INVOCATION_MS);
    expect(signal?.aborted).toBe(true);
  });

  it("receives the abort of its execution, and is no longer awaited", async () => {
    let signal: AbortSignal | undefined;
    const { clock, stop, called } = rig((_, context) => {
      signal = context.signal;
      return never();
    }, 60_000);
    stop.abort();
    expect(await called).toMatchObject({ ok: false });
    expect(signal?.aborted).toBe(true);
    expect(clock.now()).toBe(1_000_000);
  });

  it("leaves its signal alone when it answers in time", async () => {
    let signal: AbortSignal | undefined;
    const { called } = rig(async (_, context) => {
      signal = context.signal;
      return 1;
    });
    await called;
    expect(signal?.aborted).toBe(false);
  });

  it("answers JSON: nothing that JSON cannot say leaks", async () => {
    const answer = { gone: undefined, date: new Date(0), map: new Map([[1, 2]]) } as unknown as Json;
    const { called } = rig(async () => answer);
    expect(await called).toEqual({ ok: true, value: { date: "1970-01-01T00:00:00.000Z", map: {} } });
  });

  it("answers null where the function answers nothing", async () => {
    const { called } = rig(async () => undefined as unknown as Json);
    expect(await called).toEqual({ ok: true, value: null });
  });

  it("refuses an answer larger than Lambda gives back", async () => {
    const { called } = rig(async () => "é".repeat(INVOCATION_PAYLOAD_BYTES / 2));
    expect(await called).toMatchObject({ failure: { error: "Function.ResponseSizeTooLarge" } });
  });

  it.each<[string, unknown, { error: string; cause: string }]>([
    ["an error's name", Object.assign(new Error("m"), { name: "L2mac.Fenced" }), { error: "L2mac.Fenced", cause: "m" }],
    ["Error, where it has none", Object.assign(new Error("m"), { name: "" }), { error: "Error", cause: "m" }],
    ["Error, where it is no error", "m", { error: "Error", cause: "m" }],
  ])("fails under %s", async (_, thrown, failure) => {
    const { called } = rig(async () => {
      throw thrown;
    });
    expect(await called).toEqual({ ok: false, failure });
  });
});
