/** Begins a run with what another one has, and computes it: under a name of its own, into a folder or a branch of its own. */
import type { Run } from "../../core/run/run.ts";
import { protectStart } from "../../files/git/run-branch.ts";
import type { Arguments } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { sayWrapped } from "../display/wrap.ts";
import { announced } from "../runs/announced.ts";
import { destinationOfWayBack } from "../runs/choose-destination.ts";
import { computeInForeground } from "../runs/compute.ts";
import { type Computer, openComputer } from "../runs/connection.ts";
import type { Destination } from "../runs/destination.ts";
import { findRun } from "../runs/find-run.ts";
import { JSON_OUTPUT, QUIET } from "../settings/flags.ts";
import { settingsSaid } from "../settings/settings.ts";

/** Of the latest runs, whose names a new one does not take. */
const NAMES_LOOKED_AT = 100;

export interface Beginning {
  given: Arguments;
  shell: Shell;
  /** Where that run has a branch, the new one begins at the commit before this instruction. */
  to: number;
  begin: (place: { computer: Computer; from: Run; name: string; destination: Destination }) => Promise<Run>;
}

export async function beginFromRun(beginning: Beginning): Promise<number> {
  const { given, shell } = beginning;
  const computer = await openComputer(given, shell, settingsSaid({ ...shell, flags: given.flags }));
  return beginFrom(await findRun(computer, given.words[0]), computer, beginning);
}

export async function beginFrom(
  from: Run,
  computer: Computer,
  { given: { flags }, shell, to, begin }: Beginning,
): Promise<number> {
  const settings = settingsSaid({ ...shell, flags });
  const latest = await computer.runs({ atMost: NAMES_LOOKED_AT });
  const names = {
    title: from.name,
    name: flags.get("--name"),
    out: flags.get("--out"),
    cwd: shell.cwd,
    workspace: undefined,
    taken: new Set(latest.map((run) => run.name)),
  };
  const { name, notices, ...destination } = await destinationOfWayBack(computer, from, { to, names });
  const run = await begin({ computer, from, name, destination });
  const { branch } = destination;
  if (branch) await protectStart(branch.repository, run.id, branch.start);
  const [json, quiet] = [flags.has(JSON_OUTPUT.name), flags.has(QUIET.name)];
  if (!quiet) for (const line of [...notices, await announced(computer, run, { settings })]) sayWrapped(shell, line);
  return computeInForeground({ shell, computer, run, ...destination, json, quiet, after: 0 });
}
