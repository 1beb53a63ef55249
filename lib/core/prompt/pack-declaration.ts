/** What a prompt pack says of itself, and what may be wrong with it. Pure. */
import * as z from "zod";
import { Domain } from "../run/options.ts";
import { checkPath } from "../text/file-path.ts";
import { isToolName, TOOL_NAMES } from "../turn/tools.ts";

const PackNotes = z.string().refine((path) => "path" in checkPath(path), "must be a relative path inside the project");

export const PackDeclaration = z.strictObject({
  name: z.string().min(1).max(80),
  domain: Domain,
  description: z.string().min(1).max(500),
  /** What the model is offered while it executes, beside the end of an instruction; absent: all tools. */
  tools: z.array(z.string()).optional(),
  checks: z.strictObject({
    syntax: z.boolean(),
    tests: z.boolean(),
    /** A book's text: lengths that instructions ask for, repetitions, what was left over from writing, references. */
    prose: z.boolean().optional(),
    /** Run in the evaluator at the gate: exit 0 passes. */
    command: z.array(z.string().min(1)).min(1).max(64).optional(),
  }),
  /** The file in which the project keeps its decisions: its beginning is shown to each instruction. */
  notes: PackNotes.optional(),
  /** Readable forms made of the Markdown chapters when the run is delivered. */
  deliver: z.array(z.enum(["html", "epub", "pdf"])).optional(),
});
export type PackDeclaration = z.infer<typeof PackDeclaration>;

export function lintDeclaration(text: string): { declaration: PackDeclaration } | { problems: string[] } {
  const value = parsed(text);
  if ("problem" in value) return { problems: [value.problem] };
  const declaration = PackDeclaration.safeParse(value.json);
  if (!declaration.success) return { problems: declaration.error.issues.map((issue) => sentence(text, issue)) };
  const problems = toolProblems(text, declaration.data.tools);
  return problems.length > 0 ? { problems } : { declaration: declaration.data };
}

function parsed(text: string): { json: unknown } | { problem: string } {
  try {
    return { json: JSON.parse(text) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const at = Number(/position (\d+)/.exec(message)?.[1] ?? 0);
    return { problem: `pack.json line ${lineAt(text, at)}: this is not JSON: ${message}.` };
  }
}

function sentence(text: string, issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") {
    const line = lineOf(text, issue.keys[0] ?? "");
    const where = issue.path.length > 0 ? issue.path.join(".") : "a pack";
    const known = Object.keys(issue.path[0] === "checks" ? PackDeclaration.shape.checks.shape : PackDeclaration.shape);
    return `pack.json line ${line}: ${issue.keys.join(", ")} is no field of ${where}, which has ${known.join(", ")}.`;
  }
  const field = issue.path.findLast((key) => typeof key === "string");
  const where = issue.path.length > 0 ? `${issue.path.join(".")}: ` : "";
  return `pack.json line ${lineOf(text, String(field ?? ""))}: ${where}${issue.message}.`;
}

function toolProblems(text: string, tools: string[] = []): string[] {
  const unknown = tools.filter((name) => !isToolName(name));
  return unknown.map(
    (name) => `pack.json line ${lineOf(text, name)}: ${name} is no tool; the tools are ${TOOL_NAMES.join(", ")}.`,
  );
}

const lineOf = (text: string, name: string): number => lineAt(text, Math.max(0, text.indexOf(JSON.stringify(name))));

const lineAt = (text: string, position: number): number => text.slice(0, position).split("\n").length;
