import { expect, test } from "vitest";
import { crc32 } from "./crc32.ts";

const of = (text: string): number => crc32(new TextEncoder().encode(text));

test("gives the check value that every CRC-32 gives", () => {
  expect(of("123456789")).toBe(0xcbf43926);
});

test("is zero for nothing, and never negative", () => {
  expect(of("")).toBe(0);
  expect(of("a")).toBe(0xe8b7be43);
});
