/** Runs under ceilings, with providers that count as they like and processes that end in calls: what is charged, and what is booked. */
import type { Run } from "../../lib/core/run/run.ts";
import type { Broken, Experiment } from "./experiment.ts";
import { type MoneySetup, type Played, playMoney } from "./money-setup.ts";
import { MONEY_SETUPS } from "./money-table.ts";

/** What a provider may charge beyond a ceiling, and what may be booked for what was charged. */
const MOST_OVER = 0.02;
const MOST_BOOKED = 1.5;
/** Where nothing was ever counted, texts are taken to be twice as dense as most are. */
const MOST_BOOKED_UNCOUNTED = 2.3;
const MOST_WALL = 0.35;

const QUICK = 6;

export const money: Experiment = async ({ quick, say }) => {
  const setups = quick ? MONEY_SETUPS.filter((_, index) => index % QUICK === 0) : MONEY_SETUPS;
  const played: Played[] = [];
  const broken: Broken[] = [];
  for (const setup of setups) {
    const one = await playMoney(setup);
    played.push(one);
    broken.push(...problemsOf(setup, one).map((what) => ({ invariant: "I4", what, where: setup.name })));
    say(`  ${setup.name}: charged ${usd(one.charged)}, booked ${usd(one.booked)}, ${one.accepted} accepted`);
  }
  const most = Math.max(...played.map(({ charged, limit }) => charged / limit));
  const [short, ample] = await Promise.all([compareLanes({ usd: 1.2 }), compareLanes({ usd: 12 })]);
  return {
    broken,
    rows: [
      {
        what: `${setups.length} runs under a ceiling: the most that a provider charged`,
        figure: `${(most * 100).toFixed(1)} % of it`,
        aim: "≤ 102 %",
        reached: broken.length === 0,
      },
      {
        what: "… instructions accepted for $1.20 in 1 and in 16 lanes",
        figure: `${short.one.accepted}, ${short.many.accepted}`,
        aim: "as many in 16",
        reached: short.many.accepted >= short.one.accepted,
      },
      {
        what: "… time that 16 lanes take with $12, of that of one",
        figure: ample.wall.toFixed(2),
        aim: `≤ ${MOST_WALL}`,
        reached: ample.wall <= MOST_WALL,
      },
    ],
  };
};

export async function compareLanes(budget: { usd: number }, parts = 16) {
  const one = await playMoney({ name: "one lane", lanes: 1, budget, parts });
  const many = await playMoney({ name: "16 lanes", lanes: 16, budget, parts });
  return { one, many, wall: many.milliseconds / one.milliseconds };
}

/** What must not be, in words. */
export function problemsOf(setup: MoneySetup, { charged, booked, limit, runs }: Played): string[] {
  const { usage = "normal", times = 1, interruptions = [] } = setup;
  const isCounted = usage === "normal" || usage === "fractional" || usage === "sometimes zero";
  const mostBooked = isCounted ? MOST_BOOKED : MOST_BOOKED_UNCOUNTED;
  const ratio = booked / charged;
  return [
    ...(charged > limit * (1 + MOST_OVER) ? [`${usd(charged)} were charged, and the ceiling is ${usd(limit)}`] : []),
    ...(booked > limit * (1 + MOST_OVER) && times === 1 ? [`${usd(booked)} are booked above ${usd(limit)}`] : []),
    ...(ratio < 0.98 ? [`${usd(booked)} are booked of ${usd(charged)}`] : []),
    ...(interruptions.length > 0 && ratio > mostBooked ? [`${ratio.toFixed(2)} times what was charged is booked`] : []),
    ...(ratio > MOST_BOOKED_UNCOUNTED ? [`${ratio.toFixed(2)} times what was charged is booked`] : []),
    ...runs.flatMap(problemsOfBooks),
  ];
}

function problemsOfBooks(run: Run): string[] {
  const { microUsd, inputTokens, outputTokens, reservedMicroUsd, reservedTokens, atRisk } = run;
  const amounts = [microUsd, inputTokens, outputTokens];
  return [
    ...(amounts.every((amount) => Number.isSafeInteger(amount) && amount >= 0) ? [] : [`the books say ${amounts}`]),
    ...(reservedMicroUsd + reservedTokens > 0 || atRisk ? ["a call is still reserved"] : []),
    ...(run.reason === "internal" || run.reason === "trapped" ? [`it ended as ${run.reason}: ${run.detail}`] : []),
  ];
}

const usd = (microUsd: number): string => `$${(microUsd / 1e6).toFixed(2)}`;
