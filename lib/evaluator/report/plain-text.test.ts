import { describe, expect, it } from "vitest";
import { createCapture } from "../process/capture.ts";
import { plainText, shortened } from "./plain-text.ts";

describe("plain text", () => {
  it("holds no colours, cursor movements, titles or links", () => {
    const text = "\u001b[31mred\u001b[0m \u001b]0;title\u0007a \u001b]8;;x\u001b\\link\u001b[2J \u009b1mC1 \u001b(Bend";
    expect(plainText(text)).toBe("red a link C1 end");
  });

  it("is not swallowed by a title that never ends", () => {
    expect(plainText("\u001b]0;open\nnext line")).toBe("\nnext line");
  });

  it("keeps tabs, line ends and every letter, and drops what turns the direction of writing", () => {
    expect(plainText("a\tb\r\nc\rd\u0000\u0008\u007f é 日本 \u202ex")).toBe("a\tb\nc\nd é 日本 x");
  });

  it("is cut in the middle, with a mark of how much is left out", () => {
    expect(shortened("abcdefghij", 4)).toBe("ab\n… 6 characters left out …\nij");
    expect(shortened("abcd", 4)).toBe("abcd");
  });
});

describe("a capture", () => {
  const captured = (limit: number, ...chunks: string[]) => {
    const capture = createCapture(limit);
    for (const chunk of chunks) capture.push(Buffer.from(chunk));
    return capture;
  };

  it("is the whole of what fits, however it was cut into chunks", () => {
    const capture = captured(8, "ab", "cdef", "gh");
    expect(capture.text()).toBe("abcdefgh");
    expect(capture.truncated()).toBe(false);
  });

  it("keeps head and tail of what does not fit", () => {
    const capture = captured(4, "abcdef", "ghij");
    expect(capture.text()).toBe("ab\n… 6 bytes left out …\nij");
    expect(capture.truncated()).toBe(true);
  });

  it("keeps a character that lies across two chunks", () => {
    const bytes = Buffer.from("é");
    const capture = createCapture(10);
    capture.push(bytes.subarray(0, 1));
    capture.push(bytes.subarray(1));
    expect(capture.text()).toBe("é");
  });

  it("shows no half characters at the cut", () => {
    expect(captured(6, "ééééé").text()).toBe("é\n… 4 bytes left out …\né");
  });
});
