/** What the stack costs by list price: idle, by its synthesised template, and what watching and isolation add. */

import { IDLE_AIM_USD, idleLines, useLines } from "../lib/deployment/cost/cost-page.ts";
import { computingUsd, WATCHING_AIM, watchingUsd } from "../lib/deployment/cost/watching-cost.ts";
import { costFacts } from "../test/cloud/cost-facts.ts";
import type { Row } from "./table.ts";

const WEBHOOK = { webhook: { url: "https://hooks.example.org/" } };
const SIGNING = { signing: { kms: true } };

export async function cost(): Promise<Row[]> {
  const plain = costFacts();
  const idle = idleLines(plain.resources).map(({ what, usd }) => ({
    what: `idle a month: ${what}`,
    figure: dollars(usd),
    aim: "",
  }));
  const together = idleLines(plain.resources).at(-1)?.usd ?? Number.NaN;
  const noticed = idleLines(costFacts(WEBHOOK).resources).at(-1)?.usd ?? Number.NaN;
  const signing = idleLines(costFacts(SIGNING).resources).at(-1)?.usd ?? Number.NaN;
  return [
    ...idle.slice(0, -1),
    {
      ...{ what: "idle a month: together", figure: dollars(together), aim: `≤ ${dollars(IDLE_AIM_USD)}` },
      reached: together <= IDLE_AIM_USD,
    },
    { what: "idle a month: with a webhook", figure: dollars(noticed), aim: "" },
    { what: "idle a month: with a key that signs", figure: dollars(signing), aim: "" },
    {
      what: "watching a run, of what computing it costs",
      figure: `${((100 * watchingUsd(plain.use)) / computingUsd(plain.use)).toFixed(1)} %`,
      aim: `≤ ${100 * WATCHING_AIM} %`,
      reached: watchingUsd(plain.use) <= WATCHING_AIM * computingUsd(plain.use),
    },
    ...useLines(plain.use).map(({ what, usd }) => ({ what, figure: dollars(usd), aim: "" })),
  ];
}

const dollars = (usd: number): string => `$${usd < 0.01 ? usd.toFixed(5) : usd.toFixed(2)}`;
