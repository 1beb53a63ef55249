import { expect, test } from "vitest";
import { assertStoreKey } from "./store-key.ts";

test.each(["a", "runs/01J/blobs/0f", "runs/1/files/größe/日本語.md", "a/..b/c..", "a/.hidden", "a b/c:d"])(
  "%j is a key",
  (key) => {
    expect(() => assertStoreKey(key)).not.toThrow();
  },
);

test.each(["", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/./b", "a\\b", "a\0b", "C:/a", "c:", "a\ud800"])(
  "%j is none",
  (key) => {
    expect(() => assertStoreKey(key)).toThrow("is not a key of the file store");
  },
);
