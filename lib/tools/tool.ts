/** How a tool is made: its schema is what the model reads, what its arguments are held to, and what `run` can rely on. */
import type { z } from "zod";
import type { ToolSpec } from "../core/ports.ts";
import { headAndTail, oneLine } from "../core/text/cut.ts";
import { noteText, type ToolNote } from "../core/turn/tool-note.ts";
import type { ToolCategory } from "../core/turn/tools.ts";
import type { ToolResult } from "../core/turn/turn.ts";
import type { Tool, Workbench } from "../core/turn/workbench.ts";
import { problemsOf } from "./argument-problems.ts";
import { readJson } from "./json-text.ts";
import { fitted, isGiven, type RawArguments } from "./lenient.ts";
import { type Shape, shapeOf, shapeText } from "./shape.ts";

/** What a tool answers; where nothing is said of `about`, the text never goes stale. */
export type Outcome = Pick<ToolResult, "ok" | "text"> & { note: ToolNote; about?: ToolResult["about"] };

export interface Definition<Schema extends z.ZodObject> {
  name: string;
  category: ToolCategory;
  description: string;
  schema: Schema;
  /** Other forms of the arguments whose meaning is certain. */
  accept?: (given: RawArguments) => RawArguments;
  run: (given: z.output<Schema>, bench: Workbench) => Promise<Outcome>;
}

export function defineTool<Schema extends z.ZodObject>(definition: Definition<Schema>): Tool {
  const { name, category, description, schema, run, accept = (given) => given } = definition;
  const shape = shapeOf(schema);

  function read(rawArguments: string): { given: z.output<Schema>; mended?: string } | { problem: string } {
    const json = readJson(rawArguments);
    if ("problem" in json) return { problem: `The arguments ${json.problem}.` };
    const given = fitted(shape, accept(fittedGiven(shape, json.value)));
    const checked = schema.safeParse(given);
    if (!checked.success) return { problem: problemsOf(checked.error, given) };
    return { given: checked.data, ...mendedFrom(rawArguments, given) };
  }

  return {
    category,
    spec: { name, description, parameters: shape as ToolSpec["parameters"] },
    async call(callId, rawArguments, bench) {
      const asked = read(rawArguments);
      const outcome = "given" in asked ? await run(asked.given, bench) : badCall(name, asked.problem, shape);
      return {
        about: { kind: "other" },
        ...outcome,
        text: headAndTail(outcome.text, Math.max(bench.answerChars, LEAST_CHARS)),
        note: noteText(outcome.note),
        ...("mended" in asked ? { mended: asked.mended } : {}),
        facts: outcome.note,
        callId,
        tool: name,
      };
    },
  };
}

/** What went wrong is readable however many calls share a small window. */
const LEAST_CHARS = 600;

/** A problem that the model can put right. */
export const refusal = (text: string, note = "refused"): Outcome => ({
  ok: false,
  text,
  note: { subject: oneLine(note, 80) },
});

const badCall = (name: string, problem: string, shape: Shape): Outcome =>
  refusal(`${name} was not run. ${problem}\nAccepted: ${shapeText(shape)}`, "bad arguments");

/** The arguments as they were taken, where that is not what was written. */
function mendedFrom(raw: string, given: unknown): { mended?: string } {
  const mended = JSON.stringify(given);
  return mended === compact(raw) ? {} : { mended };
}

function compact(raw: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(raw));
  } catch {
    return undefined;
  }
}

/** Arguments that are no object are taken for the first parameter. */
function fittedGiven(shape: Shape, value: unknown): RawArguments {
  if (value === null) return {};
  const [first = ""] = Object.keys(shape.properties ?? {});
  const given = fitted(shape, isGiven(value) ? value : { [first]: value });
  return isGiven(given) ? given : {};
}
