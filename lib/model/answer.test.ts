import { describe, expect, it } from "vitest";
import { type ExpectedAnswer, readAnswer } from "./answer.ts";

const tool = { name: "list_files", description: "", parameters: {} };
const expected: ExpectedAnswer = { convention: "native", tools: [tool], messages: 2 };
const read = (message: object, more: object = {}, how: Partial<ExpectedAnswer> = {}) => {
  const body = {
    id: "x",
    choices: [{ message, finish_reason: "stop", ...more }],
    ...("usage" in more ? { usage: more.usage } : {}),
  };
  const answer = readAnswer(JSON.stringify(body), { ...expected, ...how });
  if (!answer || "error" in answer) throw new Error("not read as an answer");
  return answer;
};
const call = (name: string, args: unknown, id?: string) => ({
  id,
  type: "function",
  function: { name, arguments: args },
});

describe("an answer's text", () => {
  it("is empty where the content is null or missing", () => {
    expect(read({ content: null, tool_calls: [call("list_files", "{}", "a")] }).text).toBe("");
    expect(read({}).text).toBe("");
  });

  it("is joined where the content comes in parts", () => {
    expect(
      read({ content: [{ type: "text", text: "one " }, { type: "image" }, { type: "text", text: "two" }] }).text,
    ).toBe("one two");
  });

  it("is the refusal where the model refuses, and then counts as filtered", () => {
    expect(read({ content: null, refusal: "I can't help with that." })).toMatchObject({
      text: "I can't help with that.",
      finish: "filtered",
    });
  });

  it("is without the thoughts that some servers leave in front", () => {
    expect(read({ content: '<think>\nMaybe {"tool": "x", "arguments": {}}\n</think>\n\nDone.' }).text).toBe("Done.");
  });
});

describe("an answer's calls", () => {
  it("have arguments as text, also where the server gives an object, nothing, or null", () => {
    const calls = [call("a", { x: [1] }, "1"), call("b", "", "2"), call("c", null, "3"), call("d", '{"cut', "4")];
    expect(read({ tool_calls: calls }).toolCalls.map((made) => made.arguments)).toEqual([
      '{"x":[1]}',
      "{}",
      "{}",
      '{"cut',
    ]);
  });

  it("have ids of their own, also where the server gives none or the same twice", () => {
    const ids = read({
      tool_calls: [call("a", "{}"), call("b", "{}", "same"), call("c", "{}", "same"), call("d", "{}", "")],
    });
    expect(ids.toolCalls.map(({ id }) => id)).toEqual(["c00002000", "same", "c00002002", "c00002003"]);
  });

  it("are found in the old function_call", () => {
    expect(
      read(
        { content: null, function_call: { name: "list_files", arguments: "{}" } },
        { finish_reason: "function_call" },
      ),
    ).toMatchObject({ toolCalls: [{ name: "list_files", arguments: "{}" }], finish: "tools" });
  });

  it("are what can be read of a hostile list", () => {
    const noise = [null, 7, "x", {}, { function: "f" }, { function: { name: 1, arguments: 2 } }];
    expect(read({ tool_calls: noise }).toolCalls).toEqual([{ id: "c00002000", name: "", arguments: "2" }]);
    expect(read({ tool_calls: Array.from({ length: 5_000 }, () => call("a", "{}")) }).toolCalls).toHaveLength(128);
  });
});

describe("a call that a model writes as text, although it could make it", () => {
  const written = '{"name": "list_files", "arguments": {"prefix": "src"}}';

  it("is read where it is the whole answer and the tool exists", () => {
    expect(read({ content: written })).toMatchObject({
      toolCalls: [{ name: "list_files", arguments: '{"prefix":"src"}' }],
      finish: "tools",
    });
  });

  it("stays text amid prose, for a tool that does not exist, and beside real calls", () => {
    for (const content of [`Like this: ${written}`, written.replace("list_files", "make_coffee")]) {
      expect(read({ content })).toMatchObject({ text: content, toolCalls: [], finish: "stop" });
    }
    expect(read({ content: written, tool_calls: [call("list_files", "{}", "a")] }).toolCalls).toHaveLength(1);
  });
});

describe("how an answer ended", () => {
  it.each([
    ["stop", "stop"],
    ["end_turn", "stop"],
    ["length", "cut"],
    ["content_filter", "filtered"],
    ["insufficient_system_resource", "other"],
    [null, "other"],
  ])("%s is %s", (finish_reason, finish) => {
    expect(read({ content: "text" }, { finish_reason }).finish).toBe(finish);
  });

  it("is with tools where there are calls, whatever the server says, but for a cut", () => {
    const message = { tool_calls: [call("list_files", "{}", "a")] };
    expect(read(message, { finish_reason: "stop" }).finish).toBe("tools");
    expect(read(message, { finish_reason: "length" }).finish).toBe("cut");
  });

  it("is cut where the output limit ended the JSON object of a call, and then there is no call", () => {
    const content = '{"thoughts": "", "tool": "write_files", "arguments": {"files": [{"path": "a", "content": "hal';
    expect(read({ content }, { finish_reason: "length" }, { convention: "schema" })).toMatchObject({
      text: content,
      toolCalls: [],
      finish: "cut",
    });
  });
});

describe("an answer's usage", () => {
  const usage = (given: object) => read({ content: "" }, { usage: given }).usage;

  it("counts cached tokens under each of their names", () => {
    const counts = { prompt_tokens: 100, completion_tokens: 5 };
    expect(usage({ ...counts, prompt_tokens_details: { cached_tokens: 64 } })).toEqual({
      inputTokens: 100,
      cachedTokens: 64,
      outputTokens: 5,
    });
    expect(usage({ ...counts, prompt_cache_hit_tokens: 60 })?.cachedTokens).toBe(60);
    expect(usage({ ...counts, cached_tokens: 61 })?.cachedTokens).toBe(61);
  });

  it("counts thoughts that are in the total only", () => {
    expect(usage({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 40 })?.outputTokens).toBe(30);
  });

  it("beyond all counting is a number that can be stored, and that no call can have", () => {
    const most = Number.MAX_SAFE_INTEGER;
    for (const said of [1e300, 1e308, 2 ** 54]) {
      expect(usage({ prompt_tokens: said, completion_tokens: 5 })?.inputTokens).toBe(most);
      expect(usage({ prompt_tokens: 10, completion_tokens: 5, total_tokens: said })?.outputTokens).toBe(most - 10);
    }
  });

  it("is unknown where the counts are missing or no counts", () => {
    for (const given of [
      {},
      { prompt_tokens: 5 },
      { prompt_tokens: -1, completion_tokens: 2 },
      { prompt_tokens: "5", completion_tokens: 1 },
    ]) {
      expect(usage(given)).toBeUndefined();
    }
  });
});

it("a body that is no answer is distinguished from a refusal inside of a 200", () => {
  expect(readAnswer("", expected)).toBeUndefined();
  expect(readAnswer('{"choices":[{}]}', expected)).toBeUndefined();
  expect(readAnswer('{"error":{"code":429}}', expected)).toEqual({ error: { code: 429 } });
});
