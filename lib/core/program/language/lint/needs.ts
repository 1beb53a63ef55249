/** Ids and `needs`: each id once, each need an instruction that has ended before. Pure. */

import { errorAt, type Finding, type Path, warningAt } from "../finding.ts";
import { type Visit, visitNodes } from "../nodes.ts";
import type { Program } from "../schema.ts";

interface Numbered extends Visit {
  order: number;
}

/** So many errors are enough to mend, and so many warnings to read: programs can have thousands of each. */
const NAMED_OF_EACH = 100;

export interface LintOptions {
  /** It goes on after instructions of a run, which `needs` may name. */
  follows?: boolean | undefined;
  /** Programs that it calls by name are found where it is submitted. */
  namesElsewhere?: boolean | undefined;
}

/** A called program has ids of its own. */
export function lintNeeds(program: Program, options: LintOptions = {}): Finding[] {
  const byCall = Map.groupBy(visitNodes(program), ({ parents }) =>
    parents.findLast(({ node }) => node.kind === "call"),
  );
  return [...byCall].flatMap(([call, scope]) => lintScope(scope, call ? {} : options));
}

function lintScope(scope: Visit[], options: LintOptions): Finding[] {
  const visits = scope.map((visit, order) => ({ ...visit, order }));
  const byId = new Map<string, Numbered>();
  const repeated: Finding[] = [];
  for (const visit of visits) {
    const { id } = visit.node;
    if (id === undefined) continue;
    if (byId.has(id))
      repeated.push(errorAt([...visit.path, "id"], `two instructions have the id \`${id}\`.`, "Rename one."));
    else byId.set(id, visit);
  }
  return firstOf(findingsIn({ visits, byId, ...options }, repeated));
}

interface Scope extends LintOptions {
  visits: Numbered[];
  byId: Map<string, Numbered>;
}

function* findingsIn(scope: Scope, repeated: Finding[]): Generator<Finding> {
  const { byId } = scope;
  yield* repeated;
  const cycles = cyclesIn(byId);
  yield* cycles.findings;
  yield* needFindings(scope, cycles.ids);
}

/** Looks no further once more errors are found than are named. A program whose warnings are not all named may have no error. */
function firstOf(findings: Iterable<Finding>): Finding[] {
  const errors: Finding[] = [];
  const warnings: Finding[] = [];
  for (const finding of findings) {
    const alike = finding.severity === "error" ? errors : warnings;
    if (alike.length <= NAMED_OF_EACH) alike.push(finding);
    if (errors.length > NAMED_OF_EACH) break;
  }
  return [...shortened(errors), ...shortened(warnings)];
}

function shortened(findings: Finding[]): Finding[] {
  const next = findings[NAMED_OF_EACH];
  if (!next) return findings;
  const message = `ids and \`needs\` have more ${next.severity}s; the first ${NAMED_OF_EACH} are named.`;
  return [...findings.slice(0, NAMED_OF_EACH), { ...next, message, remedy: "Correct these first." }];
}

function* needFindings({ visits, byId, follows }: Scope, inCycles: Set<string>): Generator<Finding> {
  for (const visit of visits) {
    for (const [index, need] of (visit.node.needs ?? []).entries()) {
      const target = byId.get(need);
      const path = [...visit.path, "needs", index];
      if (!target && follows) continue;
      if (!target) yield unknownNeed(path, need, byId);
      else if (!inCycles.has(need) || !inCycles.has(visit.node.id ?? "")) {
        const problem = problemWith(visit, target);
        if (problem) yield problem(path, need);
      }
    }
  }
}

const IDS_NAMED = 5;

function unknownNeed(path: Path, need: string, byId: Map<string, unknown>): Finding {
  const ids = [...byId.keys()].slice(0, IDS_NAMED).map((id) => `\`${id}\``);
  const known =
    ids.length > 0 ? `There are ${ids.join(", ")}${byId.size > IDS_NAMED ? ", …" : ""}.` : "No instruction has an id.";
  return errorAt(path, `\`needs\` names \`${need}\`, and no instruction has this id.`, known);
}

type Problem = (path: Path, need: string) => Finding;

function problemWith(visit: Numbered, target: Numbered): Problem | undefined {
  if (visit.parents.some(({ node }) => node === target.node)) {
    return (path, need) =>
      errorAt(path, `\`${need}\` is a block around this instruction: it has not ended before.`, "Leave it out.");
  }
  if (target.order > visit.order) {
    return (path, need) =>
      errorAt(path, `\`${need}\` comes later in the file.`, "Move it up: instructions join in the order of the file.");
  }
  if (areAlternatives(visit, target)) {
    return (path, need) =>
      errorAt(path, `\`${need}\` is in another branch: both are never executed.`, "Move it before the block.");
  }
  const inside = target.parents.find(({ node }) => !visit.parents.some((parent) => parent.node === node));
  if (!inside || inside.node.kind === "group") return undefined;
  const { kind, id } = inside.node;
  const instead = id === undefined ? "Give the block an id and name that." : `Name \`${id}\`.`;
  return (path, need) =>
    warningAt(path, `\`${need}\` is inside a \`${kind}\`: it may be executed never or several times.`, instead);
}

/** In two branches of the same `if`. */
function areAlternatives(one: Visit, other: Visit): boolean {
  const shared = one.parents.findLastIndex(({ node }, depth) => other.parents[depth]?.node === node);
  const block = one.parents[shared];
  if (block?.node.kind !== "if") return false;
  const length = block.path.length + 1;
  return one.path.slice(0, length).join() !== other.path.slice(0, length).join();
}

interface Cycles {
  ids: Set<string>;
  findings: Finding[];
}

/** Each cycle is named once, at its first instruction. Without recursion: programs are long. */
function cyclesIn(byId: Map<string, Numbered>): Cycles {
  const found: Cycles = { ids: new Set(), findings: [] };
  const done = new Set<string>();
  for (const start of byId.keys()) {
    const trail: { id: string; rest: string[] }[] = [];
    const onTrail = new Set<string>();
    const enter = (id: string): void => {
      trail.push({ id, rest: [...(byId.get(id)?.node.needs ?? [])] });
      onTrail.add(id);
    };
    if (!done.has(start)) enter(start);
    for (let top = trail.at(-1); top && found.findings.length <= NAMED_OF_EACH; top = trail.at(-1)) {
      const next = top.rest.pop();
      if (next === undefined) {
        trail.pop();
        onTrail.delete(top.id);
        done.add(top.id);
      } else if (onTrail.has(next))
        addCycle(found, byId, [...trail.slice(trail.findIndex(({ id }) => id === next)).map(({ id }) => id), next]);
      else if (!done.has(next) && byId.has(next)) enter(next);
    }
  }
  return found;
}

function addCycle({ ids, findings }: Cycles, byId: Map<string, Numbered>, cycle: string[]): void {
  for (const id of cycle) ids.add(id);
  const [first = ""] = cycle;
  const path = [...(byId.get(first)?.path ?? []), "needs"];
  const words = cycle.length > 10 ? [...cycle.slice(0, 9), "…", first] : cycle;
  findings.push(errorAt(path, `\`needs\` goes round in a circle: ${words.join(" → ")}.`, "Remove one of these needs."));
}
