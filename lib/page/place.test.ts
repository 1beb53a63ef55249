import { describe, expect, it } from "vitest";
import { hashOf, type Place, placeIn } from "./place.ts";

describe("the page's address", () => {
  const id = "01M7ZR63C0YXE0KT7F3MTSJJGS";
  it.each<Place>([
    { view: "runs" },
    { view: "run", id, tab: "transcript" },
    { view: "run", id, tab: "pictures", instruction: 0, turn: 2 },
    { view: "run", id, tab: "file", instruction: 12, file: 'a&b=c #"/é.py', line: 7 },
    { view: "run", id, tab: "file", file: "a", against: "last" },
    { view: "run", id, tab: "file", file: "a", against: "3.2" },
    { view: "run", id, tab: "file", file: "a", against: "end" },
  ])("says where it is: %j", (place) => {
    expect(placeIn(hashOf(place))).toEqual(place);
  });

  it.each(["", "#", "#run=../../x", "#run=javascript:alert(1)", "#at=3"])(
    "leads to the runs from anything else: %s",
    (hash) => {
      expect(placeIn(hash)).toEqual({ view: "runs" });
    },
  );
});
