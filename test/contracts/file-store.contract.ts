/** What every file store must do. An adapter's test calls `describeFileStore` with a way to open one. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FileStore } from "../../lib/core/ports.ts";

export interface OpenFileStore {
  store: FileStore;
  close(): Promise<void>;
}

/** `open` gives an empty store each time. */
export function describeFileStore(name: string, open: () => Promise<OpenFileStore>): void {
  describe(`${name} as a file store`, () => {
    let opened: OpenFileStore;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());
    const store = (): FileStore => opened.store;

    describe("contents", () => describeContents(store));
    describe("putOnce", () => describeOnce(store));
    describe("removal", () => describeRemoval(store));
    describe("keys", () => describeKeys(store));
  });
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (found: Uint8Array | undefined): string | undefined => found && new TextDecoder().decode(found);

function describeContents(store: () => FileStore): void {
  test("gives undefined for what is not there, beside or below what is", async () => {
    await store().put("runs/1/task.json", bytes("{}"));
    for (const key of ["runs/1/other", "runs/1", "runs", "runs/1/task.json/below", "elsewhere/deep/down"]) {
      expect(await store().get(key)).toBeUndefined();
    }
  });

  test.each([
    ["nothing", new Uint8Array(0)],
    ["every byte", Uint8Array.from({ length: 256 }, (_, value) => value)],
    ["a part of something larger", bytes("0123456789").subarray(3, 6)],
    ["3 MiB", new Uint8Array(3 * 1024 * 1024).fill(7)],
  ])("gives back exactly what was put: %s", async (_, content) => {
    await store().put("runs/1/blobs/a", content);
    const found = await store().get("runs/1/blobs/a");
    expect(Object.getPrototypeOf(found)).toBe(Uint8Array.prototype);
    expect(Buffer.compare(found ?? bytes("none"), content)).toBe(0);
  });

  test("put replaces", async () => {
    await store().put("a", bytes("a longer text"));
    await store().put("a", bytes("short"));
    expect(textOf(await store().get("a"))).toBe("short");
  });

  test("a reader during concurrent writes sees one of the contents, whole", async () => {
    const contents = ["a", "b", "c", "d"].map((letter) => letter.repeat(100_000));
    await store().put("runs/1/x", bytes("a".repeat(100_000)));
    const writes = contents.map((content) => store().put("runs/1/x", bytes(content)));
    const reads = await Promise.all(Array.from({ length: 8 }, () => store().get("runs/1/x")));
    await Promise.all(writes);
    for (const found of [...reads, await store().get("runs/1/x")]) expect(contents).toContain(textOf(found));
  });
}

function describeOnce(store: () => FileStore): void {
  test("writes what is not there, and leaves what is", async () => {
    await store().putOnce("runs/1/blobs/a", bytes("first"));
    await store().putOnce("runs/1/blobs/a", bytes("second"));
    expect(textOf(await store().get("runs/1/blobs/a"))).toBe("first");
  });

  test("of several at the same time one writes, wholly", async () => {
    const contents = ["a", "b", "c", "d"].map((letter) => letter.repeat(50_000));
    await Promise.all(contents.map((content) => store().putOnce("x/y", bytes(content))));
    const found = textOf(await store().get("x/y"));
    expect(contents).toContain(found);
    await store().putOnce("x/y", bytes("late"));
    expect(textOf(await store().get("x/y"))).toBe(found);
  });

  test("is replaced by put", async () => {
    await store().putOnce("a", bytes("first"));
    await store().put("a", bytes("second"));
    expect(textOf(await store().get("a"))).toBe("second");
  });
}

function describeRemoval(store: () => FileStore): void {
  const keys = [
    "runs/1/task.json",
    "runs/1/blobs/a",
    "runs/1/files/deep/er/b",
    "runs/10/task.json",
    "runs/2/task.json",
  ];
  beforeEach(async () => {
    for (const key of keys) await store().put(key, bytes(key));
  });
  const left = async (): Promise<string[]> => {
    const found = await Promise.all(keys.map((key) => store().get(key)));
    return keys.filter((_, index) => found[index]);
  };

  test("of one key leaves the others; of what is not there changes nothing", async () => {
    await store().remove("runs/1/blobs/a");
    for (const key of ["runs/1/blobs/a", "runs/1", "runs/1/task.json/x", "never/was"]) await store().remove(key);
    expect(await left()).toEqual(keys.filter((key) => key !== "runs/1/blobs/a"));
  });

  test("lets a folder become a file, and the other way round", async () => {
    for (const key of ["runs/1/files/deep/er/b", "runs/1/files/deep", "runs/1/files/deep/er/b"]) {
      await store().put(key, bytes("again"));
      expect(textOf(await store().get(key))).toBe("again");
      await store().remove(key);
    }
  });

  test("of one key does not disturb who writes beside it", async () => {
    for (let round = 0; round < 20; round += 1) {
      await store().put("runs/3/a/b/old", bytes("old"));
      await Promise.all([store().remove("runs/3/a/b/old"), store().put("runs/3/a/b/new", bytes("new"))]);
      expect(textOf(await store().get("runs/3/a/b/new"))).toBe("new");
      await store().removeAll("runs/3");
    }
  });

  test.each(["runs/1", "runs/1/"])("removes every key under the prefix and no other: %s", async (prefix) => {
    await store().removeAll(prefix);
    expect(await left()).toEqual(["runs/10/task.json", "runs/2/task.json"]);
  });

  test("a prefix is a whole segment", async () => {
    await store().removeAll("run");
    await store().removeAll("runs/1/task");
    expect(await left()).toEqual(keys);
  });

  test("what is not there, and what was removed in part, can be removed again", async () => {
    await store().removeAll("runs/1/blobs/");
    await store().removeAll("runs/1/");
    await store().removeAll("runs/1/");
    await store().removeAll("never/was/");
    expect(await left()).toEqual(["runs/10/task.json", "runs/2/task.json"]);
  });

  test("reports whether nothing is left, and continues after it was stopped", async () => {
    let asked = 0;
    const first = await store().removeAll("runs/1/", () => {
      asked += 1;
      return false;
    });
    // A folder or a map goes at once; what goes page by page asks before each.
    expect(first).toBe(asked === 0);
    expect(await store().removeAll("runs/1/", () => true)).toBe(true);
    expect(await store().removeAll("runs/1/", () => false)).toBe(true);
    expect(await left()).toEqual(["runs/10/task.json", "runs/2/task.json"]);
  });

  test("what was removed can be written again", async () => {
    await store().removeAll("runs/1/");
    await store().putOnce("runs/1/blobs/a", bytes("again"));
    expect(textOf(await store().get("runs/1/blobs/a"))).toBe("again");
  });
}

function describeKeys(store: () => FileStore): void {
  test("keys may hold any letter, be deep, and be long", async () => {
    const long = `runs/1/files/${"x".repeat(200)}/${"ä".repeat(100)}/${"y".repeat(200)}`;
    for (const key of ["runs/1/größe/日本語 🙂.md", "a b/%2e%2e/c+d", "runs/1/.hidden", long]) {
      await store().put(key, bytes(key));
      await store().putOnce(`${key}-once`, bytes("once"));
      expect(textOf(await store().get(key))).toBe(key);
    }
  });

  test.each(["", "/etc/x", "../x", "a/../../x", "a/..", "a//b", "./a", "a\\b", "a\0b", "C:/x"])(
    "%j is no key, for whatever is asked",
    async (key) => {
      await expect(store().put(key, bytes("x"))).rejects.toThrow("is not a key");
      await expect(store().putOnce(key, bytes("x"))).rejects.toThrow("is not a key");
      await expect(store().get(key)).rejects.toThrow("is not a key");
      await expect(store().remove(key)).rejects.toThrow("is not a key");
      await expect(store().removeAll(key)).rejects.toThrow("is not a key");
    },
  );
}
