import { describe, expect, it } from "vitest";
import { RunStatus } from "./run.ts";
import { isOverdue, RENEWALS, sweepAction } from "./sweep.ts";

const now = Date.parse("2026-01-01T12:00:00.000Z");
const dueAt = "2026-01-01T11:59:59.000Z";

describe("an overdue run", () => {
  it("is one whose due time has come", () => {
    expect(isOverdue({ status: "running", dueAt }, now)).toBe(true);
    expect(isOverdue({ status: "running", dueAt: "2026-01-01T12:00:00.000Z" }, now)).toBe(true);
    expect(isOverdue({ status: "running", dueAt: "2026-01-01T12:00:01.000Z" }, now)).toBe(false);
  });

  it("is none that was deleted, waits for a person, or has ended", () => {
    expect(isOverdue(undefined, now)).toBe(false);
    expect(isOverdue({ status: "waiting" }, now)).toBe(false);
    const overdue = RunStatus.options.filter((status) => isOverdue({ status, dueAt }, now));
    expect(overdue).toEqual(["queued", "planning", "running", "waiting", "delivering"]);
  });

  it("is started, given more time, begun again, or recorded, by the state of its execution", () => {
    expect(sweepAction("absent")).toBe("start");
    expect(sweepAction("running")).toBe("extend");
    expect(sweepAction("ended")).toBe("renew");
    expect(sweepAction("failed")).toBe("record");
  });

  it("is begun again a few times only without an answer in between", () => {
    expect(sweepAction("ended", { renewals: RENEWALS - 1 })).toBe("renew");
    expect(sweepAction("ended", { renewals: RENEWALS })).toBe("record");
  });
});
