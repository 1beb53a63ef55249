import { describe, expect, it } from "vitest";
import { type Conversation, type Exchange, messagesOf } from "./conversation.ts";
import { atMostTokens, bytesOf } from "./estimate.ts";
import { fit, outputRoom } from "./fit.ts";
import type { ModelProfile } from "./model-profile.ts";
import type { ToolResult } from "./turn.ts";

const nothingDropped = { views: 0, contents: 0 };
const long = (word: string) => `${word} `.repeat(200);

function exchange(turn: number, tool: string, args: object, result: Partial<ToolResult>): Exchange {
  const callId = `c${turn}`;
  return {
    turn,
    answer: {
      text: "",
      toolCalls: [{ id: callId, name: tool, arguments: JSON.stringify(args) }],
      finish: "tools",
      usage: { inputTokens: 1, cachedTokens: 0, outputTokens: 1 },
      model: "m",
      requestId: "r",
      milliseconds: 1,
    },
    results: [{ callId, tool, ok: true, text: "ok", note: "", about: { kind: "other" }, ...result }],
    correction: "",
  };
}

const read = (turn: number, path: string, text: string) =>
  exchange(turn, "read_files", { files: [path] }, { text, about: { kind: "view", paths: [path] } });
const write = (turn: number, path: string, content: string) =>
  exchange(turn, "write_files", { files: [{ path, content }] }, { about: { kind: "write", paths: [path] } });
const check = (turn: number, text: string) => exchange(turn, "run_checks", {}, { text, about: { kind: "verdict" } });

const conversation = (exchanges: Exchange[]): Conversation => ({ system: "system", opening: "opening", exchanges });
const textOf = (exchanges: Exchange[], elision: { views: number; contents: number }) =>
  JSON.stringify(messagesOf(conversation(exchanges), elision, "(left)"));

describe("the conversation", () => {
  it("keeps all of an earlier request but its last remark as a prefix, so that providers can cache it", () => {
    const first = messagesOf(conversation([read(1, "a", "one")]), nothingDropped, "(turn 2)");
    const second = messagesOf(conversation([read(1, "a", "one"), read(2, "b", "two")]), nothingDropped, "(turn 3)");
    expect(second.slice(0, first.length - 1)).toEqual(first.slice(0, -1));
    expect(first.at(-1)?.content).toBe("one\n\n(turn 2)");
    expect(second[first.length - 1]?.content).toBe("one");
  });

  it("answers every call id right after its call", () => {
    const messages = messagesOf(conversation([read(1, "a", "x"), check(2, "y")]), nothingDropped, "");
    const roles = messages.map((message) => message.role);
    expect(roles).toEqual(["system", "user", "assistant", "tool", "assistant", "tool"]);
  });

  it("shows a call in the form in which it was taken, and shortens it as any other", () => {
    const mended = JSON.stringify({ files: [{ path: "a", content: long("x") }] });
    const taken = write(1, "a", "");
    const [call] = taken.answer?.toolCalls ?? [];
    if (call) call.arguments = '{"path":"a","content":"x\n';
    taken.results = taken.results.map((result) => ({ ...result, mended }));
    expect(messagesOf(conversation([taken]), nothingDropped, "")[2]).toMatchObject({
      toolCalls: [{ arguments: mended }],
    });
    const shortened = textOf([taken], { views: 2, contents: 2 });
    expect(shortened).toContain("bytes were written here");
    expect(shortened).not.toContain("x x x");
  });

  it("lets no two user messages follow one another, which some chat templates refuse", () => {
    const late: Exchange = { turn: 1, results: [], correction: "too late" };
    const messages = messagesOf(conversation([late, late]), nothingDropped, "(left)");
    expect(messages.map((message) => message.role)).toEqual(["system", "user"]);
    expect(messages[1]?.content).toBe("opening\n\ntoo late\n\ntoo late\n\n(left)");
  });

  it("says something for an empty answer, which some servers refuse", () => {
    const silent = { ...read(1, "a", "x"), results: [], correction: "call a tool" };
    if (silent.answer) silent.answer = { ...silent.answer, toolCalls: [] };
    expect(messagesOf(conversation([silent]), nothingDropped, "")[2]?.content).not.toBe("");
  });
});

describe("what is dropped", () => {
  it("first are views that a later write superseded and verdicts that are not the latest", () => {
    const exchanges = [
      read(1, "a", long("old")),
      read(2, "b", long("kept")),
      check(3, long("red")),
      write(4, "a", "x"),
      check(5, long("green")),
    ];
    const text = textOf(exchanges, { views: 5, contents: 0 });
    expect(text).not.toContain("old old");
    expect(text).toContain("earlier view of a");
    expect(text).toContain("kept kept");
    expect(text).not.toContain("red red");
    expect(text).toContain("green green");
  });

  it("next are contents that can be read again, and the call stays JSON", () => {
    const exchanges = [write(1, "a", long("mine")), write(2, "b", long("last"))];
    const text = textOf(exchanges, { views: 2, contents: 2 });
    expect(text).not.toContain("mine mine");
    expect(text).toContain("last last");
    const [, , assistant] = messagesOf(conversation(exchanges), { views: 2, contents: 2 }, "");
    if (assistant?.role !== "assistant") throw new Error("no call");
    expect(JSON.parse(assistant.toolCalls?.[0]?.arguments ?? "")).toMatchObject({ files: [{ path: "a" }] });
  });
});

describe("fitting the window", () => {
  const profile = { contextWindow: 4_000, maxOutputTokens: 4_000 } as ModelProfile;
  const asked = (exchanges: Exchange[], over: object = {}) => ({
    conversation: conversation(exchanges),
    tools: [],
    left: "",
    profile,
    calibration: { tokensPerByte: 1 / 4 },
    elision: nothingDropped,
    mustShrink: false,
    ...over,
  });

  it("drops nothing while everything fits", () => {
    expect(fit(asked([read(1, "a", long("x"))]))?.elision).toEqual(nothingDropped);
  });

  it("drops stale views before contents, and never counts more than the window", () => {
    const stale = fit(asked([read(1, "a", "y".repeat(9_000)), write(2, "a", "z".repeat(3_000)), check(3, "ok")]));
    expect(stale?.elision).toEqual({ views: 3, contents: 0 });
    const full = fit(asked([write(1, "a", "y".repeat(9_000)), write(2, "b", "z".repeat(3_000)), check(3, "ok")]));
    expect(full?.elision.contents).toBeGreaterThan(0);
    expect(full?.inputTokens).toBeLessThanOrEqual(3_000);
  });

  it("drops stale views of a costly request that fits, once they are a fifth of it", () => {
    const profile = { contextWindow: 1_000_000, maxOutputTokens: 64_000 } as ModelProfile;
    const superseded = (bytes: number) => [
      read(1, "a", "y".repeat(bytes)),
      read(2, "b", "z".repeat(330_000)),
      write(3, "a", "n"),
    ];
    const elisionOf = (bytes: number) => fit(asked([...superseded(bytes), check(4, "ok")], { profile }))?.elision;
    expect(elisionOf(60_000)).toEqual(nothingDropped);
    expect(elisionOf(120_000)).toEqual({ views: 4, contents: 0 });
    const small = [read(1, "a", "y".repeat(120_000)), write(2, "a", "n"), check(3, "ok")];
    expect(fit(asked(small, { profile }))?.elision).toEqual(nothingDropped);
  });

  it("leaves an answer its room even where the provider counts more than it did so far", () => {
    const large = { contextWindow: 128_000, maxOutputTokens: 16_384 } as ModelProfile;
    const calibration = { tokensPerByte: 1 / 4 };
    for (let bytes = 300_000; bytes < 480_000; bytes += 20_000) {
      const fitted = fit(asked([read(1, "a", "y".repeat(bytes)), check(2, "ok")], { profile: large, calibration }));
      const left = large.contextWindow - atMostTokens(fitted?.bytes ?? 0, calibration);
      expect(left, `${bytes} bytes`).toBeGreaterThanOrEqual(outputRoom(large));
    }
  });

  it("lets a conversation begin that fits as it is likely counted: there is nothing to drop from it", () => {
    const opening = { system: "", opening: "y".repeat(11_800), exchanges: [] };
    expect(fit(asked([], { conversation: opening }))?.inputTokens).toBeLessThanOrEqual(3_000);
  });

  it("gives up where even that is not enough: the conversation must start afresh", () => {
    expect(
      fit(
        asked(
          Array.from({ length: 40 }, (_, index) =>
            read(index + 1, `f${index}`, "v".repeat(190) + long("w").slice(0, 5)),
          ),
        ),
      ),
    ).toBeUndefined();
  });

  it("shrinks a request that the server refused, whatever the estimate says", () => {
    const exchanges = [write(1, "a", long("y")), write(2, "b", long("z")), check(3, "ok")];
    const whole = bytesOf({ messages: messagesOf(conversation(exchanges), nothingDropped, ""), tools: [] });
    expect(fit(asked(exchanges, { mustShrink: true }))?.bytes).toBeLessThan(whole);
  });
});
