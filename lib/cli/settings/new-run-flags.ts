/** What every command that begins a new run takes. */
import { AFTER_RUN, IN, NEW, PUSH } from "./command-flags.ts";

/** The groups of options that a new run has. */
export const RUN_OPTIONS = ["task", "program", "model", "budget", "execution"] as const;
/** What a new run can start from, besides --from, and where its steps go. */
export const STARTS = [IN, AFTER_RUN, NEW, PUSH];
