/** Instructions that are never executed, by what the program itself makes certain. Pure. */
import type { Condition } from "../condition.ts";
import { errorAt, type Finding, type Path, warningAt } from "../finding.ts";
import type { Program, ProgramNode } from "../schema.ts";

/** Conditions whose outcome is certain here, until something may change it. */
type Known = ReadonlyMap<string, boolean>;

const NOTHING: Known = new Map();
const keyOf = (condition: Condition): string => JSON.stringify(condition);
const and = (known: Known, condition: Condition, holds: boolean): Known =>
  new Map([...known, [keyOf(condition), holds]]);

export function lintReachable({ instructions }: Program): Finding[] {
  const findings: Finding[] = [];
  walkList(instructions, { path: ["instructions"], known: NOTHING, findings });
  return findings;
}

interface Walk {
  path: Path;
  known: Known;
  findings: Finding[];
}

function walkList(nodes: ProgramNode[], { path, known, findings }: Walk): Known {
  let now = known;
  for (const [index, node] of nodes.entries()) {
    now = walkNode(node, { path: [...path, index], known: now, findings });
  }
  return now;
}

const never = (path: Path, why: string): Finding =>
  warningAt(path, `this is never executed: ${why}.`, "Remove it, or change the condition.");

function walkNode(node: ProgramNode, walk: Walk): Known {
  const { path, known, findings } = walk;
  const body = (nodes: ProgramNode[], field: string, inside: Known): Known =>
    walkList(nodes, { path: [...path, field], known: inside, findings });
  switch (node.kind) {
    case "group":
      return body(node.body, "body", known);
    case "if":
      return walkIf(node, walk, body);
    case "assert":
      if (known.get(keyOf(node.check)) === false && node.otherwise === "stop") {
        findings.push(
          errorAt([...path, "check"], "this check always fails here: the run would always stop.", "Change the check."),
        );
      }
      // A repair may change everything else.
      return and(
        node.otherwise === "repair" && known.get(keyOf(node.check)) !== true ? NOTHING : known,
        node.check,
        true,
      );
    case "for_each":
      if (Array.isArray(node.items) && node.items.length === 0)
        findings.push(never([...path, "items"], "the list is empty"));
      body(node.body, "body", NOTHING);
      return NOTHING;
    case "repeat":
      body(node.body, "body", NOTHING);
      return node.otherwise === "continue" ? NOTHING : and(NOTHING, node.until, true);
    case "race":
      for (const [index, nodes] of node.bodies.entries()) {
        walkList(nodes, { path: [...path, "bodies", index], known, findings });
      }
      return NOTHING;
    case "on":
      body(node.body, "body", NOTHING);
      return NOTHING;
    default:
      return NOTHING;
  }
}

type WalkBody = (nodes: ProgramNode[], field: string, inside: Known) => Known;

function walkIf(node: Extract<ProgramNode, { kind: "if" }>, { path, known, findings }: Walk, body: WalkBody): Known {
  const certain = known.get(keyOf(node.condition));
  if (certain === false) findings.push(never([...path, "then"], "the condition never holds here"));
  if (certain === true && node.else) findings.push(never([...path, "else"], "the condition always holds here"));
  const holding = body(node.then, "then", and(known, node.condition, true));
  const failing = and(known, node.condition, false);
  const other = node.else ? body(node.else, "else", failing) : failing;
  return new Map([...holding].filter(([key, holds]) => other.get(key) === holds));
}
