import { describe, expect, it } from "vitest";
import { wordsOfText } from "./book-text.ts";

describe("the words of a text", () => {
  it.each([
    ["It’s a well-known fact.", ["It’s", "a", "well-known", "fact"]],
    ["हिन्दी में लिखा है", ["हिन्दी", "में", "लिखा", "है"]],
    ["ฉันรักภาษาไทยมาก", ["ฉัน", "รัก", "ภาษา", "ไทย", "มาก"]],
    ["ខ្ញុំស្រឡាញ់ភាសាខ្មែរ", ["ខ្ញុំ", "ស្រឡាញ់", "ភាសាខ្មែរ"]],
    ["我喜欢 Go", ["我", "喜", "欢", "Go"]],
  ])("of %j", (text, words) => {
    expect(wordsOfText(text)).toEqual(words);
  });

  it("are counted in long texts without a space too", () => {
    expect(wordsOfText(`${"e\u0301".repeat(100_000)} ${"ไทย".repeat(10_000)}`)).toHaveLength(10_001);
  });
});
