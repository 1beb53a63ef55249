/** Every attack of the hostile corpus, by group. */
import type { Attack } from "./attack.ts";
import { checkerAttacks } from "./checkers.ts";
import { environmentAttacks } from "./environments.ts";
import { escapeAttacks } from "./escapes.ts";
import { forgeries } from "./forgeries.ts";
import { lyingAttacks } from "./lies.ts";
import { resourceAttacks } from "./resources.ts";
import { secretAttacks } from "./secrets.ts";
import { systemCallAttacks } from "./system-calls.ts";

export const attacks: Attack[] = [
  ...resourceAttacks,
  ...secretAttacks,
  ...escapeAttacks,
  ...systemCallAttacks,
  ...environmentAttacks,
  ...lyingAttacks,
  ...forgeries,
  ...checkerAttacks,
];
