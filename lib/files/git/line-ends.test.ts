import { describe, expect, it } from "vitest";
import { withStoredLineEnds } from "./line-ends.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const kept = (content: string, stored: string | undefined) =>
  new TextDecoder().decode(withStoredLineEnds(bytes(content), stored === undefined ? undefined : bytes(stored)));

describe("line ends of a file that goes back into a repository", () => {
  it("are those of the stored file where a checkout converted them", () => {
    expect(kept("one\r\ntwo\r\n", "one\n")).toBe("one\ntwo\n");
  });

  it("stay where the stored file has CR LF, where there is none, and where they are mixed or the file is binary", () => {
    expect(kept("one\r\n", "one\r\n")).toBe("one\r\n");
    expect(kept("one\r\n", undefined)).toBe("one\r\n");
    expect(kept("one\r\ntwo\n", "one\n")).toBe("one\r\ntwo\n");
    expect(kept("one\rtwo\r\n", "one\n")).toBe("one\rtwo\r\n");
    expect(kept("\0\r\n", "one\n")).toBe("\0\r\n");
  });
});
