/** Plays a whole scene: plans, reflects, and executes instruction by instruction, as the machine would. */
import type { ChatMessage, Model, ModelAnswer, ModelRequest } from "../../lib/core/ports.ts";
import { type Check, withNode } from "./check.ts";
import { ALL_TOOLS, listed, type Planned, perform } from "./tools.ts";

export interface Staging {
  model: Model;
  task: string;
  check?: Check;
  /** The steps that the program takes, where it is no list. */
  parts?: Planned["instructions"] | undefined;
  tools?: string[];
  steps?: number;
  /** Every conversation is given up after so many turns, and a fresh one begins. */
  turnsPerConversation?: number;
  /** Fresh conversations without their note: only the listing tells. */
  withoutNote?: boolean;
}

export interface PlayedTurn {
  instruction: number;
  request: ModelRequest;
  answer: ModelAnswer;
  results: string[];
}

export interface Played {
  drafts: Planned[];
  files: Map<string, string>;
  turns: PlayedTurn[];
  accepted: number;
}

const TURNS_PER_INSTRUCTION = 40;

export async function play(staging: Staging): Promise<Played> {
  const drafts = await planned(staging);
  const played: Played = { drafts, files: new Map(), turns: [], accepted: 0 };
  const steps = staging.parts ?? drafts.at(-1)?.instructions ?? [];
  for (const [at, { title, text }] of steps.entries()) {
    const heading = `Instruction ${at + 1} of ${steps.length}: ${title}\n\n${text}`;
    if (!(await executed(staging, played, { number: at + 1, heading }))) break;
    played.accepted += 1;
  }
  return played;
}

const specOf = (name: string) => ({ name, description: "", parameters: {} });

export const requestOf = (messages: ChatMessage[], tools: string[]): ModelRequest => ({
  messages,
  tools: tools.map(specOf),
  maxOutputTokens: 8_192,
  timeoutMs: 60_000,
});

/** A draft and, after reflection, a second one. */
async function planned({ model, task, steps }: Staging): Promise<Planned[]> {
  const limit = steps === undefined ? "" : `\nUse at most ${steps} instructions.`;
  const messages: ChatMessage[] = [
    { role: "system", content: "You write programs." },
    { role: "user", content: `Planning the program\n\n# Task\n\n${task}\n\n# Answer\n\nCall write_program.${limit}` },
  ];
  const drafts: Planned[] = [];
  for (const said of ["Taken. Read it again: is everything in it?", "Taken."]) {
    const answer = await model.ask(requestOf(messages, ["write_program"]));
    const [call] = answer.toolCalls;
    if (!call) return drafts;
    drafts.push(JSON.parse(call.arguments) as Planned);
    messages.push({ role: "assistant", content: answer.text, toolCalls: answer.toolCalls });
    messages.push({ role: "tool", content: said, toolCallId: call.id, name: call.name });
  }
  return drafts;
}

async function executed(
  { model, task, check = withNode, tools = ALL_TOOLS, turnsPerConversation, withoutNote }: Staging,
  played: Played,
  { number, heading }: { number: number; heading: string },
): Promise<boolean> {
  let messages: ChatMessage[] = [];
  let [lastThought, lastSaid] = ["", ""];
  for (let turn = 0; turn < TURNS_PER_INSTRUCTION; turn += 1) {
    if (turn % (turnsPerConversation ?? TURNS_PER_INSTRUCTION) === 0) {
      const note =
        lastThought && !withoutNote
          ? `\n\n# Where you are\n\nOpen errors:\n${lastSaid}\nLast thought:\n  ${lastThought}`
          : "";
      const opening = `# Task\n\n${task}\n\n# Your instruction\n\n${heading}\n\n# Files\n\n${listed(played.files)}${note}`;
      messages = [{ role: "user", content: opening }];
    }
    const request = requestOf([...messages], tools);
    const answer = await model.ask(request);
    const effects = answer.toolCalls.map((call) => ({ call, ...perform(call, played.files, check) }));
    played.turns.push({ instruction: number, request, answer, results: effects.map(({ text }) => text) });
    if (effects.some(({ accepted }) => accepted)) return true;
    lastThought = answer.text;
    lastSaid = effects.map(({ text }) => text).join("\n");
    messages.push({ role: "assistant", content: answer.text, toolCalls: answer.toolCalls });
    for (const { call, text } of effects) {
      messages.push({ role: "tool", content: text, toolCallId: call.id, name: call.name });
    }
  }
  return false;
}
