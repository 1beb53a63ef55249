import { describe, expect, it } from "vitest";
import { firstDifference, type ModelCall } from "./first-difference.ts";

const tool = (description: string) => ({ name: "list_files", description, parameters: { type: "object" } });
const asked = (over: Partial<ModelCall> = {}): ModelCall => ({
  messages: [
    { role: "system", content: "You write.\nCarefully.\nIn small files." },
    { role: "user", content: "Do part 1." },
  ],
  tools: [tool("Lists files.")],
  ...over,
});

describe("the first difference of two requests", () => {
  it("is none where they are the same", () => {
    expect(firstDifference(asked(), asked())).toBeUndefined();
  });
  it("names the message and shows the lines that changed, after those that did not", () => {
    const [, ...rest] = asked().messages;
    const now = asked({ messages: [{ role: "system", content: "You write.\nQuickly.\nIn small files." }, ...rest] });
    expect(firstDifference(asked(), now)).toEqual({
      what: "message 1 (system) differs",
      excerpt: "  You write.\n- Carefully.\n+ Quickly.",
    });
  });
  it("names a message that is new", () => {
    const now = asked({ messages: [...asked().messages, { role: "user", content: "More." }] });
    expect(firstDifference(asked(), now)).toEqual({ what: "message 3 (user) differs", excerpt: "-\n+ More." });
  });
  it("names the tool that changed, before all that follows from it", () => {
    const now = asked({ tools: [tool("Lists the files.")], messages: [] });
    expect(firstDifference(asked(), now)).toMatchObject({
      what: "the tool list_files differs",
      excerpt: "- list_files: Lists files.\n+ list_files: Lists the files.",
    });
  });
});
