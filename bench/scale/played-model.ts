/** What runs are computed with: a model that thinks in virtual time and writes files by a script, and an evaluator that takes its time. */
import type { Clock, Evaluator, Model } from "../../lib/core/ports.ts";
import { aVerdict } from "../../test/doubles/machines.ts";
import { placeOf, programOf, type Said, scriptedModel } from "../../test/doubles/scripted-model.ts";

interface Playing {
  clock: Clock;
  random: () => number;
}

/** About twenty minutes of a run. */
const INSTRUCTIONS = 12;
const THINKING_MS = { least: 10_000, most: 30_000 };
const EVALUATING_MS = { least: 1_000, most: 6_000 };
const LINES = 12;
const CHARACTERS_PER_TOKEN = 4;

export function createPlayedModel({ clock, random }: Playing): Model {
  // The model keeps what it was asked; nothing here reads it.
  const script: Model = { ask: (request, signal) => scriptedModel(turns).ask(request, signal) };
  return {
    async ask(request, signal) {
      const milliseconds = Math.round(between(THINKING_MS, random()));
      await clock.sleep(milliseconds, signal);
      const answer = await script.ask(request, signal);
      const characters = request.messages.reduce((sum, { content }) => sum + content.length, 0);
      const inputTokens = Math.ceil(characters / CHARACTERS_PER_TOKEN);
      return { ...answer, milliseconds, usage: { inputTokens, cachedTokens: 0, outputTokens: 600 } };
    },
  };
}

export const createPlayedEvaluator = ({ clock, random }: Playing): Evaluator => ({
  async evaluate(_request, signal) {
    await clock.sleep(between(EVALUATING_MS, random()), signal);
    return aVerdict({});
  },
});

const between = ({ least, most }: typeof THINKING_MS, share: number): number => least + share * (most - least);

/** Five turns an instruction: two files, a change, a check, the end. */
const turns = (request: Parameters<typeof placeOf>[0]): Said => {
  const { planning, instruction, answers } = placeOf(request);
  if (planning) return { calls: [["write_program", { instructions: programOf(INSTRUCTIONS) }]] };
  const path = `src/part-${instruction}.js`;
  const name = `part${instruction}`;
  const steps: NonNullable<Said["calls"]>[] = [
    [["write_files", { files: [{ path, content: source(name) }] }]],
    [["write_files", { files: [{ path: `docs/part-${instruction}.md`, content: `# ${name}\n\nWhat it does.\n` }] }]],
    [["edit_file", { path, edits: [{ find: `${name}0 = 0`, replace: `${name}0 = 100` }] }]],
    [["run_checks", {}]],
  ];
  return { calls: steps[answers] ?? [["complete_instruction", { summary: `Wrote ${path} and its page.` }]] };
};

const source = (name: string): string =>
  Array.from({ length: LINES }, (_, line) => `export const ${name}${line} = ${line};\n`).join("");
