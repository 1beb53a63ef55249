import { expect, it } from "vitest";
import { Lost } from "./failures.ts";
import { type Fetched, fetchRun } from "./fetch-run.ts";

const turn = (number: number, state = "committed") => ({ instruction: 1, turn: number, state });

/** Its turns come two at a time; the files that it started from, one. */
function aRun({ from = false, failing = "" } = {}) {
  const asked: string[] = [];
  const state = { turns: [1, 2, 3, 4, 5].map((number) => turn(number)), failing };
  const ask = async (path: string): Promise<never> => {
    const { pathname, searchParams } = new URL(path, "http://here");
    asked.push(path);
    if (state.failing && path.includes(state.failing)) throw new Lost("away");
    if (pathname.endsWith("/turns")) {
      const after = Number((searchParams.get("after") ?? "1.0").split(".")[1]);
      const left = state.turns.filter((each) => each.turn > after);
      return { turns: left.slice(0, 2), ...(left.length > 2 ? { next: "more" } : {}) } as never;
    }
    if (pathname.endsWith("/files"))
      return (
        searchParams.has("cursor") ? { files: [{ path: "b" }] } : { files: [{ path: "a" }], cursor: "+/1" }
      ) as never;
    if (pathname.endsWith("/program")) return { instructions: [], requirements: [] } as never;
    return { options: { from }, packed: 0, events: 1 } as never;
  };
  const fetchIt = (known?: Fetched, isProgramStale = false) =>
    fetchRun({ id: "R", ask, known, isProgramStale, signal: new AbortController().signal });
  return { fetchIt, asked, state };
}

it("takes all turns of a run, page after page, and later those alone that are new", async () => {
  const { fetchIt, asked, state } = aRun();
  const first = await fetchIt();
  expect(first.turns.map((each) => each.turn)).toEqual([1, 2, 3, 4, 5]);
  expect((await fetchIt(first)).turns).toBe(first.turns);
  state.turns.push(turn(6), turn(7, "answered"));
  expect((await fetchIt(first)).turns.map((each) => each.turn)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(asked.at(-1)).toBe("/runs/R/turns?limit=1000&after=1.5");
});

it("leaves what is known as it is where one of the pages is lost, and has each turn once afterwards", async () => {
  const { fetchIt, state } = aRun();
  const known = await fetchIt();
  state.turns.push(turn(6), turn(7), turn(8));
  state.failing = "after=1.7";
  await expect(fetchIt(known)).rejects.toThrow("away");
  expect(known.turns).toHaveLength(5);
  state.failing = "";
  expect((await fetchIt(known)).turns.map((each) => each.turn)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

it("asks for its program only where that may have changed, and once for what it started from", async () => {
  const { fetchIt, asked } = aRun({ from: true });
  const known = await fetchIt();
  expect(known.start).toEqual(["a", "b"]);
  asked.length = 0;
  expect((await fetchIt(known)).program).toBe(known.program);
  expect(asked).toEqual(["/runs/R", "/runs/R/turns?limit=1000&after=1.5"]);
  await fetchIt(known, true);
  expect(asked).toContain("/runs/R/program");
});
