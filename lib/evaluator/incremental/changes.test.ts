import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { layTree, removeFolders } from "../../../test/doubles/evaluation.ts";
import { listTree } from "../tree.ts";
import { type Digests, digestsOf } from "./changes.ts";

afterAll(removeFolders);

const LATER_MS = 60_000;
const later = (): number => Date.now() + LATER_MS;

/** As if nothing of what was read before were still so. */
const altered = (digests: Digests): Digests =>
  new Map([...digests].map(([path, one]) => [path, { ...one, digest: "as before" }]));
const textsOf = (digests: Digests) => Object.fromEntries([...digests].map(([path, { digest }]) => [path, digest]));

async function aTree(files: Record<string, string>) {
  const folder = layTree(files);
  return { at: (path: string) => join(folder, path), list: () => listTree(folder) };
}

describe("the digests of a tree", () => {
  it("are taken over for files that nothing was written to since they were read", async () => {
    const { at, list } = await aTree({ "a.py": "1", "b.py": "2", "large.bin": "x".repeat(2 * 1024 * 1024) });
    const before = altered(await digestsOf(await list(), later()));
    writeFileSync(at("b.py"), "34");
    const now = textsOf(await digestsOf(await list(), later(), before));
    const whole = textsOf(await digestsOf(await list(), later()));
    expect(now).toEqual({ "a.py": "as before", "b.py": whole["b.py"], "large.bin": "as before" });
  });

  it("are those of the files themselves where a file was written a moment before it was read", async () => {
    const { list } = await aTree({ "a.py": "1" });
    const before = await digestsOf(await list(), Date.now());
    const whole = textsOf(await digestsOf(await list(), later()));
    expect(textsOf(await digestsOf(await list(), later(), altered(before)))).toEqual(whole);
  });

  it("tell a file that another one of the same length replaced", async () => {
    const { at, list } = await aTree({ "a.py": "1", "b.py": "2" });
    const before = await digestsOf(await list(), later());
    renameSync(at("b.py"), at("a.py"));
    const now = await digestsOf(await list(), later(), before);
    expect(textsOf(now)).toEqual(textsOf(await digestsOf(await list(), later())));
  });
});
