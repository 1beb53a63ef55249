/** Calls whose outcome is unknown: they may have been charged, and count at the most that they can have cost. Pure. */
import { amount, money, pluralize } from "../../text/format.ts";
import type { Event } from "../event.ts";

export interface WrittenOff {
  calls: number;
  microUsd: number;
  tokens: number;
}

/** Undefined: there are none. */
export function writtenOffIn(events: readonly Event[]): WrittenOff | undefined {
  const found = events.filter((event) => event.type === "written_off");
  const sum = (of: "microUsd" | "tokens"): number => found.reduce((total, event) => total + event[of], 0);
  const calls = found.reduce((total, { microUsd, tokens }) => total + Math.sign(microUsd + tokens), 0);
  return calls > 0 ? { calls, microUsd: sum("microUsd"), tokens: sum("tokens") } : undefined;
}

/** `$0.02 and 1,200 tokens of it are reserved for 1 interrupted call, which cost no more` */
export const writtenOffWords = ({ calls, microUsd, tokens }: WrittenOff): string =>
  `${money(microUsd)} and ${amount(tokens)} tokens of it are reserved for ${pluralize(calls, "interrupted call")}, which cost no more`;
