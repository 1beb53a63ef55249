/** `l2mac export`: writes how a run executed its instructions as a trajectory or a trace, for other tools. */

import { UserError } from "../../core/errors.ts";
import { asksForEvidence } from "../../core/evidence/evidence-kind.ts";
import { usdOf } from "../../core/run/budget.ts";
import type { Run } from "../../core/run/run.ts";
import { pluralize, shortId } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { atifOf } from "../../core/trajectory/atif.ts";
import { isAllProven, NOTE, type TrajectoryRun } from "../../core/trajectory/trajectory.ts";
import { projectVersion } from "../../files/project-files.ts";
import type { Command } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { type Connection, connect } from "../runs/connection.ts";
import { findRun } from "../runs/find-run.ts";
import { usage } from "../settings/parse.ts";
import { FORMAT, FORMATS, PROVEN, REMOVED_FORMATS } from "./export-flags.ts";
import { otlpTrace } from "./otlp-trace.ts";
import { readTrajectories } from "./read-trajectories.ts";

export const exportRun: Command = async (given, shell) => {
  const format = formatOf(given.flags.get(FORMAT.name));
  const connection = await connect(given, shell);
  try {
    const run = await findRun(connection, given.words[0]);
    if (format === "otlp") return await exportTrace(connection, run, shell);
    const isFiltered = given.flags.has(PROVEN.name);
    if (isFiltered && !asksForEvidence(run)) throw noEvidence(run);
    const { trajectories, leftOut } = await readTrajectories(connection, run);
    const kept = isFiltered ? trajectories.filter(isAllProven) : trajectories;
    if (kept.length === 0) throw nothing(run, { isFiltered, remoteFlag: connection.remoteFlag });
    for (const { instruction, why } of leftOut) shell.say(`Instruction ${instruction} is left out: ${why}.`);
    const unproven = trajectories.length - kept.length;
    if (unproven > 0) shell.say(`${pluralize(unproven, "step")} left out: what they serve is not proven.`);
    const inexact = kept.filter(({ isExact }) => !isExact).length;
    if (inexact > 0)
      shell.say(`${pluralize(inexact, "step")} built again by this version of l2mac: what was sent differs somewhere.`);
    if (!shell.readerGone()) shell.out(`${JSON.stringify(atifOf(kept, describeRun(run)), undefined, 2)}\n`);
    shell.say(sanitizeLine(`Run ${shortId(run.id)} (${run.name}): ${pluralize(kept.length, "step")}. ${NOTE}`));
    return 0;
  } finally {
    connection.close();
  }
};

type Format = (typeof FORMATS)[number];

/** Spans that have not ended yet are not in it. */
async function exportTrace(connection: Connection, run: Run, shell: Shell): Promise<number> {
  const { text, spans } = await otlpTrace(connection, run, shell);
  if (!shell.readerGone()) shell.out(`${text}\n`);
  shell.say(sanitizeLine(`Run ${shortId(run.id)} (${run.name}): ${pluralize(spans, "span")} that ended.`));
  return 0;
}

function formatOf(text: string = FORMATS[0]): Format {
  const format = FORMATS.find((each) => each === text);
  if (format) return format;
  if (REMOVED_FORMATS.includes(text)) {
    const remedy = `Use ${FORMAT.name} atif, which holds the same messages, calls and results.`;
    throw usage({ name: "export" }, `The format ${text} was removed. ${remedy}`);
  }
  throw usage({ name: "export" }, `${FORMAT.name} takes ${FORMATS.join(", ")}; "${text}" is none of them.`);
}

const describeRun = (run: Run): TrajectoryRun => ({
  id: run.id,
  name: run.name,
  version: projectVersion(),
  model: run.profile.model,
  status: run.status,
  inputTokens: run.inputTokens,
  cachedTokens: run.cachedTokens,
  outputTokens: run.outputTokens,
  usd: usdOf(run.microUsd),
});

const noEvidence = (run: Run): UserError =>
  new UserError(`Run ${shortId(run.id)} asked for no evidence, so that nothing of it is proven.`, {
    exitCode: 2,
    remedy: `Leave out ${PROVEN.name}, or run the task with --evidence own.`,
  });

function nothing(run: Run, { isFiltered, remoteFlag }: { isFiltered: boolean; remoteFlag: readonly string[] }) {
  const what = isFiltered ? "no accepted step whose requirements are all proven" : "no accepted step to export";
  return new UserError(`Run ${shortId(run.id)} has ${what}.`, {
    exitCode: 1,
    remedy: { command: isFiltered ? "evidence" : "status", args: [shortId(run.id), ...remoteFlag] },
  });
}
