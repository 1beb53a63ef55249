/** `l2mac doctor`: whether a run could start here, and for each thing that is missing, what to do. */
import type { Command } from "./commands.ts";
import { computerFindings } from "./doctor-computer.ts";
import { modelFindings } from "./doctor-model.ts";
import { configFindings, packFindings } from "./doctor-settings.ts";
import { JSON_OUTPUT } from "./flags.ts";
import { plainText } from "./plain-text.ts";

/** `missing` keeps runs from starting; `note` is worth knowing. */
export interface Finding {
  what: string;
  state: "ok" | "note" | "missing";
  says: string;
}

const MARKS = { ok: "✔", note: "~", missing: "✘" } as const;
const CONFIGURATION = 3;

export const doctor: Command = async ({ flags }, shell) => {
  const { findings: configured, settings } = configFindings({ flags, env: shell.env, cwd: shell.cwd });
  const findings: Finding[] = [
    ...(await computerFindings(shell)),
    ...configured,
    ...(settings ? await modelFindings(settings, shell.env) : []),
    ...(settings?.prompts === undefined ? [] : await packFindings(settings)),
  ];
  const canStart = findings.every(({ state }) => state !== "missing");
  if (flags.has(JSON_OUTPUT.name)) shell.out(`${JSON.stringify({ canStart, findings })}\n`);
  else {
    for (const { what, state, says } of findings) {
      shell.out(`${MARKS[state]} ${what.padEnd(10)} ${plainLinesOf(says)}\n`);
    }
    shell.out(
      canStart ? 'A run can start: l2mac "<task>"\n' : "A run cannot start yet; l2mac run --rehearse needs no model.\n",
    );
  }
  return canStart ? 0 : CONFIGURATION;
};

const plainLinesOf = (says: string): string => says.split("\n").map(plainText).join("\n             ");
