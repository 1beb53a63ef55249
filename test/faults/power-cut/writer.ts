/** The run whose power is cut: what its model writes, and where it is. */
import { type ScriptedModel, scriptedModel, writerOf } from "../../doubles/scripted-model.ts";

export const HOME = "home";
/** With the key by which homes are marked. */
export const USER = "user";
export const MARKS = "marks";

const INSTRUCTIONS = 4;

export const scriptedWriter = (): ScriptedModel =>
  scriptedModel(
    writerOf(INSTRUCTIONS, (instruction) => [
      { path: `parts/part-${instruction}.txt`, content: `${instruction}\n`.repeat(500) },
      { path: "shared.txt", content: `last ${instruction}\n` },
    ]),
  );
