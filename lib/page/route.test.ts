import { describe, expect, it } from "vitest";
import { hashOf, type Route, routeIn } from "./route.ts";

describe("the route in the URL", () => {
  const id = "01M7ZR63C0YXE0KT7F3MTSJJGS";
  it.each<Route>([
    { view: "runs" },
    { view: "run", id, tab: "transcript" },
    { view: "run", id, tab: "charts", instruction: 0, turn: 2 },
    { view: "run", id, tab: "file", instruction: 12, file: 'a&b=c #"/é.py', line: 7 },
    { view: "run", id, tab: "file", file: "a", against: "last" },
    { view: "run", id, tab: "file", file: "a", against: "3.2" },
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

  it("reads the name of the charts tab that earlier versions wrote", () => {
    expect(routeIn(`#run=${id}&tab=pictures`)).toEqual({ view: "run", id, tab: "charts" });
  });
});
