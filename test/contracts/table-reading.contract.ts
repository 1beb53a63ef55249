/** The reading half of the table's contract: queries within a partition, and pages of the indexes. */
import { beforeEach, expect, test } from "vitest";
import type { IndexName, IndexRange, Item, ItemRange, Table } from "../../lib/core/ports.ts";

const key = { pk: "RUN#1", sk: "META" };
const put = (table: Table, ...items: Item[]) => table.transact(items.map((item) => ({ put: item })));

export function describeQueries(table: () => Table): void {
  /** In order of their UTF-8 bytes, which is not the order of JavaScript's code units (U+FFEE before U+1F642). */
  const sorted = [
    "A",
    "FILE#",
    "FILE#Z",
    "FILE#a",
    "FILE#a/b",
    "FILE#ab",
    "FILE#ä",
    "FILE#日",
    "FILE#\uffee",
    "FILE#🙂",
    "G",
  ];
  const files = sorted.filter((sk) => sk.startsWith("FILE#"));
  const found = async (range: ItemRange): Promise<string[]> => (await table().query("p", range)).map(({ sk }) => sk);

  beforeEach(async () => {
    const items = sorted.map((sk) => ({ pk: "p", sk, of: sk }));
    await put(table(), ...items.reverse(), { pk: "p2", sk: "FILE#a" }, { pk: "P", sk: "FILE#a" });
  });

  test("gives the items of one partition in order of UTF-8 bytes", async () => {
    expect(await found({ prefix: "" })).toEqual(sorted);
    expect(await found({ prefix: "", reverse: true })).toEqual(sorted.toReversed());
    expect(await table().query("none", { prefix: "" })).toEqual([]);
  });

  test("gives those that begin with the prefix, byte for byte", async () => {
    expect(await found({ prefix: "FILE#" })).toEqual(files);
    expect(await found({ prefix: "FILE#a" })).toEqual(["FILE#a", "FILE#a/b", "FILE#ab"]);
    expect(await found({ prefix: "FILE#🙂" })).toEqual(["FILE#🙂"]);
    expect(await found({ prefix: "FILE#\uffee" })).toEqual(["FILE#\uffee"]);
    expect(await found({ prefix: "FILE%" })).toEqual([]);
    expect(await found({ prefix: "file#" })).toEqual([]);
  });

  test("a prefix may end at the last code point, or just before the surrogates", async () => {
    await put(table(), { pk: "q", sk: "\u{10ffff}x" }, { pk: "q", sk: "\ud7ffx" }, { pk: "q", sk: "\ue000" });
    const of = async (prefix: string) => (await table().query("q", { prefix })).map(({ sk }) => sk);
    expect(await of("\u{10ffff}")).toEqual(["\u{10ffff}x"]);
    expect(await of("\ud7ff")).toEqual(["\ud7ffx"]);
  });

  test("gives at most so many, from the end where it starts", async () => {
    expect(await found({ prefix: "FILE#", limit: 3 })).toEqual(files.slice(0, 3));
    expect(await found({ prefix: "FILE#", limit: 3, reverse: true })).toEqual(files.toReversed().slice(0, 3));
    expect(await found({ prefix: "FILE#", limit: 99 })).toEqual(files);
  });

  test.each([false, true])("goes on after an item, losing and doubling none (reverse: %s)", async (reverse) => {
    const expected = reverse ? files.toReversed() : files;
    for (let limit = 1; limit <= files.length; limit += 1) {
      const seen: string[] = [];
      for (let page = await found({ prefix: "FILE#", limit, reverse }); page.length > 0; ) {
        seen.push(...page);
        page = await found({ prefix: "FILE#", limit, reverse, after: page.at(-1) ?? "" });
      }
      expect(seen).toEqual(expected);
    }
  });

  test("goes on after something that is not there, within the prefix or outside of it", async () => {
    expect(await found({ prefix: "FILE#", after: "FILE#aa" })).toEqual(files.slice(files.indexOf("FILE#ab")));
    expect(await found({ prefix: "FILE#", after: "A" })).toEqual(files);
    expect(await found({ prefix: "FILE#", after: "G" })).toEqual([]);
    expect(await found({ prefix: "FILE#", after: "G", reverse: true })).toEqual(files.toReversed());
    expect(await found({ prefix: "FILE#", after: "A", reverse: true })).toEqual([]);
    expect(await found({ prefix: "", after: "FILE#🙂" })).toEqual(["G"]);
  });

  test("gives all where no limit is given, however large they are", async () => {
    const large = Array.from({ length: 8 }, (_, index) => ({
      pk: "large",
      sk: String(index),
      text: "x".repeat(350_000),
    }));
    for (const item of large) await put(table(), item);
    expect((await table().query("large", { prefix: "" })).map(({ sk }) => sk)).toEqual(large.map(({ sk }) => sk));
  });
}

export function describeIndexes(table: () => Table): void {
  const run = (id: string, attributes: Record<string, string>): Item => ({
    pk: `RUN#${id}`,
    sk: "META",
    ...attributes,
  });
  const ids = (items: Item[]): string[] => items.map(({ pk }) => pk.slice("RUN#".length));
  const found = async (name: IndexName, range: Partial<IndexRange> & { partition: string }): Promise<string[]> =>
    ids((await table().index(name, { limit: 99, ...range })).items);

  const allPages = async (name: IndexName, range: IndexRange): Promise<string[]> => {
    const seen: string[] = [];
    for (let page = await table().index(name, range); ; ) {
      expect(page.items.length).toBeLessThanOrEqual(range.limit);
      seen.push(...ids(page.items));
      if (page.cursor === undefined) return seen;
      page = await table().index(name, { ...range, cursor: page.cursor });
    }
  };

  test("hold keys alone, one partition at a time, by their sort attribute", async () => {
    const late = run("late", { owner: "me", createdAt: "2026-02" });
    const early = run("early", { owner: "me", createdAt: "2026-01" });
    await put(
      table(),
      { ...late, title: "Late" },
      { ...early, title: "Early" },
      run("other", { owner: "you", createdAt: "2026-01" }),
    );
    expect(await table().index("owner", { partition: "me", limit: 9 })).toEqual({ items: [early, late] });
    expect(await found("owner", { partition: "me", reverse: true })).toEqual(["late", "early"]);
    expect(await found("owner", { partition: "nobody" })).toEqual([]);
  });

  test("give what is due up to a time, that time included", async () => {
    const due = (at: string): Item => run(at, { activeShard: "0", dueAt: at });
    await put(table(), due("3"), due("1"), due("2"), run("elsewhere", { activeShard: "1", dueAt: "1" }));
    expect(await found("due", { partition: "0", upTo: "2" })).toEqual(["1", "2"]);
    expect(await found("due", { partition: "0", upTo: "0" })).toEqual([]);
    expect(await found("due", { partition: "0", upTo: "9", reverse: true })).toEqual(["3", "2", "1"]);
    expect(await allPages("due", { partition: "0", upTo: "2", limit: 1 })).toEqual(["1", "2"]);
  });

  test("are sparse: an item is in one while it has both attributes", async () => {
    const active = run("1", { activeShard: "0", dueAt: "1", owner: "me", createdAt: "1" });
    await put(table(), active, run("2", { activeShard: "0" }), run("3", { dueAt: "1" }), run("4", { owner: "me" }));
    expect(await found("due", { partition: "0" })).toEqual(["1"]);
    expect(await found("owner", { partition: "me" })).toEqual(["1"]);
    await table().transact([{ update: active, remove: ["dueAt"] }]);
    expect(await found("due", { partition: "0" })).toEqual([]);
    expect(await found("owner", { partition: "me" })).toEqual(["1"]);
    await table().transact([{ update: active, set: { dueAt: "5" } }]);
    expect(await found("due", { partition: "0" })).toEqual(["1"]);
    await put(table(), run("1", { owner: "me", createdAt: "1" }));
    expect(await found("due", { partition: "0" })).toEqual([]);
    await table().transact([{ delete: active }]);
    expect(await found("owner", { partition: "me" })).toEqual([]);
  });

  test("follow an item whose attributes change", async () => {
    await put(table(), run("a", { activeShard: "0", dueAt: "1" }), run("b", { activeShard: "0", dueAt: "2" }));
    await table().transact([{ update: { pk: "RUN#a", sk: "META" }, set: { dueAt: "3" } }]);
    expect(await found("due", { partition: "0" })).toEqual(["b", "a"]);
    await table().transact([{ update: { pk: "RUN#a", sk: "META" }, set: { activeShard: "1" } }]);
    expect(await found("due", { partition: "0" })).toEqual(["b"]);
    expect(await found("due", { partition: "1" })).toEqual(["a"]);
  });

  test.each([false, true])(
    "page by page, lose and double none, many at the same time included (reverse: %s)",
    async (reverse) => {
      const items = Array.from({ length: 13 }, (_, index) =>
        run(`größe-${index}`, { owner: "me", createdAt: `2026-0${1 + Math.floor(index / 5)} 🙂` }),
      );
      await put(table(), ...items);
      const whole = await found("owner", { partition: "me", reverse });
      expect(whole.toSorted()).toEqual(ids(items).toSorted());
      for (const limit of [1, 2, 5, 12, 13, 14]) {
        expect(await allPages("owner", { partition: "me", limit, reverse })).toEqual(whole);
      }
    },
  );

  test("a cursor still serves when the item that it points at is gone", async () => {
    await put(table(), ...["1", "2", "3"].map((at) => run(at, { owner: "me", createdAt: at })));
    const { cursor = "" } = await table().index("owner", { partition: "me", limit: 2 });
    await table().transact([{ delete: { pk: "RUN#2", sk: "META" } }]);
    expect(await found("owner", { partition: "me", cursor })).toEqual(["3"]);
  });

  test.each(["nonsense", "", "%%%", "WzFd"])("a cursor that no page gave is the user's error: %j", async (cursor) => {
    await expect(table().index("owner", { partition: "me", limit: 1, cursor })).rejects.toMatchObject({
      name: "L2mac.UserError",
      exitCode: 2,
    });
  });

  test("an indexed attribute that is no text is refused", async () => {
    await expect(put(table(), { ...key, dueAt: 5 })).rejects.toThrow();
    await expect(put(table(), { ...key, owner: "" })).rejects.toThrow();
  });
}
