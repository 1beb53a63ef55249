/** Instructions that are never executed, by what the program itself makes certain. Pure. */
import type { Condition } from "../condition.ts";
import { errorAt, type Finding, type Path, warningAt } from "../finding.ts";
import type { Program, ProgramNode } from "../schema.ts";

/**
 * Conditions whose outcome is certain here, until something may change it. A branch adds to facts of its own, in place:
 * nothing of what is known around it is copied. Undefined hides what is known there.
 */
interface Facts {
  own: Map<string, boolean | undefined>;
  around?: Facts;
}

const noFacts = (): Facts => ({ own: new Map() });
const inside = (around: Facts): Facts => ({ own: new Map(), around });
const keyOf = (condition: Condition): string => JSON.stringify(condition);

function outcomeOf(key: string, facts: Facts): boolean | undefined {
  for (let at: Facts | undefined = facts; at; at = at.around) if (at.own.has(key)) return at.own.get(key);
  return undefined;
}

function learn(facts: Facts, condition: Condition, holds: boolean): Facts {
  facts.own.set(keyOf(condition), holds);
  return facts;
}

/** What is certain after two branches inside `facts`: that in which both agree. */
function agreed(facts: Facts, one: Facts, other: Facts): Facts {
  const agreedOn = (key: string): boolean | undefined => {
    const outcome = outcomeOf(key, one);
    return outcome === outcomeOf(key, other) ? outcome : undefined;
  };
  // A branch that may have changed everything has only facts of its own.
  const cut = [one, other].find(({ around }) => around !== facts);
  const result = cut ? noFacts() : facts;
  for (const key of (cut ?? one).own.keys()) note(result, key, agreedOn(key));
  if (!cut) for (const key of other.own.keys()) note(result, key, agreedOn(key));
  return result;
}

function note(facts: Facts, key: string, outcome: boolean | undefined): void {
  if (outcomeOf(key, facts) !== outcome) facts.own.set(key, outcome);
}

export function lintReachable({ instructions }: Program): Finding[] {
  const findings: Finding[] = [];
  walkList(instructions, { path: ["instructions"], facts: noFacts(), findings });
  return findings;
}

interface Walk {
  path: Path;
  facts: Facts;
  findings: Finding[];
}

/** The facts after the list: the same object, or another one where everything may have changed. */
function walkList(nodes: ProgramNode[], { path, facts, findings }: Walk): Facts {
  let now = facts;
  for (const [index, node] of nodes.entries()) {
    now = walkNode(node, { path: [...path, index], facts: now, findings });
  }
  return now;
}

const never = (path: Path, why: string): Finding =>
  warningAt(path, `this is never executed: ${why}.`, "Remove it, or change the condition.");

function walkNode(node: ProgramNode, walk: Walk): Facts {
  const { path, facts, findings } = walk;
  const body = (nodes: ProgramNode[], field: string, of: Facts): Facts =>
    walkList(nodes, { path: [...path, field], facts: of, findings });
  switch (node.kind) {
    case "group":
      return body(node.body, "body", facts);
    case "if":
      return walkIf(node, walk, body);
    case "assert":
      return walkAssert(node, walk);
    case "for_each":
      if (Array.isArray(node.items) && node.items.length === 0)
        findings.push(never([...path, "items"], "the list is empty"));
      body(node.body, "body", noFacts());
      return noFacts();
    case "repeat":
      body(node.body, "body", noFacts());
      return node.otherwise === "continue" ? noFacts() : learn(noFacts(), node.until, true);
    case "call":
      body(node.body ?? [], "body", noFacts());
      return noFacts();
    default:
      return noFacts();
  }
}

function walkAssert(
  { check, otherwise }: Extract<ProgramNode, { kind: "assert" }>,
  { path, facts, findings }: Walk,
): Facts {
  const certain = outcomeOf(keyOf(check), facts);
  if (certain === false && otherwise === "stop") {
    findings.push(
      errorAt([...path, "check"], "this check always fails here: the run would always stop.", "Change the check."),
    );
  }
  // A repair may change everything else.
  return learn(otherwise === "repair" && certain !== true ? noFacts() : facts, check, true);
}

type WalkBody = (nodes: ProgramNode[], field: string, facts: Facts) => Facts;

function walkIf(node: Extract<ProgramNode, { kind: "if" }>, { path, facts, findings }: Walk, body: WalkBody): Facts {
  const certain = outcomeOf(keyOf(node.condition), facts);
  if (certain === false) findings.push(never([...path, "then"], "the condition never holds here"));
  if (certain === true && node.else) findings.push(never([...path, "else"], "the condition always holds here"));
  const holding = body(node.then, "then", learn(inside(facts), node.condition, true));
  const failing = learn(inside(facts), node.condition, false);
  return agreed(facts, holding, node.else ? body(node.else, "else", failing) : failing);
}
