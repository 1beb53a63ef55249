/** A model that is asked without a run: each answer is on the disk before it is used, and none is paid for twice. */
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { ModelError } from "../../core/errors.ts";
import type { Model, ModelRequest } from "../../core/ports.ts";
import { costOf, usdOf } from "../../core/run/budget.ts";
import { atMostTokens, bytesOf } from "../../core/turn/estimate.ts";
import type { ModelProfile } from "../../core/turn/model-profile.ts";

const count = z.int().min(0);

/** A call that perhaps was paid for, though no answer came, has no text. */
const ChatLine = z.object({
  prompt: z.string(),
  text: z.string().optional(),
  model: z.string(),
  microUsd: count,
  inputTokens: count,
  outputTokens: count,
  milliseconds: z.number(),
});
type ChatLine = z.infer<typeof ChatLine>;

/** The evaluation cannot go on now; the same command continues it. */
export class ChatStopped extends Error {
  override readonly name = "L2mac.ChatStopped";
  readonly reason: string;
  constructor(reason: string) {
    super(`The conversation stopped: ${reason}.`);
    this.reason = reason;
  }
}

export interface ChatLedger {
  lines(): ChatLine[];
  ask(system: string, text: string): Promise<string>;
}

export interface ChatParts {
  /** Where the answers are kept. */
  path: string;
  model: Model;
  profile: ModelProfile;
  /** For all calls that are still to come. */
  budgetUsd: number;
  settings: Pick<ModelRequest, "seed" | "effort" | "stream">;
  signal: AbortSignal;
}

const CHAT = "chat:";
export const chatName = (caseId: string, seed: number): string => `${CHAT}${caseId}:${seed}`;
export const isChat = (run: string): boolean => run.startsWith(CHAT);

export const chatPath = (folder: string, run: string): string =>
  join(folder, "chats", `${run.replace(/[^\w.-]+/g, "-")}.jsonl`);

const TIMEOUT_MS = 600_000;
const OUTPUT_TOKENS = 8_192;

export function openChatLedger(parts: ChatParts): ChatLedger {
  const lines = chatLines(parts.path);
  mkdirSync(dirname(parts.path), { recursive: true });
  const mostUsd = parts.budgetUsd + spentIn(lines);
  const keep = (line: ChatLine): void => {
    appendFileSync(parts.path, `${JSON.stringify(line)}\n`, { flush: true });
    lines.push(line);
  };
  return {
    lines: () => lines,
    async ask(system, text) {
      const request = requestOf(parts, system, text);
      const prompt = createHash("sha256").update(JSON.stringify(request.messages)).digest("hex");
      const known = lines.find((line) => line.prompt === prompt && line.text !== undefined);
      if (known?.text !== undefined) return known.text;
      const reserved = reservedFor(parts.profile, request);
      if (spentIn(lines) + usdOf(reserved) > mostUsd) throw new ChatStopped("usd");
      const line = await answered(parts, request).catch((error: unknown) => {
        if (error instanceof ModelError && error.perhapsPaid) keep({ ...NOTHING, prompt, microUsd: reserved });
        throw stoppedBy(error, parts.signal);
      });
      keep({ ...line, prompt });
      return line.text;
    },
  };
}

/** What conversations of an evaluation have cost. */
export const spentIn = (lines: ChatLine[]): number => usdOf(lines.reduce((sum, { microUsd }) => sum + microUsd, 0));

/** A line that a crash cut is left out. */
export function chatLines(path: string): ChatLine[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        return [ChatLine.parse(JSON.parse(line))];
      } catch {
        return [];
      }
    });
}

const NOTHING = { model: "", inputTokens: 0, outputTokens: 0, milliseconds: 0 };

const requestOf = ({ profile, settings }: ChatParts, system: string, text: string): ModelRequest => ({
  messages: [
    { role: "system", content: system },
    { role: "user", content: text },
  ],
  tools: [],
  maxOutputTokens: Math.min(OUTPUT_TOKENS, profile.maxOutputTokens),
  timeoutMs: TIMEOUT_MS,
  ...(profile.temperature ? { temperature: TEMPERATURE } : {}),
  ...settings,
});

/** As runs begin. */
const TEMPERATURE = 0.2;

/** The most that a call may cost. */
const reservedFor = ({ price }: ModelProfile, { messages, maxOutputTokens: outputTokens }: ModelRequest): number =>
  costOf(price, {
    inputTokens: atMostTokens(bytesOf(messages), { tokensPerByte: 0 }),
    cachedTokens: 0,
    outputTokens,
  });

async function answered({ model, profile, signal }: ChatParts, request: ModelRequest) {
  const answer = await model.ask(request, signal);
  const { inputTokens, outputTokens } = answer.usage;
  return {
    text: answer.text,
    model: answer.model,
    microUsd: costOf(profile.price, answer.usage),
    inputTokens,
    outputTokens,
    milliseconds: answer.milliseconds,
  };
}

/** What says something of the model is thrown as it is. */
function stoppedBy(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return new ChatStopped("interrupted");
  if (!(error instanceof ModelError) || error.kind === "context_exceeded") return error;
  const { kind } = error;
  if (kind === "credentials" || kind === "rate_limited") return new ChatStopped(kind);
  return new ChatStopped("provider");
}
