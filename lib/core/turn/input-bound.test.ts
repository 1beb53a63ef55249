import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../ports.ts";
import { bytesOf } from "./estimate.ts";
import { boundTokens } from "./input-bound.ts";

const user = (content: string): ChatMessage => ({ role: "user", content });
const sized = (messages: ChatMessage[]) => ({ messages, bytes: bytesOf({ messages, tools: [] }) });

describe("the bound of a request", () => {
  it("is a token for each byte where nothing was counted", () => {
    const request = sized([user("x".repeat(1_000))]);
    expect(boundTokens(request, undefined)).toBe(request.bytes + 256);
  });

  it("is the last count and the bytes that are new since", () => {
    const known = [user("x".repeat(4_000)), user("y".repeat(4_000))];
    const added = user("z".repeat(100));
    const counted = { messages: known, inputTokens: 2_000 };
    expect(boundTokens(sized([...known, added]), counted)).toBe(2_000 + bytesOf(added) + 256);
    expect(boundTokens(sized([user("x".repeat(4_000)), added]), counted)).toBe(2_000 + bytesOf(added) + 256);
  });

  it("counts a message that comes twice as new, and is never above the bytes", () => {
    const twice = user("x".repeat(400));
    const counted = { messages: [twice], inputTokens: 100 };
    expect(boundTokens(sized([twice, twice]), counted)).toBe(100 + bytesOf(twice) + 256);
    expect(boundTokens(sized([twice]), { messages: [twice], inputTokens: 90_000 })).toBe(sized([twice]).bytes + 256);
  });

  // Numbers, checksums and emoji have three times the tokens per byte of the code before them.
  it("holds whatever is added, kept and dropped, for all densities up to a token a byte", () => {
    const message = fc.record({ content: fc.string({ maxLength: 300 }), density: fc.integer({ min: 0, max: 100 }) });
    const history = fc.record({
      before: fc.array(message, { maxLength: 6 }),
      after: fc.array(message, { maxLength: 6 }),
      dropped: fc.nat({ max: 6 }),
    });
    fc.assert(
      fc.property(history, ({ before, after, dropped }) => {
        const densities = new Map([...before, ...after].map(({ content, density }) => [content, density]));
        const tokensOf = (all: ChatMessage[]): number =>
          all.reduce((sum, each) => sum + Math.floor((bytesOf(each) * (densities.get(each.content) ?? 0)) / 100), 0);
        const known = before.map(({ content }) => user(content));
        const now = [...known.slice(dropped), ...after.map(({ content }) => user(content))];
        return tokensOf(now) <= boundTokens(sized(now), { messages: known, inputTokens: tokensOf(known) });
      }),
      { numRuns: 300, seed: 15 },
    );
  });
});
