import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../ports.ts";
import { truncatedFrom } from "./truncation.ts";

const prose = (characters: number): string => "All of it is said in words of common length. ".repeat(characters / 45);
/** Unlike itself everywhere, as text is. */
const text = (characters: number): string =>
  Array.from({ length: characters / 8 }, (_, index) => `${(index * 7_919) % 9_999_991} `.padStart(8, "w")).join("");
const user = (content: string): ChatMessage => ({ role: "user", content });
const calibration = { tokensPerByte: 0.25 };

describe("a request that the server cut off", () => {
  const before = [user(text(16_000))];
  const counted = { messages: before, inputTokens: 4_000 };

  it("is one that grew by thousands of tokens, of which the server counted none", () => {
    const sent = { messages: [...before, user(text(12_000))], counted };
    expect(truncatedFrom(4_096, sent, calibration)).toBeGreaterThan(6_500);
    expect(truncatedFrom(7_000, sent, calibration)).toBeUndefined();
  });

  it("is one that begins a conversation with far more than was counted", () => {
    const sent = { messages: [user(text(40_000))], counted: undefined };
    expect(truncatedFrom(4_096, sent, calibration)).toBeGreaterThan(9_000);
    expect(truncatedFrom(8_000, sent, calibration)).toBeUndefined();
  });

  it.each([
    ["nothing has been counted yet", { tokensPerByte: 0 }, user(text(40_000)), 4_096],
    ["the server counts something else", calibration, user(text(40_000)), 1_000],
    ["what was added repeats one sign", calibration, user("=".repeat(40_000)), 4_100],
    ["what was added repeats a few signs", calibration, user("\t- ".repeat(10_000)), 4_100],
    ["denser text was read before", { tokensPerByte: 0.8 }, user(prose(9_000)), 5_600],
    ["letters have several bytes", calibration, user("съешь ещё этих мягких булок, да выпей чаю ".repeat(200)), 5_700],
  ])("is not suspected where %s", (_why, known, added, inputTokens) => {
    expect(truncatedFrom(inputTokens, { messages: [...before, added], counted }, known)).toBeUndefined();
  });

  it("is not suspected where stale parts were dropped and the rest is counted", () => {
    const sent = { messages: [user("dropped"), user(text(6_000))], counted };
    expect(truncatedFrom(1_500, sent, calibration)).toBeUndefined();
  });
});
