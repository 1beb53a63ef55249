import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChatMessage, ToolSpec } from "../core/ports.ts";
import { constrain, readConstrained } from "./constrained.ts";

const tools: ToolSpec[] = [
  { name: "list_files", description: "Lists files.", parameters: { type: "object", properties: {} } },
  { name: "write_files", description: "Writes files.", parameters: { type: "object", required: ["files"] } },
];
const system: ChatMessage = { role: "system", content: "You write code." };
const user: ChatMessage = { role: "user", content: "Begin." };
const calling = (...names: string[]): ChatMessage => ({
  role: "assistant",
  content: "Let me see.",
  toolCalls: names.map((name, index) => ({ id: `id${index}`, name, arguments: `{"n":${index}}` })),
});
const result = (index: number, content: string): ChatMessage => ({
  role: "tool",
  toolCallId: `id${index}`,
  name: "list_files",
  content,
});
const read = (text: string, cut = false) => readConstrained(text, { tools, cut });

describe("a request in the constrained convention", () => {
  it("describes the tools in the system message, the same way every time", () => {
    const first = constrain({ messages: [system, user], tools }, "typed");
    expect(first.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(first.messages[0]?.content).toContain(
      '## write_files\n\nWrites files.\n\nJSON schema of its arguments: {"type":"object","required":["files"]}',
    );
    expect(first.messages[0]?.content.startsWith("You write code.")).toBe(true);
    expect(constrain({ messages: [system, user, calling("list_files")], tools }, "typed").messages[0]).toEqual(
      first.messages[0],
    );
  });

  it("constrains the answer to thoughts, one of the tools, and open arguments where the server takes no more", () => {
    expect(constrain({ messages: [user], tools }, "open").responseFormat).toEqual({
      type: "json_schema",
      json_schema: {
        name: "tool_call",
        schema: {
          type: "object",
          properties: {
            thoughts: { type: "string" },
            tool: { type: "string", enum: ["list_files", "write_files"] },
            arguments: { type: "object", additionalProperties: true },
          },
          required: ["thoughts", "tool", "arguments"],
          additionalProperties: false,
        },
      },
    });
    expect(constrain({ messages: [user], tools }, "json").responseFormat).toEqual({ type: "json_object" });
  });

  it("leaves a request without tools unconstrained", () => {
    expect(constrain({ messages: [system, user], tools: [] }, "typed")).toEqual({ messages: [system, user] });
  });

  it("shows an earlier call as the very object that is asked for, and its result as the user's message", () => {
    const { messages } = constrain({ messages: [user, calling("list_files"), result(0, "a.js")], tools: [] }, "typed");
    expect(messages.slice(1)).toEqual([
      { role: "assistant", content: '{"thoughts":"Let me see.","tool":"list_files","arguments":{"n":0}}' },
      { role: "user", content: "Result of list_files:\n\na.js" },
    ]);
  });

  it("splits a turn of several calls into turns of one, each with its own result", () => {
    const history = [user, calling("list_files", "write_files"), result(1, "written"), result(0, "a.js"), user];
    const { messages } = constrain({ messages: history, tools: [] }, "json");
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant", "user"]);
    expect(messages[2]?.content).toContain("a.js");
    expect(messages[3]?.content).toBe('{"thoughts":"","tool":"write_files","arguments":{"n":1}}');
    expect(messages[4]?.content).toBe("Result of write_files:\n\nwritten\n\nBegin.");
  });

  it("always alternates between user and assistant after one system message", () => {
    const role = fc.constantFrom(system, user, calling("list_files"), calling("a", "b"), result(0, "x"), {
      role: "assistant",
      content: "prose",
    } satisfies ChatMessage);
    fc.assert(
      fc.property(fc.array(role), (history) => {
        const roles = constrain({ messages: history, tools }, "typed").messages.map((message) => message.role);
        expect(roles[0]).toBe("system");
        for (const [index, now] of roles.slice(1).entries()) {
          expect(now).not.toBe("system");
          expect(now).not.toBe(roles[index]);
        }
      }),
    );
  });
});

describe("an answer in the constrained convention", () => {
  it("is read back exactly as it was written, for any tool name, thoughts and arguments", () => {
    const name = fc.string({ minLength: 1, unit: "binary" });
    const args = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue());
    fc.assert(
      fc.property(name, args, fc.string({ unit: "binary" }), (tool, value, thoughts) => {
        const call = { id: "c", name: tool, arguments: JSON.stringify(value) };
        const { messages } = constrain(
          { messages: [user, { role: "assistant", content: thoughts, toolCalls: [call] }], tools },
          "typed",
        );
        const shown = messages[2]?.content ?? "";
        expect(JSON.parse(shown)).toHaveProperty("tool", tool);
        for (const cut of [false, true]) {
          expect(read(shown, cut)).toEqual({
            text: thoughts,
            call: { name: tool, arguments: JSON.stringify(JSON.parse(call.arguments)) },
          });
        }
      }),
    );
  });

  it.each([
    ['{"tool": "list_files", "params": {"prefix": "src"}}', '{"prefix":"src"}'],
    ['{"call_tool": "list_files", "params": {}}', "{}"],
    ['{"name": "list_files", "arguments": {"prefix": "src"}}', '{"prefix":"src"}'],
    ['{"name": "list_files"}', "{}"],
    ['{"tool": "list_files", "arguments": "{\\"prefix\\": \\"src\\"}"}', '{"prefix": "src"}'],
    ['{"tool": "list_files", "prefix": "src"}', '{"prefix":"src"}'],
    ['{"tool_calls": [{"type": "function", "function": {"name": "list_files", "arguments": {}}}]}', "{}"],
    ['I will look.\n```json\n{"tool": "list_files", "arguments": {"prefix": "src",},}\n```', '{"prefix":"src"}'],
  ])("also reads %s", (text, args) => {
    expect(read(text).call).toEqual({ name: "list_files", arguments: args });
  });

  it("keeps a call of a tool that does not exist, so that the model learns of it", () => {
    expect(read('{"thoughts": "", "tool": "make_coffee", "arguments": {}}').call?.name).toBe("make_coffee");
  });

  it("leaves prose, and data that is not a call, as text", () => {
    for (const text of ["All done!", 'Here: {"name": "my-app", "version": "1.0.0"}', '{"files": []}', ""]) {
      expect(read(text)).toEqual({ text });
    }
  });

  it("takes no call out of an answer that was cut off", () => {
    const cut = '{"thoughts": "", "steps": [{"tool": "delete_files", "arguments": {"paths": ["a"]}}, {"tool": "wri';
    expect(read(cut, true)).toEqual({ text: cut });
  });
});
