/** A model server that writes at a speed of its own, charges for what it has read and written, and says something else. */
import { ModelError } from "../../lib/core/errors.ts";
import type { Clock, Model, ModelAnswer, ModelRequest } from "../../lib/core/ports.ts";
import { costOf } from "../../lib/core/run/budget.ts";
import { bytesOf } from "../../lib/core/turn/estimate.ts";
import type { Price } from "../../lib/core/turn/model-profile.ts";
import { guessedUsage, usageOf } from "../../lib/model/answer.ts";
import { placeOf, scriptedModel, writeFile } from "../doubles/scripted-model.ts";
import type { Chance } from "./chance.ts";

/** As a server of Chat Completions reports it. */
interface Counted {
  prompt_tokens: number;
  completion_tokens: number;
}

export const USAGES = {
  normal: (usage) => usage,
  zero: () => ({ prompt_tokens: 0, completion_tokens: 0 }),
  one: () => ({ prompt_tokens: 1, completion_tokens: 1 }),
  missing: () => undefined,
  "half absent": ({ prompt_tokens }) => ({ prompt_tokens }),
  "no output": ({ prompt_tokens }) => ({ prompt_tokens, completion_tokens: 0 }),
  "no input": ({ completion_tokens }) => ({ prompt_tokens: 0, completion_tokens }),
  words: () => ({ prompt_tokens: "many", completion_tokens: "few" }),
  negative: () => ({ prompt_tokens: -100, completion_tokens: -5 }),
  "not a number": () => ({ prompt_tokens: Number.NaN, completion_tokens: Number.NaN }),
  huge: ({ prompt_tokens }) => ({ prompt_tokens: prompt_tokens * 1_000, completion_tokens: 1e9 }),
  "2^53": () => ({ prompt_tokens: 2 ** 53, completion_tokens: 2 ** 53 }),
  fractional: (usage) => ({
    prompt_tokens: usage.prompt_tokens + 0.5,
    completion_tokens: usage.completion_tokens + 0.25,
  }),
  "cached beyond input": (usage) => ({
    ...usage,
    prompt_tokens_details: { cached_tokens: usage.prompt_tokens * 10 },
  }),
  "sometimes zero": (usage, call) => (call % 3 === 0 ? { prompt_tokens: 0, completion_tokens: 0 } : usage),
} satisfies Record<string, (usage: Counted, call: number) => object | undefined>;
export type UsageKind = keyof typeof USAGES;

export interface ProviderAsked {
  clock: Clock;
  chance: Chance;
  price: () => Price;
  usage: UsageKind;
  /** What it charges is so many times what the bytes make, and what it says as well. */
  times?: number;
  /** Shares of the calls. */
  cut?: number;
  failing?: number;
  /** Before it writes, and unseen. */
  thinksMs?: number;
}

export interface MeteredProvider {
  charged(): number;
  calls(): number;
  /** For one process. What it has written when that dies is charged. */
  model(killed: AbortSignal): Model;
}

const BYTES_PER_TOKEN = 4;
const TOKENS_PER_SECOND = 60;
const STEP_MS = 500;
/** So often an instruction writes a file before it is completed. */
const FILES = 3;

export function meteredProvider(asked: ProviderAsked): MeteredProvider {
  const { clock, chance, price, usage, times = 1, cut = 0, failing = 0, thinksMs = 0 } = asked;
  let charged = 0;
  let calls = 0;
  const script = scriptedModel((request) => {
    const { instruction, answers } = placeOf(request);
    if (answers >= FILES) return { calls: [["complete_instruction", { summary: "written" }]] };
    const content = Array.from({ length: 60 * (answers + 1) }, (_, n) => `line ${n} of ${instruction}`).join("\n");
    return { calls: [writeFile(`d${instruction}/f${answers}.txt`, content)] };
  });
  const charge = (inputTokens: number, outputTokens: number): void => {
    charged += costOf(price(), {
      inputTokens: inputTokens * times,
      cachedTokens: 0,
      outputTokens: outputTokens * times,
    });
  };

  async function ask(request: ModelRequest, call: number, heard: Hearing): Promise<ModelAnswer> {
    if (chance.share() < failing) throw new ModelError("overloaded", { kind: "unavailable", perhapsPaid: false });
    const answer = await script.ask(request);
    const text = answer.toolCalls.map((each) => each.arguments).join("");
    const whole = Math.ceil(text.length / BYTES_PER_TOKEN);
    const inputTokens = Math.ceil(bytesOf({ messages: request.messages, tools: request.tools }) / BYTES_PER_TOKEN);
    const thoughts = Math.ceil((thinksMs / 1_000) * TOKENS_PER_SECOND);
    const breaksAt = chance.share() < cut ? whole / 2 : Number.POSITIVE_INFINITY;
    let written = 0;
    const seen = (): number => Math.min(whole, Math.max(0, written - thoughts));
    try {
      while (written < thoughts + whole && seen() < breaksAt) {
        await clock.sleep(STEP_MS, heard.signal);
        written += (STEP_MS / 1_000) * TOKENS_PER_SECOND;
        if (seen() > 0) heard.show(seen() * BYTES_PER_TOKEN);
      }
    } finally {
      charge(inputTokens, Math.min(thoughts + whole, Math.ceil(written)));
    }
    if (seen() >= breaksAt && breaksAt < whole) {
      const received = text.slice(0, seen() * BYTES_PER_TOKEN);
      throw new ModelError("the connection was closed", { kind: "unavailable", perhapsPaid: true, received });
    }
    const counted = { prompt_tokens: inputTokens * times, completion_tokens: (thoughts + whole) * times };
    const said = usageOf(USAGES[usage](counted, call));
    return {
      ...answer,
      ...(said ? { usage: said } : { usage: guessedUsage(inputTokens, whole), usageEstimated: true }),
      milliseconds: (written / TOKENS_PER_SECOND) * 1_000,
    };
  }

  return {
    charged: () => charged,
    calls: () => calls,
    model: (killed) => ({
      ask(request, signal, onProgress) {
        calls += 1;
        const ends = signal ? AbortSignal.any([signal, killed]) : killed;
        return ask(request, calls, { signal: ends, show: (bytes) => onProgress?.(bytes, bytes) });
      },
    }),
  };
}

interface Hearing {
  signal: AbortSignal;
  show: (bytes: number) => void;
}
