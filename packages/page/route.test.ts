import { describe, expect, it } from "vitest";
import { atTurn, hashOf, type Route, routeIn, tabOf } from "./route.ts";

describe("the route in the URL", () => {
  const id = "01M7ZR63C0YXE0KT7F3MTSJJGS";
  it.each<Route>([
    { view: "runs" },
    { view: "run", id },
    { view: "run", id, tab: "result" },
    { view: "run", id, tab: "search", find: "a&b <c>" },
    { view: "run", id, tab: "transcript" },
    { view: "run", id, instruction: 2, turn: 1 },
    { view: "run", id, instruction: 2, turn: 1, lane: 16 },
    { view: "run", id, tab: "charts", instruction: 0, turn: 2 },
    { view: "run", id, tab: "file", instruction: 12, file: 'a&b=c #"/é.py', line: 7 },
    { view: "run", id, tab: "file", file: "a", against: "last" },
    { view: "run", id, tab: "file", file: "a", against: "3.2" },
    { view: "run", id, tab: "file", file: "a", against: "3.2@4" },
    { view: "run", id, tab: "file", file: "a", against: "end" },
  ])("is the same after writing and reading it: %j", (route) => {
    expect(routeIn(hashOf(route))).toEqual(route);
  });

  it.each(["", "#", "#run=../../x", "#run=javascript:alert(1)", "#at=3"])(
    "leads to the runs from anything else: %s",
    (hash) => {
      expect(routeIn(hash)).toEqual({ view: "runs" });
    },
  );

  it("opens a completed run on its result, unless a turn or a tab is chosen", () => {
    const [completed, running] = [{ status: "completed" }, { status: "running" }] as const;
    const route = { view: "run", id } as const;
    expect(tabOf(route, completed)).toBe("result");
    expect(tabOf(route, running)).toBe("transcript");
    expect(tabOf({ ...route, instruction: 2 }, completed)).toBe("transcript");
    expect(tabOf({ ...route, tab: "charts" }, completed)).toBe("charts");
  });

  it("leaves the result for a turn, and keeps every other tab", () => {
    const at = { instruction: 2, turn: 1 };
    expect(atTurn({ view: "run", id, tab: "result" }, at)).toEqual({ view: "run", id, ...at });
    expect(atTurn({ view: "run", id, tab: "charts" }, at)).toEqual({ view: "run", id, tab: "charts", ...at });
    const inLane = { view: "run", id, instruction: 3, turn: 2, lane: 4 } as const;
    expect(atTurn(inLane, at)).toEqual({ view: "run", id, ...at });
    expect(atTurn({ view: "run", id }, { instruction: 3, turn: 2, lane: 4 })).toEqual(inLane);
  });

  it("reads the name of the charts tab that earlier versions wrote", () => {
    expect(routeIn(`#run=${id}&tab=pictures`)).toEqual({ view: "run", id, tab: "charts" });
  });
});
