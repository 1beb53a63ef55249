/** Many runs at once on DynamoDB's published limits, in virtual time. Stores what it finds for docs/scale.md. */
import { writeFileSync } from "node:fs";
import type { Row } from "../table.ts";
import { conflictShare, givenUpShare, LOADS, type Measured } from "./loads.ts";
import { simulate } from "./simulate.ts";

const MOST_GIVEN_UP = 0.001;

export async function scale(): Promise<Row[]> {
  const measured: Measured[] = [];
  for (const { name, ...load } of LOADS) measured.push({ name, ...(await simulate(load)) });
  writeFileSync(new URL("result.json", import.meta.url), `${JSON.stringify(measured, undefined, 2)}\n`);
  return measured.flatMap((load) => [
    { what: `${load.name}: failed`, figure: String(load.failed), aim: "0", reached: load.failed === 0 },
    { what: "… tries that met another transaction", figure: percent(conflictShare(load)), aim: "" },
    {
      what: "… transactions that gave up after their tries",
      figure: percent(givenUpShare(load)),
      aim: "≤ 0.1 %",
      reached: givenUpShare(load) <= MOST_GIVEN_UP,
    },
    { what: "… write units a turn", figure: String(load.unitsPerTurn), aim: "" },
  ]);
}

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;
