/** The parameters of a called program: the names that it uses and does not give a value to itself. Pure. */
import { errorAt, type Finding, type Path } from "../finding.ts";
import { listsIn } from "../nodes.ts";
import type { ProgramNode } from "../schema.ts";
import { namesIn } from "../substitute.ts";

export function parametersOf(nodes: ProgramNode[]): Set<string> {
  const free = new Set<string>();
  collect(nodes, new Set(), free);
  return free;
}

function collect(nodes: ProgramNode[], given: ReadonlySet<string>, free: Set<string>): void {
  for (const node of nodes) {
    for (const name of namesIn(node)) if (!given.has(name)) free.add(name);
    // A called program sees only what `with` gives it.
    if (node.kind === "call") continue;
    const inside = node.kind === "for_each" ? new Set([...given, node.as]) : given;
    for (const [, inner] of listsIn(node)) collect(inner, inside, free);
  }
}

/** Each parameter has a value, and each value is a parameter. */
export function parameterFindings(node: Extract<ProgramNode, { kind: "call" }>, path: Path): Finding[] {
  if (!node.body) return [];
  const wanted = parametersOf(node.body);
  const given = Object.keys(node.with ?? {});
  const missing = [...wanted].filter((name) => !given.includes(name));
  const unused = given.filter((name) => !wanted.has(name));
  const at = node.with ? [...path, "with"] : path;
  return [
    ...missing.map((name) =>
      errorAt(at, `\`${node.program}\` uses {{${name}}}, and \`with\` has no value for it.`, `Add "${name}" to it.`),
    ),
    ...unused.map((name) => errorAt([...at, name], `\`${node.program}\` never uses {{${name}}}.`, used([...wanted]))),
  ];
}

const NAMED = 10;
const used = (names: string[]): string =>
  names.length > 0 ? `It uses ${names.slice(0, NAMED).join(", ")}.` : "It has no parameters.";
