/** Which requirements are, word for word, in all that a model is sent while it works on them. */
import type { Requirement } from "../../../lib/core/program/program.ts";
import type { SentContext } from "./arm.ts";

export interface RetentionRun {
  task: string;
  /** The first is served by instruction 1, and so on. */
  requirements: Requirement[];
  /** For each instruction: the files that it writes. Long texts come in several turns. */
  parts: string[][];
}

/** The first requirement belongs to instruction 1, and so on. Answers the texts that were retained, by their ids. */
export async function retainedIn(
  contexts: AsyncIterable<SentContext>,
  requirements: Requirement[],
): Promise<Record<string, string>> {
  const requests = requirements.map(() => ({ all: 0, having: 0 }));
  for await (const { instruction, text } of contexts) {
    const counted = requests[instruction - 1];
    const wanted = requirements[instruction - 1];
    if (!counted || !wanted) continue;
    counted.all += 1;
    if (text.includes(wanted.text)) counted.having += 1;
  }
  const isRetained = (at: number): boolean => {
    const { all = 0, having = 0 } = requests[at] ?? {};
    return all > 0 && having === all;
  };
  return Object.fromEntries(requirements.filter((_, at) => isRetained(at)).map(({ id, text }) => [id, text]));
}
