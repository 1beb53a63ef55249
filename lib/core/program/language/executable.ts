/** The form in which a run takes a program. Pure. */
import { defined } from "../../defined.ts";
import type { Draft, DraftInstruction, TreeNode } from "../program.ts";
import { isFoundByName } from "./calls/label.ts";
import { errorAt, type Finding } from "./finding.ts";
import type { LintOptions } from "./lint/needs.ts";
import { visitNodes } from "./nodes.ts";
import { nodeData } from "./program-data.ts";
import type { Program, ProgramNode } from "./schema.ts";

export function draftFrom(
  program: Program,
  { namesElsewhere = false }: LintOptions = {},
): { draft: Draft } | { findings: Finding[] } {
  const visits = [...visitNodes(program)];
  const unlinked = (node: ProgramNode, path: Finding["path"]): Finding[] =>
    namesElsewhere && isNamedCall(node) ? [] : notLinked(node, path);
  const findings = visits.flatMap(({ node, path }) => unlinked(node, path));
  if (findings.length > 0) return { findings };
  const instructions = visits.flatMap(({ node }) => leafOf(node));
  const isEmpty = instructions.length === 0 && !visits.some(({ node }) => isNamedCall(node));
  if (isEmpty) return { findings: [errorAt(["instructions"], "no instruction does anything.")] };
  const isList = program.instructions.every(({ kind }) => kind === "do");
  const { requirements } = program;
  return { draft: { instructions, requirements, ...(isList ? {} : { tree: treeOf(program) }) } };
}

const isNamedCall = (node: ProgramNode): boolean => node.kind === "call" && !node.body && isFoundByName(node.program);

/** As data, without what is there by default. */
const treeOf = (program: Program): TreeNode[] =>
  program.instructions.map((node) => ({ kind: node.kind, ...nodeData(node) }));

function leafOf(node: ProgramNode): DraftInstruction[] {
  if (node.kind !== "do") return [];
  const { title, text, requirements, words, id, needs } = node;
  return [{ title, text, requirements, ...defined({ words, id, needs }) }];
}

function notLinked(node: ProgramNode, path: Finding["path"]): Finding[] {
  if (node.kind !== "call" || node.body) return [];
  const remedy = "Give its instructions as the body of the call; the command and the library read them from its file.";
  return [errorAt([...path, "program"], `the program \`${node.program}\` is not here: only its name is.`, remedy)];
}
