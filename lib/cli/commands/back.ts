/** `l2mac back RUN --to N`: a new run that begins as another stood before an instruction; that one is not touched. */
import type { Command } from "../command.ts";
import { beginFromRun } from "../forks/begin-from-run.ts";
import { TO } from "../settings/command-flags.ts";
import { usage } from "../settings/parse.ts";
import { wholeNumber } from "../settings/read-value.ts";

export const back: Command = async (given, shell) => {
  const to = readTo(given.flags.get(TO.name));
  return beginFromRun({
    given,
    shell,
    to,
    begin: ({ computer, from, name, destination }) => computer.back(from, { to, name }, destination),
  });
};

function readTo(text: string | undefined): number {
  if (text === undefined) throw usage({ name: "back" }, "back needs --to N: the instruction to begin with.");
  const read = wholeNumber(1)(text);
  if ("value" in read) return read.value;
  throw usage({ name: "back" }, `--to takes ${read.expected}; "${text}" is none.`);
}
