/** Many runs at once on DynamoDB's published limits, and in a small account, in virtual time. Stores what it finds for docs/scale.md. */
import { writeFileSync } from "node:fs";
import type { Row } from "../table.ts";
import { simulateAccount } from "./account.ts";
import {
  ACCOUNTS,
  conflictShare,
  givenUpShare,
  LOADS,
  type Measured,
  type MeasuredAccount,
  nameOf,
  type Stored,
} from "./loads.ts";
import { simulate } from "./simulate.ts";

const MOST_GIVEN_UP = 0.001;

export async function scale(): Promise<Row[]> {
  const stored: Stored = { loads: [], accounts: [] };
  for (const account of ACCOUNTS) stored.accounts.push({ ...account, ...(await simulateAccount(account)) });
  for (const load of LOADS) stored.loads.push({ ...load, ...(await simulate(load)) });
  writeFileSync(new URL("result.json", import.meta.url), `${JSON.stringify(stored, undefined, 2)}\n`);
  return [...stored.loads.flatMap(rowsOf), ...stored.accounts.map(accountRow)];
}

const rowsOf = (load: Measured): Row[] => [
  { what: `${nameOf(load)}: failed`, figure: String(load.failed), aim: "0", reached: load.failed === 0 },
  {
    what: "… runs that the sweeper had to repair",
    figure: String(load.repaired),
    aim: "0",
    reached: load.repaired === 0,
  },
  { what: "… tries that met another transaction", figure: percent(conflictShare(load)), aim: "" },
  {
    what: "… transactions that gave up after their tries",
    figure: percent(givenUpShare(load)),
    aim: "≤ 0.1 %",
    reached: givenUpShare(load) <= MOST_GIVEN_UP,
  },
  { what: "… write units a turn", figure: String(load.unitsPerTurn), aim: "" },
];

const accountRow = ({ executions, watched, holdSeconds, asked, unanswered }: MeasuredAccount): Row => ({
  what: `${executions} executions, ${watched} watched runs, requests held for ${holdSeconds} s: commands without an answer`,
  figure: `${unanswered} of ${asked}`,
  aim: watched <= 5 && holdSeconds === 0 ? "0" : "",
  ...(watched <= 5 && holdSeconds === 0 ? { reached: unanswered === 0 } : {}),
});

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;
