/** Seeded histories of runs in money alone: what is spent never passes a ceiling, and nearly all of it is usable. */
import { describe, expect, it } from "vitest";
import { thorough } from "../../../test/doubles/thorough.ts";
import type { ChatMessage, Usage } from "../ports.ts";
import { bytesOf } from "../turn/estimate.ts";
import { boundTokens, type CountedRequest } from "../turn/input-bound.ts";
import type { ModelProfile, Price } from "../turn/model-profile.ts";
import { limitAfter, wantedOutput } from "../turn/output-limit.ts";
import { admit, costOf, MICRO } from "./budget.ts";
import type { Budget } from "./option-forms.ts";

const HISTORIES = thorough(100, 1_000);

interface Shape {
  price: Price;
  contextWindow: number;
  maxOutputTokens: number;
  budget: Budget;
}
const windows = { contextWindow: 200_000, maxOutputTokens: 64_000 };
/** Prices in dollars a million tokens, as they are: dear, cached at a tenth, cheap, output free, and tokens alone. */
const SHAPES: [string, Shape][] = [
  ["dear output", { ...windows, price: { input: 5, output: 30 }, budget: { usd: 5 } }],
  ["cheap cached input", { ...windows, price: { input: 3, cachedInput: 0.3, output: 15 }, budget: { usd: 5 } }],
  ["a cheap model", { ...windows, price: { input: 0.25, cachedInput: 0.025, output: 2 }, budget: { usd: 0.4 } }],
  ["free output", { ...windows, price: { input: 10, output: 0 }, budget: { usd: 5 } }],
  ["a ceiling of tokens", { ...windows, price: { input: 0, output: 0 }, budget: { tokens: 1_000_000 } }],
];

/** mulberry32 */
function createRandom(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * most;
  };
}

interface Spent {
  microUsd: number;
  tokens: number;
}

/** The end of a run, until it is refused a call: conversations that grow and start again, dense text, cuts, time-outs, no usage. */
function spend({ budget, ...shape }: Shape, seed: number): Spent {
  const random = createRandom(seed);
  const profile = shape as ModelProfile;
  // The last calls decide: so much is spent before them.
  const before = 0.8 + random(0.1);
  let run = {
    ...{ profile, tokensPerByte: 0.3, tokensPerSecond: 0, outputTokens: 0 },
    microUsd: Math.floor((budget.usd ?? 0) * MICRO * before),
    inputTokens: Math.floor((budget.tokens ?? 0) * before),
  };
  let messages: ChatMessage[] = [];
  let tokens = 0;
  let counted: CountedRequest | undefined;
  for (;;) {
    if (messages.length === 0 || random(1) < 0.2) [messages, tokens, counted] = [[], 0, undefined];
    const text = message(random, 3_000);
    messages = [...messages, text];
    // Ordinary text has a token for four bytes, checksums have four.
    tokens += Math.floor(bytesOf(text) * (random(1) < 0.1 ? 0.5 + random(0.5) : 0.15 + random(0.15)));
    const bytes = bytesOf({ messages, tools: [] });
    const bound = boundTokens({ messages, bytes }, counted);
    const inputTokens = Math.min(bound, profile.contextWindow);
    const wanted = wantedOutput(run, { bytes, timeoutMs: 840_000, halvings: 0 });
    const spent = { ...run, turns: 0, activeMs: 0 };
    const admission = admit({ spent, budget, profile, inputTokens, wantedOutput: wanted });
    if (!admission.allowed) return { microUsd: run.microUsd, tokens: run.inputTokens + run.outputTokens };
    const { maxOutputTokens } = admission;
    const chance = random(1);
    const worst: Usage = { inputTokens, cachedTokens: 0, outputTokens: maxOutputTokens };
    const isUnknown = chance < 0.02;
    const finish = chance > 0.97 ? "cut" : "tools";
    const output = finish === "cut" ? maxOutputTokens : Math.min(maxOutputTokens, Math.ceil(500 + random(9_000)));
    const cachedTokens = Math.floor(random(counted?.inputTokens ?? 0));
    const usage = isUnknown ? worst : { inputTokens: tokens, cachedTokens, outputTokens: output };
    if (!isUnknown) counted = { messages, inputTokens: tokens };
    run = {
      ...run,
      ...limitAfter(run, { finish }, maxOutputTokens),
      microUsd: run.microUsd + costOf(profile.price, usage),
      inputTokens: run.inputTokens + usage.inputTokens,
      outputTokens: run.outputTokens + usage.outputTokens,
    };
  }
}

const message = (random: (most: number) => number, most: number): ChatMessage => ({
  role: "user",
  content: "x".repeat(200 + random(most)),
});

describe(`${HISTORIES} histories`, () => {
  it.each(SHAPES)("of %s never pass the ceiling, and use 95 %% of it", (_name, shape) => {
    const { usd, tokens = Number.POSITIVE_INFINITY } = shape.budget;
    const most = usd === undefined ? Number.POSITIVE_INFINITY : usd * MICRO;
    let least = 1;
    for (let seed = 1; seed <= HISTORIES; seed += 1) {
      const spent = spend(shape, seed);
      if (spent.microUsd > most || spent.tokens > tokens) throw new Error(`seed ${seed}: ${JSON.stringify(spent)}`);
      least = Math.min(least, Math.max(spent.microUsd / most, spent.tokens / tokens));
    }
    expect(least).toBeGreaterThanOrEqual(0.95);
  });
});
