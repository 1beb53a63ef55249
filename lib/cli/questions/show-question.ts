/** The question that a run waits for, whole, as people read it. */
import { UserError } from "../../core/errors.ts";
import type { Instruction } from "../../core/program/program.ts";
import { waitsForAnswer } from "../../core/program/question.ts";
import { type Run, statusText } from "../../core/run/run.ts";
import { sanitize, sanitizeLine } from "../../core/text/sanitize.ts";
import { maskSecrets } from "../../core/text/secrets.ts";
import type { Shell } from "../display/shell.ts";
import type { Connection } from "../runs/connection.ts";

/** The run's record has a part of it only. */
export async function openQuestion(connection: Pick<Connection, "program">, run: Run): Promise<Instruction> {
  const { question } = run;
  const { instructions } = await connection.program(run.id);
  const asking = question && waitsForAnswer(run) ? instructions[question.step - 1] : undefined;
  if (asking) return asking;
  throw new UserError(`Run ${run.id} waits for no answer: it is ${statusText(run)}.`, {
    exitCode: 2,
    remedy: { command: "status", args: [run.id] },
  });
}

export function questionLines({ text, choices = [], saveTo }: Instruction): string[] {
  const listed = choices.map((choice, index) => `  ${index + 1}) ${sanitizeLine(maskSecrets(choice))}`);
  return [
    sanitize(maskSecrets(text)),
    ...(listed.length > 0 ? ["", ...listed] : []),
    ...["", `The answer becomes ${sanitizeLine(saveTo ?? "")}.`],
  ];
}

/** As the result of a command. */
export async function showQuestion(shell: Shell, connection: Pick<Connection, "program">, run: Run): Promise<void> {
  shell.out(`${questionLines(await openQuestion(connection, run)).join("\n")}\n`);
}
