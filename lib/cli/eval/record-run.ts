/** What the real machine sends its model in a run whose answers a double writes: the transcript that all arms get. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ArmEvent, type RetentionRun, WINDOW_TOKENS } from "../../../packages/eval/index.ts";
import { readEntry } from "../../control/turn/journal.ts";
import type { ChatMessage, Model, ModelAnswer, ModelRequest } from "../../core/ports.ts";
import { free, type ModelProfile } from "../../core/turn/model-profile.ts";
import { notRun } from "../../core/verdict/verdict.ts";
import { builtInPacks } from "../../files/prompt-folder.ts";
import { type Machine, openMachine } from "../../local/machine.ts";

export async function recordRun(plan: RetentionRun): Promise<ArmEvent[]> {
  const home = mkdtempSync(join(tmpdir(), "l2mac-arms-"));
  const sent: string[] = [];
  const machine = openMachine({
    home,
    model: async () => writerOf(plan, sent),
    evaluator: { evaluate: async () => ({ ...notRun("nothing_to_check"), requestId: "none" }) },
  });
  try {
    const { id } = await machine.submit(await submissionOf(plan));
    const run = await machine.compute(id, new AbortController().signal);
    if (run.status !== "completed") throw new Error(`The recorded run ended as ${run.status}: ${run.detail ?? ""}`);
    return await eventsOf(machine, { id, plan, sent });
  } finally {
    machine.close();
    rmSync(home, { recursive: true, force: true });
  }
}

const PROFILE: ModelProfile = {
  model: "double",
  contextWindow: WINDOW_TOKENS,
  maxOutputTokens: WINDOW_TOKENS,
  price: free,
  convention: "native",
  outputLimit: "max_tokens",
  temperature: false,
  parallelToolCalls: true,
  requiredToolChoice: true,
};

async function submissionOf({ task, requirements }: RetentionRun) {
  const { codebase } = await builtInPacks();
  const instructions = requirements.map(({ id }, at) => ({ ...partNamed(at + 1, id), requirements: [id] }));
  return {
    task,
    name: "retention",
    pack: codebase,
    requirements,
    program: { instructions, requirements: [] },
    options: { domain: "codebase", evidence: "off", reflect: 0, runTests: false, install: false, budget: {} } as const,
    profile: PROFILE,
  };
}

/** The requirement is named, not said: both the machine and a chat have its text from the task. */
const partNamed = (number: number, id: string) => ({
  title: `Part ${number}`,
  text: `Write part ${number} of the manual. It serves ${id}.`,
});

/** Writes the next piece of the part that it is asked for. The server that it plays counts as the machine guesses. */
function writerOf({ parts }: RetentionRun, sent: string[]): Model {
  const written = parts.map(() => 0);
  return {
    async ask(request) {
      sent.push(request.messages.map(textOf).join("\n"));
      const number = instructionIn(request);
      const at = written[number - 1] ?? 0;
      written[number - 1] = at + 1;
      const content = parts[number - 1]?.[at];
      return content === undefined
        ? answerOf("complete_instruction", { summary: `Part ${number} is written.` }, request)
        : answerOf("write_files", { files: [{ path: `part-${number}/${at + 1}.txt`, content }] }, request);
    },
  };
}

const textOf = (message: ChatMessage): string =>
  message.role === "assistant" && message.toolCalls
    ? [message.content, ...message.toolCalls.map((call) => call.arguments)].join("\n")
    : message.content;

function instructionIn({ messages }: ModelRequest): number {
  const opening = messages.find(({ role }) => role === "user")?.content ?? "";
  return Number(/^Instruction (\d+) of \d+: /m.exec(opening)?.[1] ?? 0);
}

function answerOf(name: string, value: object, request: ModelRequest): ModelAnswer {
  const bytes = Buffer.byteLength(JSON.stringify([request.messages, request.tools]));
  return {
    text: "",
    finish: "tools",
    model: "double",
    requestId: "double",
    milliseconds: 0,
    toolCalls: [{ id: `call-${bytes}-${name}`, name, arguments: JSON.stringify(value) }],
    usage: { inputTokens: Math.ceil(bytes / 3), cachedTokens: 0, outputTokens: 100 },
  };
}

interface Recorded {
  id: string;
  plan: RetentionRun;
  sent: string[];
}

/** As a chat would have it: the task, each instruction, each call with what it writes, each result. */
async function eventsOf({ registry, files }: Machine, { id, plan, sent }: Recorded): Promise<ArmEvent[]> {
  const message = (text: string): ArmEvent => ({ kind: "message", text });
  const events = [message(plan.task)];
  for (const [at, requirement] of plan.requirements.entries()) {
    const { title, text } = partNamed(at + 1, requirement.id);
    events.push(message(`Instruction ${at + 1} of ${plan.requirements.length}: ${title}\n\n${text}`));
    for (const turn of await registry.turns(id, at + 1)) {
      const { answer, effects } = await readEntry(files, turn);
      const asked = sent.shift();
      if (asked === undefined) throw new Error(`Turn ${at + 1}.${turn.turn} was not recorded.`);
      events.push({ kind: "request", instruction: at + 1, sent: asked });
      events.push(...(answer?.answer.toolCalls ?? []).map((call) => message(`${call.name} ${call.arguments}`)));
      events.push(...(effects?.results ?? []).map((result) => message(result.text)));
    }
  }
  return events;
}
