import { describe, expect, it } from "vitest";
import { blameLines } from "../text/blame-lines.ts";
import { fileVersions } from "./file-versions.ts";

type Tree = Record<string, string>;

const hashOf = (text: string | undefined): string | null => (text === undefined ? null : `hash of ${text}`);

/** A run that went through these trees: the first is its start, each other one a turn. */
function runOf(start: Tree, ...trees: Tree[]) {
  const all = [start, ...trees];
  const turns = trees.map((after, index) => {
    const before = all[index] ?? {};
    const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
      (path) => before[path] !== after[path],
    );
    const changes = paths.map((path) => ({
      path,
      was: hashOf(before[path]),
      sha256: hashOf(after[path]),
      bytes: after[path]?.length ?? 0,
    }));
    return { instruction: index + 1, turn: 1, changes };
  });
  return {
    turns,
    read: async (path: string, after: { instruction: number } | undefined) => all[after?.instruction ?? 0]?.[path],
  };
}

const blame = async (run: ReturnType<typeof runOf>, path: string): Promise<string[]> =>
  blameLines(await fileVersions(run, path)).map(({ text, origin }) => `${origin?.instruction ?? "start"} ${text}`);

describe("the versions of a file", () => {
  it("are those of the start and of each turn that changed it", async () => {
    const run = runOf({ a: "1\n2\n" }, { a: "1\n2\n", b: "x" }, { a: "1\n2\n3\n", b: "x" });
    expect(await blame(run, "a")).toEqual(["start 1", "start 2", "2 3"]);
    expect(await blame(run, "b")).toEqual(["1 x"]);
    expect(await fileVersions(run, "c")).toEqual([]);
  });

  it("reach through a move, also of a file of the start, and through several", async () => {
    const run = runOf({ a: "1\n2\n" }, { a: "1\n2\n3\n" }, { b: "1\n2\n3\n" }, { c: "1\n2\n3\n" }, { c: "1\nb\n3\n" });
    expect(await blame(run, "c")).toEqual(["start 1", "4 b", "1 3"]);
    expect(await blame(runOf({ a: "1\n" }, { b: "1\n" }), "b")).toEqual(["start 1"]);
  });

  it("start again where another file of the same size went", async () => {
    expect(await blame(runOf({ a: "1\n" }, { b: "2\n" }), "b")).toEqual(["1 2"]);
  });

  it("forget nothing when a file is deleted and restored", async () => {
    const run = runOf({}, { a: "1\n2\n" }, {}, { a: "1\n2\n" }, { a: "1\n2\n3\n" });
    expect(await blame(run, "a")).toEqual(["1 1", "1 2", "4 3"]);
  });
});
