/** `l2mac run --dry-run`: reads and checks what a run would begin with. Nothing is sent, stored or paid. */
import { pluralize } from "../../core/text/format.ts";
import { sharedAsJson, sharedInWords } from "../display/shared-files.ts";
import { JSON_OUTPUT } from "../settings/flags.ts";
import type { CommandLine } from "./command-line.ts";
import { connect } from "./connection.ts";
import { readTaskAndFiles } from "./submit-task.ts";

/** Standard output lists the files that a model may see. Answers the exit code. */
export async function dryRun(line: CommandLine): Promise<number> {
  const { shell, given } = line;
  const { task, starting, notices } = await readTaskAndFiles(line, () => connect(given, shell));
  for (const notice of notices) shell.say(notice);
  const taken = [...(starting?.files.keys() ?? [])].sort();
  if (given.flags.has(JSON_OUTPUT.name)) {
    const report = starting && { ...sharedAsJson(starting.from, starting), taken };
    shell.out(`${JSON.stringify({ type: "dry_run", starting: report ?? null })}\n`);
  } else {
    if (starting) for (const text of sharedInWords(starting.label, starting, Number.POSITIVE_INFINITY)) shell.say(text);
    for (const path of taken) shell.out(`${path}\n`);
  }
  shell.say(`Dry run: a task of ${pluralize(task.length, "character")}; nothing was sent, stored or paid.`);
  return 0;
}
