/** `l2mac doctor`: whether a run can start on this computer, and what to do about each thing that is missing. */
import { openExistingRuns } from "../../client/in-process.ts";
import { MICRO } from "../../core/run/budget.ts";
import { dayWords, leftAtBest } from "../../core/run/daily.ts";
import { type Finding, isReady } from "../../deployment/finding.ts";
import type { Command } from "../command.ts";
import { paintFor } from "../display/paint.ts";
import type { Shell } from "../display/shell.ts";
import { JSON_OUTPUT, REMOTE } from "../settings/flags.ts";
import { ownHome } from "../settings/own-home.ts";
import { usage } from "../settings/parse.ts";
import { computerFindings } from "./computer.ts";
import { findingLine } from "./finding-line.ts";
import { modelFindings } from "./model.ts";
import { configFindings, packFindings, webhookFinding } from "./settings.ts";

const CONFIGURATION = 3;

export const doctor: Command = async (given, shell) => {
  const { flags } = given;
  if (flags.has(REMOTE.name)) return (await import("./remote.ts")).doctorRemote(given, shell);
  if (flags.has("--no-run")) throw usage({ name: "doctor" }, "--no-run applies to --remote only.");
  const { findings: configured, settings } = configFindings({ flags, env: shell.env, cwd: shell.cwd });
  const findings: Finding[] = [
    ...(await computerFindings(shell)),
    ...configured,
    ...(settings?.dailyUsd === undefined ? [] : [await dailyFinding(settings.dailyUsd, shell)]),
    ...(settings ? [await webhookFinding(settings, shell.env)] : []),
    ...(settings ? await modelFindings(settings, shell.env) : []),
    ...(settings?.prompts === undefined ? [] : await packFindings(settings)),
  ];
  const canStart = isReady(findings);
  if (flags.has(JSON_OUTPUT.name)) shell.out(`${JSON.stringify({ canStart, findings })}\n`);
  else {
    for (const finding of findings) shell.out(`${findingLine(finding, shell.launcher, paintFor(shell))}\n`);
    shell.out(
      canStart
        ? `A run can start: ${shell.command("run", "<task>")}\n`
        : `A run cannot start yet; ${shell.command("run", "--rehearse")} needs no model.\n`,
    );
  }
  return canStart ? 0 : CONFIGURATION;
};

/** How much of the daily budget today's runs have used. */
async function dailyFinding(dailyUsd: number, shell: Shell): Promise<Finding> {
  const limitMicroUsd = Math.floor(dailyUsd * MICRO);
  const day = { microUsd: 0, reservedMicroUsd: 0, ...(await readToday(dailyUsd, shell)), limitMicroUsd };
  return { what: "today", state: leftAtBest(day) > 0 ? "ok" : "note", says: dayWords(day) };
}

async function readToday(dailyUsd: number, shell: Shell) {
  const runs = await openExistingRuns({ home: ownHome(shell), env: shell.env, dailyUsd });
  try {
    return await runs.today();
  } finally {
    runs.close();
  }
}
