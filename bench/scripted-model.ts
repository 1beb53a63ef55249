/** A model that answers at once from a script, by where the conversation is. */
import type { Model, ModelAnswer, ModelRequest } from "../lib/core/ports.ts";

export interface ScriptedTurn {
  call: [name: string, args: object];
  usage?: Partial<ModelAnswer["usage"]>;
}

export interface ScriptedModel extends Model {
  requests: ModelRequest[];
}

export function scriptedModel(script: (request: ModelRequest) => ScriptedTurn): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    requests,
    async ask(request) {
      requests.push(request);
      const { call, usage } = script(request);
      const [name, args] = call;
      return {
        text: "",
        toolCalls: [{ id: `call-${requests.length}`, name, arguments: JSON.stringify(args) }],
        finish: "tools",
        usage: { inputTokens: 1_000, cachedTokens: 0, outputTokens: 100, ...usage },
        model: "scripted",
        requestId: `request-${requests.length}`,
        milliseconds: 1,
      };
    },
  };
}

/** The instruction of a conversation, and how many answers the conversation holds already. */
export function positionOf({ messages }: ModelRequest): { instruction: number; answers: number } {
  const line = /^Instruction (\d+) of (?:\d+|an open number): /m.exec(
    messages.map(({ content }) => content).join("\n"),
  );
  return {
    instruction: Number(line?.[1] ?? 0),
    answers: messages.filter(({ role }) => role === "assistant").length,
  };
}
