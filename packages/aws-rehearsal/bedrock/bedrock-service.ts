/** Amazon Bedrock's Converse, whole and streamed, answered by a script. Signature and permission were checked before. */
import { z } from "zod";
import { converseStream, frames } from "../../../test/servers/provider-streams.ts";
import type { ScriptedAnswer, ScriptedMessage, ScriptedRequest } from "../../../test/servers/scripted-completion.ts";
import type { Service } from "../parts.ts";

const Block = z.looseObject({
  text: z.string().optional(),
  toolUse: z.object({ toolUseId: z.string(), name: z.string(), input: z.json() }).optional(),
  toolResult: z.object({ toolUseId: z.string(), content: z.array(z.object({ text: z.string() })) }).optional(),
});
const Converse = z.object({
  system: z.array(z.looseObject({ text: z.string().optional() })).default([]),
  messages: z.array(z.object({ role: z.enum(["user", "assistant"]), content: z.array(Block).min(1) })).min(1),
  inferenceConfig: z.looseObject({ maxTokens: z.int().positive() }),
  toolConfig: z.object({ tools: z.array(z.looseObject({})).min(1) }).optional(),
});

export interface Bedrock {
  service: Service;
  /** The models that were called, and how. */
  called: { model: string; operation: string }[];
}

type Script = (request: ScriptedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;

export function createBedrock(script: Script): Bedrock {
  const called: Bedrock["called"] = [];
  const service: Service = async ({ target, headers, body }) => {
    const [, , model = "", operation = ""] = target.split("/");
    const asked = Converse.parse(JSON.parse(body.toString()));
    called.push({ model: decodeURIComponent(model), operation });
    const request = {
      ...{ number: called.length, model, messages: messagesOf(asked), tools: [] },
      ...{ body: {}, headers: { ...headers } },
    };
    const answer = converseOf(await script(request), called.length);
    return operation === "converse-stream"
      ? reply("application/vnd.amazon.eventstream", Buffer.from(frames(converseStream(answer))))
      : reply("application/json", Buffer.from(JSON.stringify(answer)));
  };
  return { service, called };
}

const reply = (type: string, body: Buffer) => ({ status: 200, headers: { "content-type": type }, body });

function messagesOf({ system, messages }: z.infer<typeof Converse>): ScriptedMessage[] {
  const said = messages.flatMap(({ role, content }) =>
    content.map(({ text, toolResult }): ScriptedMessage => {
      const results = toolResult?.content.map((each) => each.text) ?? [];
      return { role: toolResult ? "tool" : role, content: [text ?? "", ...results].join("\n") };
    }),
  );
  return [{ role: "system", content: system.map(({ text }) => text ?? "").join("\n") }, ...said];
}

function converseOf({ text, toolCalls = [] }: ScriptedAnswer, number: number) {
  const calls = toolCalls.map(({ name, arguments: input }, at) => ({
    toolUse: { toolUseId: `tooluse_${number}_${at}`, name, input },
  }));
  return {
    output: { message: { role: "assistant", content: [...(text ? [{ text }] : []), ...calls] } },
    stopReason: calls.length > 0 ? "tool_use" : "end_turn",
    usage: { inputTokens: 1_000, outputTokens: 100, totalTokens: 1_100 },
  };
}
