/** `l2mac run --dry-run`: reads and checks what a run would begin with. Nothing is sent, stored or paid. */

import { type GitAddress, gitAddressOf } from "../../core/git/origin.ts";
import { GitError } from "../../core/git/servers.ts";
import { lintProgram } from "../../core/program/language/lint/lint.ts";
import type { Draft } from "../../core/program/program.ts";
import { programIn } from "../../core/program/program-text.ts";
import { pluralize } from "../../core/text/format.ts";
import { sharedAsJson, sharedInWords } from "../display/shared-files.ts";
import { asUserError } from "../git/as-user-error.ts";
import { JSON_OUTPUT } from "../settings/flags.ts";
import { modelServerIn } from "../settings/model-server.ts";
import type { CommandLine } from "./command-line.ts";
import { connect } from "./connection.ts";
import type { StartingFiles } from "./starting-point.ts";
import { readTaskAndFiles } from "./submit-task.ts";

/** Standard output lists the files that a model may see. Answers the exit code. */
export async function dryRun(line: CommandLine): Promise<number> {
  const { shell, given } = line;
  const read = await readTaskAndFiles(line, () => connect(given, shell));
  const { task, notices } = read;
  const starting = read.git ? await fetchedHere(read.git, line) : read.starting;
  for (const notice of notices) shell.say(notice);
  const taken = [...(starting?.files.keys() ?? [])].sort();
  if (given.flags.has(JSON_OUTPUT.name)) {
    const report = starting && { ...sharedAsJson(starting.from, starting), taken };
    shell.out(`${JSON.stringify({ type: "dry_run", starting: report ?? null })}\n`);
  } else {
    if (starting) for (const text of sharedInWords(starting.label, starting, Number.POSITIVE_INFINITY)) shell.say(text);
    for (const path of taken) shell.out(`${path}\n`);
  }
  for (const text of read.program ? await programLines(read.program, line) : []) shell.say(text);
  shell.say(`Dry run: a task of ${pluralize(task.length, "character")}; nothing was sent, stored or paid.`);
  return 0;
}

/** How large the given program can become, and what it costs then. */
async function programLines(program: Draft, { shell, settings }: CommandLine): Promise<string[]> {
  const [{ costIn, costLines }, { knownProfiles }] = await Promise.all([
    import("../programs/worst-case-lines.ts"),
    import("../../model/known-profile.ts"),
  ]);
  const lint = lintProgram(programIn(program));
  return costLines(lint, costIn(lint, knownProfiles(modelServerIn(settings, shell.env)), settings));
}

/** A run fetches it where it is computed; to list it, this computer does. */
async function fetchedHere(git: GitAddress, { shell, settings }: CommandLine): Promise<StartingFiles> {
  const { createOwnGitServers } = await import("../../../packages/git/index.ts");
  const origin = { ...git, ...(settings.allowSecrets ? { allowSecrets: true as const } : {}) };
  try {
    const { commit, files, leftOut } = await createOwnGitServers(shell.env).fetch(origin, new AbortController().signal);
    const from = gitAddressOf(git);
    return { from, label: `${from} at ${commit.slice(0, 12)}`, files, leftOut };
  } catch (error) {
    if (error instanceof GitError) throw asUserError(error, "Nothing was sent, stored or paid.");
    throw error;
  }
}
