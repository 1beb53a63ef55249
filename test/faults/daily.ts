/** Fifty runs at a time on one daily ceiling: never beyond it, and hardly anything of it is left unspent. */

import { type DailyCeiling, dailyCeiling } from "./daily-ceiling.ts";
import { type Broken, counted, type Experiment } from "./experiment.ts";

const DAYS = 20;
const QUICK_DAYS = 2;
const SPENT_AIM = 0.9;

export const sharedDay: Experiment = async ({ quick, from, seeds = quick ? QUICK_DAYS : DAYS, say }) => {
  const days: DailyCeiling[] = [];
  for (let seed = from; seed < from + seeds; seed += 1) {
    days.push(await dailyCeiling({ seed }));
    say(`  day ${days.length} of ${seeds}`);
  }
  const sum = (of: (day: DailyCeiling) => number): number => days.reduce((total, day) => total + of(day), 0);
  const most = Math.max(...days.map(({ peak, limit }) => peak / limit));
  const least = Math.min(...days.map(({ spent, limit }) => spent / limit));
  const broken: Broken[] = days.flatMap(({ problems, seed }) =>
    problems.map((what) => ({ invariant: "I4", what, where: `day of seed ${seed}` })),
  );
  return {
    broken,
    rows: [
      {
        what: `${days[0]?.runs ?? 0} runs on one daily ceiling, seeds ${from} to ${from + seeds - 1}: most that was ever committed`,
        figure: share(most),
        aim: "≤ 100 % of it",
        reached: most <= 1,
      },
      {
        what: "… least that was spent, or written off for dead attempts",
        figure: share(least),
        aim: `≥ ${share(SPENT_AIM)} of it`,
        reached: least >= SPENT_AIM,
      },
      {
        what: "… calls, processes killed, zombies, waits for what others had in flight",
        figure: [sum(({ calls }) => calls), sum(({ kills }) => kills), sum(({ zombies }) => zombies)]
          .concat(sum(({ waits }) => waits))
          .map(counted)
          .join(", "),
        aim: "books that agree",
        reached: broken.length === 0,
      },
    ],
  };
};

const share = (part: number): string => `${(part * 100).toFixed(1)} %`;
