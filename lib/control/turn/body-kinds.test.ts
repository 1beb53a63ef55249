/** What the door of the file store does with bodies of earlier and of newer versions. */
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { Damaged, Unreadable } from "../../core/errors.ts";
import { createMemoryFiles } from "../../host/memory-files.ts";
import type { BodyKind, Fields } from "./body-kinds.ts";
import { bodyOf, readBody } from "./journal.ts";

const schema = z.object({ text: z.string(), words: z.number() });
const countWords = ({ text, ...rest }: Fields): Fields => ({ ...rest, text, words: String(text).split(" ").length });
/** In format 1 the text was called `said`, in format 2 its words were not counted. */
const kind: BodyKind<typeof schema> = {
  schema,
  format: 3,
  upgrades: { 1: ({ said, ...rest }) => ({ ...rest, text: said }), 2: countWords },
};

const KEY = "runs/1/journal/body.json";
async function read(stored: unknown): Promise<unknown> {
  const files = createMemoryFiles();
  await files.put(KEY, new TextEncoder().encode(JSON.stringify(stored)));
  return readBody(files, { key: KEY }, kind);
}

describe("a body of the file store", () => {
  it("is stored with its format, and read back with its hash", async () => {
    const files = createMemoryFiles();
    const { bytes, hash } = bodyOf(kind, { text: "a b", words: 2 });
    expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual({ text: "a b", words: 2, format: 3 });
    await files.put(KEY, bytes);
    expect(await readBody(files, { key: KEY, hash }, kind)).toEqual({ text: "a b", words: 2 });
  });

  it("is written without a format as long as it has its first one, as always", () => {
    const { bytes } = bodyOf({ schema, format: 1, upgrades: {} }, { text: "a", words: 1 });
    expect(new TextDecoder().decode(bytes)).toBe('{"text":"a","words":1}');
  });

  it("of an earlier version is upgraded, format by format", async () => {
    expect(await read({ said: "a b c" })).toEqual({ text: "a b c", words: 3 });
    expect(await read({ text: "a b", format: 2 })).toEqual({ text: "a b", words: 2 });
  });

  it.each([4, "3", null, -1, 1.5, 0])("of format %j is left to the version that wrote it", async (format) => {
    await expect(read({ text: "a", words: 1, format })).rejects.toThrow(Unreadable);
    await expect(read({ text: "a", words: 1, format })).rejects.toThrow(
      `it is of format ${JSON.stringify(format)}, and this version reads 3`,
    );
  });

  it("that an upgrade does not make whole is damaged", async () => {
    await expect(read({ format: 3 })).rejects.toThrow(Damaged);
    await expect(read([])).rejects.toThrow(Damaged);
  });
});
