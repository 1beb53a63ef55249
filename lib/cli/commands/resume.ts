/** `l2mac resume`: goes on with a run that stopped, with what the flags of this command change of it. */
import { ResumeBody } from "../../api/resume-body.ts";
import { UserError } from "../../core/errors.ts";
import { HINT_CHARS } from "../../core/limits.ts";
import { Hint } from "../../core/run/hint.ts";
import { bodyFieldOf, RunOptions, toBody } from "../../core/run/option-forms.ts";
import { optionList } from "../../core/run/option-list.ts";
import type { Run } from "../../core/run/run.ts";
import type { Arguments, Command } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { continueRun } from "../runs/continue-run.ts";
import { isUndelivered } from "../runs/pending-delivery.ts";
import { HINT } from "../settings/command-flags.ts";
import { settingsInFlags } from "../settings/settings.ts";

export const resume: Command = async (given, shell) => {
  const changes = changesIn(given, shell);
  return continueRun({
    given,
    shell,
    begin: (computer, run) => {
      sayUnheard(given, shell);
      return computer.resume(run, changes);
    },
    isOver: async (computer, run) => standsAtItsEnd(run, changes) && (await isUndelivered(computer, run)),
  });
};

/** What failed or was cancelled goes on, as does what is given something: that is delivered at its next end. */
const standsAtItsEnd = ({ status }: Run, changes: ResumeBody): boolean =>
  status === "completed" || (status === "partial" && Object.keys(changes).length === 0);

/** Only what is said for this command: a run keeps its own, whatever holds for the next one. */
function changesIn({ flags }: Arguments, { cwd }: Shell): ResumeBody {
  const text = flags.get(HINT.name);
  return { ...toBody(settingsInFlags({ flags, cwd })), ...(text === undefined ? {} : { hint: readHint(text) }) };
}

/** A variable of a limit is set for new runs, and perhaps for this command: what it does not change is not left without a word. */
function sayUnheard({ flags }: Arguments, { env, say }: Shell): void {
  for (const { name, flag, variables } of optionList) {
    const variable = variables.find((each) => env[each]);
    const [field = ""] = (bodyFieldOf(name) ?? "").split(".");
    if (variable && flag && field in ResumeBody.shape && field in RunOptions.shape && !flags.has(flag))
      say(`${variable} holds for new runs, and this one keeps what it has: ${flag} changes it.`);
  }
}

function readHint(text: string): string {
  const hint = Hint.safeParse(text);
  if (hint.success) return hint.data;
  const length = text.trim().length;
  throw new UserError(
    `--hint takes a sentence of at most ${HINT_CHARS} characters; this one has ${length === 0 ? "none" : length}.`,
    { exitCode: 2, remedy: { command: "help", args: ["resume"] } },
  );
}
