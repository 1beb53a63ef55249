/** Shows without a model what each arm retains of a recorded run. Doubles write the summaries. */
import type { EvalCase } from "../suite.ts";
import { ARMS, type ArmEvent, type ArmName, type Summarise } from "./arm.ts";
import { retainedIn } from "./retention.ts";
import { evenSummary, idealSummary } from "./summarisers.ts";

export interface RetentionRow {
  probe: "retention";
  /** The case and the arm. */
  of: string;
  retained: number;
  requirements: number;
  isRight: boolean;
  details: string[];
}

interface Double {
  name: string;
  arm: ArmName;
  summarise: Summarise;
  retains: "all" | "not all";
}

const DOUBLES: Double[] = [
  { name: "l2mac", arm: "l2mac", summarise: idealSummary, retains: "all" },
  { name: "growing", arm: "growing", summarise: idealSummary, retains: "not all" },
  { name: "summarising, ideal", arm: "summarising", summarise: idealSummary, retains: "all" },
  { name: "summarising, even", arm: "summarising", summarise: evenSummary, retains: "not all" },
];

/** `record`: what the machine sends in the run of a case. */
export async function* examineArms(
  cases: EvalCase[],
  record: (run: NonNullable<EvalCase["retention"]>) => Promise<ArmEvent[]>,
): AsyncGenerator<RetentionRow> {
  for (const { id, retention } of cases) {
    if (!retention) continue;
    const { requirements } = retention;
    const events = await record(retention);
    for (const { name, arm, summarise, retains } of DOUBLES) {
      const retained = Object.keys(await retainedIn(ARMS[arm]({ events, summarise }), requirements)).length;
      const isRight = (retained === requirements.length) === (retains === "all");
      const details = isRight ? [] : [`${id} ${name}: ${retained} retained, and it must be ${retains}`];
      yield { probe: "retention", of: `${id} ${name}`, retained, requirements: requirements.length, isRight, details };
    }
  }
}
