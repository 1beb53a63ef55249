/** `l2mac resume`: goes on with a run that stopped, with what the flags of this command change of it. */
import { ResumeBody } from "../../api/resume-body.ts";
import { UserError } from "../../core/errors.ts";
import { HINT_CHARS } from "../../core/limits.ts";
import { Hint } from "../../core/run/hint.ts";
import { bodyFieldOf, RunOptions, toBody } from "../../core/run/option-forms.ts";
import { optionList } from "../../core/run/option-list.ts";
import type { Run } from "../../core/run/run.ts";
import type { Environment } from "../../host/user-folder.ts";
import type { Arguments, Command } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { continueRun } from "../runs/continue-run.ts";
import { isUndelivered } from "../runs/pending-delivery.ts";
import { HINT } from "../settings/command-flags.ts";
import { settingsSaid } from "../settings/settings.ts";

export const resume: Command = async (given, shell) => {
  const asked = changesIn(given, { ...shell, env: {} });
  return continueRun({
    given,
    shell,
    begin: (computer, run) => {
      const heard = limitsIn(given, shell);
      for (const variable of Object.keys(heard)) shell.say(`${variable} is set, and counts for this run.`);
      return computer.resume(run, changesIn(given, { ...shell, env: heard }));
    },
    // A variable that is set for every command asks for nothing more of this run.
    isOver: async (computer, run) => standsAtItsEnd(run, asked) && (await isUndelivered(computer, run)),
  });
};

/** What failed or was cancelled goes on, as does what is given something: that is delivered at its next end. */
const standsAtItsEnd = ({ status }: Run, changes: ResumeBody): boolean =>
  status === "completed" || (status === "partial" && Object.keys(changes).length === 0);

/** A run keeps its own, whatever configuration files say of the next one. */
function changesIn({ flags }: Arguments, { cwd, env }: Pick<Shell, "cwd" | "env">): ResumeBody {
  const text = flags.get(HINT.name);
  return { ...toBody(settingsSaid({ cwd, flags, env })), ...(text === undefined ? {} : { hint: readHint(text) }) };
}

/** Variables of limits. One that names a model is set for every command, and a run keeps its models. */
function limitsIn({ flags }: Arguments, { env }: Shell): Environment {
  const limits = optionList.flatMap(({ name, flag = "", variables }) => {
    const [field = ""] = (bodyFieldOf(name) ?? "").split(".");
    const isLimit = field in ResumeBody.shape && field in RunOptions.shape;
    return isLimit && !flags.has(flag) ? variables.filter((variable) => env[variable]) : [];
  });
  return Object.fromEntries(limits.map((variable) => [variable, env[variable]]));
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
