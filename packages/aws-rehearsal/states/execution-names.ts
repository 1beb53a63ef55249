/** Step Functions' rules for execution names: unique, and a repeated start of a running one is harmless. Pure. */

export interface KnownExecution {
  status: string;
  input: string;
}

export type StartDecision = "start" | "same" | "refused";

/** An open execution of that name and that very input is the one that was asked for; any other is somebody else's. */
export function decideStart(known: KnownExecution | undefined, input: string): StartDecision {
  if (!known) return "start";
  return known.status === "RUNNING" && known.input === input ? "same" : "refused";
}

/** As the service allows them. */
const NAME = /^[^\s<>{}[\]?*"#%\\^|~`$&,;:/\p{Cc}]{1,80}$/u;

export const isName = (name: string): boolean => NAME.test(name);
