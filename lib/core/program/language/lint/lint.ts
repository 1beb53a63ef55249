/** Finds what is wrong with a program before anything is paid, and how large it can become. Pure. */
import { PROGRAM_CHECKS, PROGRAM_INSTRUCTIONS } from "../../../limits.ts";
import { checkPath } from "../../../text/file-path.ts";
import { parameterFindings, parametersOf } from "../calls/parameters.ts";
import { errorAt, type Finding, type Path, warningAt } from "../finding.ts";
import { conditionIn, visitNodes } from "../nodes.ts";
import type { Program, ProgramNode } from "../schema.ts";
import { type LintOptions, lintNeeds } from "./needs.ts";
import { isPattern } from "./pattern.ts";
import { lintReachable } from "./reachable.ts";
import { type MostOf, worstCase } from "./worst-case.ts";

export interface Lint {
  /** Errors first; each list in the order of the file. */
  findings: Finding[];
  /** In all blocks together. */
  instructions: number;
  /** At most, as are the two after it. */
  steps: number;
  checks: number;
  questions: number;
}

export function lintProgram(program: Program, options: LintOptions = {}): Lint {
  const most = worstCase(program);
  const visits = [...visitNodes(program)];
  const findings = [
    ...lintNeeds(program, options),
    ...visits.flatMap(({ node, path }) => nodeFindings(program, node, path)),
    ...requirementFindings(
      program,
      visits.map(({ node }) => node),
    ),
    ...lintReachable(program),
    ...capFindings(most),
  ];
  const called = new Set(visits.filter(({ node }) => node.kind === "call").map(({ path }) => `${path},body`));
  // Warnings about a called program are those of its own file.
  const isShown = ({ severity, path }: Finding): boolean => severity === "error" || !beginsIn(called, path);
  const ofSeverity = (severity: Finding["severity"]) =>
    findings.filter((each) => each.severity === severity && isShown(each));
  return { findings: [...ofSeverity("error"), ...ofSeverity("warning")], instructions: visits.length, ...most };
}

const beginsIn = (called: ReadonlySet<string>, path: Path): boolean =>
  called.size > 0 && path.some((_, index) => called.has(String(path.slice(0, index + 1))));

/** What makes a program impossible, whatever the version that executes it. */
export const errorsIn = (program: Program, options: LintOptions = {}): Finding[] =>
  lintProgram(program, options).findings.filter(({ severity }) => severity === "error");

function nodeFindings(program: Program, node: ProgramNode, path: Path): Finding[] {
  const tested = conditionIn(node);
  return [
    ...(tested ? conditionFindings(program, tested.condition, [...path, tested.field]) : []),
    ...(node.kind === "for_each" ? forEachFindings(node, path) : []),
    ...(node.kind === "ask" ? savedFindings(node, path) : []),
    ...(node.kind === "call" ? parameterFindings(node, path) : []),
  ];
}

function savedFindings({ saveTo }: Extract<ProgramNode, { kind: "ask" }>, path: Path): Finding[] {
  const checked = checkPath(saveTo);
  return "problem" in checked ? [errorAt([...path, "saveTo"], `the answer cannot be saved: ${checked.problem}.`)] : [];
}

function conditionFindings({ requirements }: Program, condition: object, path: Path): Finding[] {
  if ("matches" in condition && typeof condition.matches === "string" && !isPattern(condition.matches)) {
    return [errorAt([...path, "matches"], "this is no regular expression in the syntax of RE2.")];
  }
  if (!("requirement" in condition) || requirements.length === 0) return [];
  const { requirement } = condition;
  if (requirements.some(({ id }) => id === requirement)) return [];
  return [errorAt([...path, "requirement"], `the program has no requirement ${requirement}.`, namesOf(requirements))];
}

const NAMED = 10;
const namesOf = (requirements: Program["requirements"]): string =>
  `It has ${requirements
    .slice(0, NAMED)
    .map(({ id }) => id)
    .join(", ")}${requirements.length > NAMED ? ", …" : ""}.`;

function forEachFindings(node: Extract<ProgramNode, { kind: "for_each" }>, path: Path): Finding[] {
  const { items, as, atMost, body } = node;
  const tooMany =
    Array.isArray(items) && items.length > atMost
      ? [
          errorAt(
            [...path, "items"],
            `it has ${items.length} items, and atMost is ${atMost}: the run would stop.`,
            "Raise atMost.",
          ),
        ]
      : [];
  const isUsed = parametersOf(body).has(as);
  const unused = warningAt(
    [...path, "as"],
    `the body never uses {{${as}}}: each round would do the same.`,
    `Write {{${as}}} where the item goes.`,
  );
  return [...tooMany, ...(isUsed ? [] : [unused])];
}

function requirementFindings({ requirements }: Program, nodes: ProgramNode[]): Finding[] {
  const served = new Set(nodes.flatMap((node) => (node.kind === "do" ? node.requirements : [])));
  return requirements.flatMap(({ id }, index) =>
    served.has(id)
      ? []
      : [
          warningAt(
            ["requirements", index],
            `no instruction serves ${id}.`,
            `Name it at an instruction: (${id}) after its title, or requirements: [${id}].`,
          ),
        ],
  );
}

/** Those that a run would refuse: of a program without a list of its own, the task says what there is. */
export function unknownRequirements(program: Program): Finding[] {
  const { requirements } = program;
  const known = new Set(requirements.map(({ id }) => id));
  if (known.size === 0) return [];
  return [...visitNodes(program)].flatMap(({ node, path }) =>
    (node.kind === "do" ? node.requirements : []).flatMap((id) =>
      known.has(id)
        ? []
        : [errorAt([...path, "requirements"], `the program has no requirement ${id}.`, namesOf(requirements))],
    ),
  );
}

/** A question is a step of the run, too. */
function capFindings({ steps, checks, questions }: MostOf): Finding[] {
  const all = steps + questions;
  const words = questions > 0 ? `${all} steps, questions included` : `${all} steps`;
  return [
    ...(all > PROGRAM_INSTRUCTIONS
      ? [errorAt([], `The program can take ${words}; at most ${PROGRAM_INSTRUCTIONS} are executed.`, "Lower atMost.")]
      : []),
    ...(checks > PROGRAM_CHECKS
      ? [errorAt([], `The program can make ${checks} checks; at most ${PROGRAM_CHECKS} are made.`, "Lower atMost.")]
      : []),
  ];
}
