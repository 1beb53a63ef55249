/** The note of a tool call as data: what it did and what came of it, for watchers and for the history of a run. Pure. */
import { maskEveryText } from "../text/secrets.ts";
import type { ToolResult } from "./turn.ts";

export interface ToolNote {
  /** What the call was about: `src/app.js`, `3 files`, `npm test`. Absent: the tool's name says it. */
  subject?: string;
  /** The files that it read, wrote or deleted. */
  files?: number;
  /** What checks found: `syntax ok`, `exit 3`. */
  finding?: string;
  /** Why the gate refused a completion. */
  refusal?: string;
}

/** A result with its note as data. Stored results keep only the text of the note. */
export type ToolAnswer = ToolResult & { facts: ToolNote };

export const noteText = ({ subject, finding, refusal }: ToolNote): string =>
  [subject, finding, refusal === undefined ? undefined : `not accepted: ${refusal}`]
    .filter((part) => part !== undefined && part !== "")
    .join(" · ");

/** As it is stored, shown and sent to the model. */
export const withoutSecrets = (answer: ToolAnswer): ToolAnswer => ({
  ...answer,
  ...maskEveryText({ text: answer.text, note: answer.note, facts: answer.facts }),
});

export const storedResult = ({ facts: _facts, ...result }: ToolAnswer): ToolResult => result;
