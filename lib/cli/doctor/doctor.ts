/** `l2mac doctor`: whether a run could start here, and for each thing that is missing, what to do. */
import type { Finding } from "../../deployment/finding.ts";
import type { Command } from "../command.ts";
import { JSON_OUTPUT, REMOTE } from "../settings/flags.ts";
import { usage } from "../settings/parse.ts";
import { computerFindings } from "./doctor-computer.ts";
import { dailyFindings } from "./doctor-daily.ts";
import { modelFindings } from "./doctor-model.ts";
import { configFindings, packFindings, webhookFinding } from "./doctor-settings.ts";
import { findingLine, nothingMissing } from "./findings.ts";

export type { Finding };

const CONFIGURATION = 3;

export const doctor: Command = async (given, shell) => {
  const { flags } = given;
  if (flags.has(REMOTE.name)) return (await import("./doctor-remote.ts")).doctorRemote(given, shell);
  if (flags.has("--no-run")) throw usage({ name: "doctor" }, "--no-run says something to --remote only.");
  const { findings: configured, settings } = configFindings({ flags, env: shell.env, cwd: shell.cwd });
  const findings: Finding[] = [
    ...(await computerFindings(shell)),
    ...configured,
    ...(settings?.dailyUsd === undefined ? [] : await dailyFindings(settings.dailyUsd, shell)),
    ...(settings ? [await webhookFinding(settings, shell.env)] : []),
    ...(settings ? await modelFindings(settings, shell.env) : []),
    ...(settings?.prompts === undefined ? [] : await packFindings(settings)),
  ];
  const canStart = nothingMissing(findings);
  if (flags.has(JSON_OUTPUT.name)) shell.out(`${JSON.stringify({ canStart, findings })}\n`);
  else {
    for (const finding of findings) shell.out(`${findingLine(finding, shell.launcher)}\n`);
    shell.out(
      canStart
        ? `A run can start: ${shell.command("run", "<task>")}\n`
        : `A run cannot start yet; ${shell.command("run", "--rehearse")} needs no model.\n`,
    );
  }
  return canStart ? 0 : CONFIGURATION;
};
