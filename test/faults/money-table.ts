/** The set-ups of the money experiment: each with a ceiling that nothing may pass. */
import type { Interruption, MoneySetup } from "./money-setup.ts";

const often = (how: Interruption["how"], times: number, every: number): Interruption[] =>
  Array.from({ length: times }, (_, n) => ({ how, after: every + 370 * n }));

/** With it, a run of these programs is done. */
const AMPLE = { usd: 12 };

export const MONEY_SETUPS: MoneySetup[] = [
  { name: "one lane", lanes: 1 },
  { name: "4 lanes", lanes: 4 },
  { name: "16 lanes", lanes: 16 },
  { name: "usage zero", lanes: 4, usage: "zero" },
  { name: "usage missing", lanes: 4, usage: "missing" },
  { name: "usage huge", lanes: 4, usage: "huge" },
  { name: "usage negative", lanes: 4, usage: "negative" },
  { name: "usage not a number", lanes: 4, usage: "not a number" },
  { name: "usage ×5", lanes: 4, times: 5 },
  { name: "usage fractional", lanes: 4, usage: "fractional" },
  { name: "usage 2^53", lanes: 4, usage: "2^53" },
  { name: "more cached than read", lanes: 4, usage: "cached beyond input" },
  { name: "streams cut", lanes: 4, cut: 0.2 },
  { name: "errors", lanes: 4, failing: 0.2 },
  { name: "a ceiling of turns", lanes: 16, budget: { usd: 12, turns: 20 } },
  { name: "a ceiling of tokens", lanes: 16, budget: { usd: 12, tokens: 120_000 } },
  {
    name: "a day with three processes, one of them killed",
    ...{ lanes: 2, runs: 3, dailyUsd: 1.5, budget: AMPLE, interruptions: often("killed", 1, 9_000) },
  },
  { name: "a price that rises", lanes: 4, dearer: 4, interruptions: often("stopped", 1, 9_000) },
  { name: "usage of one token", lanes: 16, usage: "one" },
  { name: "usage without output", lanes: 4, usage: "no output" },
  { name: "usage without input", lanes: 4, usage: "no input" },
  { name: "usage half absent", lanes: 4, usage: "half absent" },
  { name: "usage in words", lanes: 1, usage: "words" },
  { name: "usage that is sometimes zero", lanes: 16, usage: "sometimes zero" },
  {
    name: "Ctrl-C while 16 lanes think",
    lanes: 16,
    budget: AMPLE,
    thinksMs: 8_000,
    interruptions: often("stopped", 1, 6_000),
  },
  {
    name: "Ctrl-C and kills while a server holds its answers back",
    lanes: 4,
    budget: AMPLE,
    thinksMs: 8_000,
    shows: true,
    interruptions: [...often("stopped", 2, 5_000), ...often("killed", 2, 5_000)],
  },
  { name: "Ctrl-C, five times", lanes: 16, budget: AMPLE, interruptions: often("stopped", 5, 3_000) },
  { name: "11 kills of 16 lanes", lanes: 16, budget: AMPLE, interruptions: often("killed", 11, 2_000) },
  { name: "11 kills of 4 lanes near the ceiling", lanes: 4, interruptions: often("killed", 11, 2_000) },
  {
    name: "kills while the model thinks",
    lanes: 4,
    budget: AMPLE,
    thinksMs: 8_000,
    interruptions: often("killed", 4, 5_000),
  },
  { name: "kills of a server without usage", lanes: 4, usage: "missing", interruptions: often("killed", 4, 3_000) },
  {
    name: "a clock set back by a day",
    lanes: 4,
    budget: AMPLE,
    jumpMs: -86_400_000,
    interruptions: often("killed", 3, 4_000),
  },
  {
    name: "a clock set on by two days",
    lanes: 4,
    budget: AMPLE,
    jumpMs: 172_800_000,
    interruptions: often("killed", 3, 4_000),
  },
  { name: "a price that falls, after a kill", lanes: 4, dearer: 0.25, interruptions: often("killed", 1, 9_000) },
];
