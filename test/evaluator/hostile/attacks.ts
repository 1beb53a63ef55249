/** Every attack of the hostile corpus, by group. */
import type { Attack } from "./attack.ts";
import { resourceAttacks } from "./resources.ts";

export const attacks: Attack[] = [...resourceAttacks];
