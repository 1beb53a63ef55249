import { describe, expect, it } from "vitest";
import type { Event } from "../../../lib/core/run/event.ts";
import { backOff, isPassing, Lost, outageAfter, outageText, Refused, TooLarge } from "./failures.ts";
import { afterEvents, afterFailure, afterFetch, type EventsPage, INITIAL, waitOf } from "./poll-state.ts";

const eventsPage = (over: Partial<EventsPage> = {}): EventsPage => ({
  ...{ events: [], next: 7, status: "running", over: false },
  ...over,
});
const event = (type: Event["type"]) => ({ type, at: "2026-01-01T00:00:00.000Z" });
const noAnswer = { error: new Lost("The server does not answer."), now: 5_000 };

describe("a run that is poll", () => {
  it("is asked for whole first, and its events from where it stood then", () => {
    expect(INITIAL).toMatchObject({ isStale: true, isProgramStale: true });
    expect(afterFetch(INITIAL, { events: 12 })).toMatchObject({ after: 12, isStale: false, isProgramStale: false });
  });

  it("requests events from the last known one, also after a fetch in between", () => {
    expect(afterEvents(eventsPage({ next: 7 })).after).toBe(7);
    expect(afterFetch(afterEvents(eventsPage({ next: 7, events: [event("turn")] })), { events: 30 }).after).toBe(7);
  });

  it("is asked for again after an event, and its program after those alone that change it", () => {
    const after = (type: Event["type"]) => afterEvents(eventsPage({ events: [event("turn"), event(type)] }));
    const types = ["turn", "verdict", "amended", "program", "instruction_started", "instruction_accepted"] as const;
    const more = ["trapped", "instruction_skipped", "approved", "resumed", "ended"] as const;
    expect([...types, ...more].filter((type) => after(type).isProgramStale)).toEqual([...types.slice(3), ...more]);
    expect(after("turn")).toMatchObject({ isStale: true, restMs: 0 });
    expect(afterEvents(eventsPage()).isStale).toBe(false);
  });

  it("is polled less often once it has stopped", () => {
    const rest = (over: Partial<EventsPage>) => afterEvents(eventsPage(over)).restMs;
    expect(rest({})).toBeLessThan(1_000);
    expect(rest({ pollSeconds: 7 })).toBe(7_000);
    expect(rest({ pollSeconds: 3, events: [event("turn")] })).toBe(0);
    expect(rest({ status: "waiting", over: true })).toBe(5_000);
    for (const status of ["completed", "partial", "failed", "cancelled"] as const)
      expect(rest({ status, over: true })).toBe(30_000);
  });

  it("is asked for whole again after an answer that did not come, with its place among the events kept", () => {
    const lost = afterFailure(afterEvents(eventsPage({ next: 7 })), noAnswer);
    expect(lost).toMatchObject({ after: 7, isStale: true, isProgramStale: true, restMs: 1_000 });
    expect(lost.outage).toEqual({ since: 5_000, tries: 1, next: 6_000 });
  });

  it("counts as back only once events come too, which are asked for without waiting", () => {
    const lost = afterFailure(afterFailure(afterEvents(eventsPage()), noAnswer), { ...noAnswer, now: 6_000 });
    const half = afterFetch(lost, { events: 9 });
    expect(half.outage).toMatchObject({ since: 5_000, tries: 2 });
    expect([waitOf(half), waitOf(afterEvents(eventsPage()))]).toEqual([0, 20]);
    expect(afterFailure(half, { ...noAnswer, now: 9_000 })).toMatchObject({
      outage: { since: 5_000, tries: 3 },
      restMs: 4_000,
    });
    expect(afterEvents(eventsPage()).outage).toBeUndefined();
  });
});

describe("an answer that did not come", () => {
  it("is tried for again after 1 s, then twice as long each time, and never more than 30 s", () => {
    expect([1, 2, 3, 4, 5, 6, 60].map(backOff)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it("may come later from a server that is outage, busy or broken, or once its credentials are renewed", () => {
    const refused = (status: number) => isPassing(new Refused(status, "no"));
    expect([401, 403, 408, 429, 500, 502, 503, 504].filter((status) => !refused(status))).toEqual([]);
    expect([400, 404, 409, 412, 413, 422].filter(refused)).toEqual([]);
    expect([new Lost("away"), new TypeError("network error"), new TooLarge("much")].map(isPassing)).toEqual([
      ...[true, true, false],
    ]);
  });

  it("shows the last message of the server", () => {
    const first = outageAfter(undefined, { error: new Refused(500, "Your AWS credentials have expired."), now: 1 });
    expect(first.message).toBe("Your AWS credentials have expired.");
    expect(outageAfter(first, noAnswer)).toEqual({ since: 1, tries: 2, next: 7_000 });
    const rest = "next try in 1 s. Runs are not affected.";
    expect(outageText(first, 1)).toBe(`The server has answered with this error for 0 s; ${rest}`);
    expect(outageText({ since: 0, tries: 3, next: 9_000 }, 8_000)).toBe(`The server has not answered for 8 s; ${rest}`);
  });
});
