/** What this version executes of a program: a list of `do`. Anything else is refused before a run begins. Pure. */
import type { Draft } from "../program.ts";
import { errorAt, type Finding } from "./finding.ts";
import { EXECUTED, type Program, type ProgramNode, RESERVED_FIELDS } from "./schema.ts";

export function draftFrom({ instructions, requirements }: Program): { draft: Draft } | { findings: Finding[] } {
  const findings = instructions.flatMap((node, index) => notExecuted(node, ["instructions", index]));
  if (findings.length > 0) return { findings };
  const drafts = instructions.flatMap((node) => (node.kind === "do" ? [node] : []));
  return {
    draft: {
      instructions: drafts.map(({ title, text, requirements: served, words }) => ({
        ...{ title, text, requirements: served },
        ...(words ? { words } : {}),
      })),
      requirements,
    },
  };
}

/** Why the machine cannot execute an instruction yet. Instructions inside are not looked at. */
export function notExecuted(node: ProgramNode, path: Finding["path"]): Finding[] {
  if (!EXECUTED.includes(node.kind)) {
    return [
      errorAt(
        path,
        `\`${node.kind}\` is part of the language; this version does not execute it yet.`,
        "It executes lists of `do`.",
      ),
    ];
  }
  return RESERVED_FIELDS.filter((field) => field in node && node[field as keyof ProgramNode] !== undefined).map(
    (field) =>
      errorAt([...path, field], `\`${field}\` is reserved: this version does not execute it yet.`, "Leave it out."),
  );
}
