/** Programs whose instructions a scripted model obeys: what lanes can execute side by side. */
import type { ModelRequest } from "../../lib/core/ports.ts";
import type { Draft } from "../../lib/core/program/program.ts";
import { draftFromData } from "../../lib/core/program/program-text.ts";
import type { RunOptions } from "../../lib/core/run/option-forms.ts";
import { aSubmission } from "./machines.ts";
import { placeOf, type Said, writeFile } from "./scripted-model.ts";

export function programIn(instructions: unknown[]): Draft {
  const draft = draftFromData({ instructions });
  if ("problem" in draft) throw new Error(draft.problem);
  return draft;
}

export const textOf = ({ messages }: ModelRequest): string => messages.map(({ content }) => content).join("\n");

/** Writes what the text asks for: `write PATH CONTENT`, once a line. */
export const obey = (request: ModelRequest): Said => {
  const { answers } = placeOf(request);
  const writes = writesIn(request);
  if (answers === 0 && writes.length > 0) return { calls: writes };
  return { calls: [["complete_instruction", { summary: "done" }]] };
};

/** The same in one call of the model. */
export const obeyAtOnce = (request: ModelRequest): Said => ({
  calls: [...writesIn(request), ["complete_instruction", { summary: "done" }]],
});

function writesIn(request: ModelRequest): NonNullable<Said["calls"]> {
  const text = request.messages.find(({ content }) => content.includes("Instruction "))?.content ?? "";
  return [...text.matchAll(/^write (\S+) (.*)$/gm)].map(([, path = "", content = ""]) =>
    writeFile(path, `${content}\n`),
  );
}

/** None needs another. */
export const parts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `p${index}`,
    title: `Part ${index}`,
    text: `write src/p${index}.txt part ${index}`,
    ...(index === 0 ? {} : { needs: [] as string[] }),
  }));

export const submissionOf = (instructions: unknown[], parallel: number, options: Partial<RunOptions> = {}) =>
  aSubmission({ options: { reflect: 0, parallel, ...options }, submission: { program: programIn(instructions) } });
