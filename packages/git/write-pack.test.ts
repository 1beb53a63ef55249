import { expect, it } from "vitest";
import { writePack } from "./write-pack.ts";

it("holds little more than a pack of many small files has, while it is written", () => {
  const before = process.memoryUsage().arrayBuffers;
  let held = 0;
  const small = Array.from({ length: 5_000 }, (_, n) => ({ type: "blob" as const, content: Buffer.from(`file ${n}`) }));
  const last = {
    type: "blob" as const,
    get content() {
      held = process.memoryUsage().arrayBuffers - before;
      return Buffer.from("last");
    },
  };
  expect(writePack([...small, last], "sha1").length).toBeGreaterThan(5_000);
  expect(held).toBeLessThan(5_000_000);
});
