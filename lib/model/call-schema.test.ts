import { describe, expect, it } from "vitest";
import type { ToolSpec } from "../core/ports.ts";
import { typedCallSchema } from "./call-schema.ts";

const paths = { type: "array", items: { type: "string", description: "a path" }, minItems: 1 };
const steps = { type: "array", items: { type: "object", properties: { paths, type: { type: ["string", "null"] } } } };
const tools: ToolSpec[] = [
  { name: "list_files", description: "Lists files.", parameters: { type: "object", properties: {} } },
  { name: "plan", description: "", parameters: { type: "object", properties: { paths, steps }, required: ["steps"] } },
];

describe("the schema of a call with its arguments", () => {
  const schema = typedCallSchema(tools) as { anyOf: { properties: Record<string, unknown> }[] };

  it("has a branch for each tool", () => {
    expect(schema).toMatchObject({ type: "object" });
    expect(schema.anyOf.map(({ properties }) => properties.tool)).toEqual([
      { type: "string", enum: ["list_files"] },
      { type: "string", enum: ["plan"] },
    ]);
    expect(schema.anyOf[0]).toEqual({
      type: "object",
      properties: {
        thoughts: { type: "string", maxLength: 1_000 },
        tool: { type: "string", enum: ["list_files"] },
        arguments: { type: "object", properties: {} },
      },
      required: ["thoughts", "tool", "arguments"],
      additionalProperties: false,
    });
  });

  it("bounds every list, the inner ones more, and has neither null types nor descriptions", () => {
    const bounded = (maxItems: number) => ({
      type: "array",
      items: { type: "string", maxLength: 500 },
      minItems: 1,
      maxItems,
    });
    expect(schema.anyOf[1]?.properties.arguments).toEqual({
      type: "object",
      properties: {
        paths: bounded(50),
        steps: {
          type: "array",
          items: { type: "object", properties: { paths: bounded(20), type: { type: "string" } } },
          maxItems: 50,
        },
      },
      required: ["steps"],
    });
  });
});
