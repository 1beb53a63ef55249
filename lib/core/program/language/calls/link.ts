/** Puts the programs that a program calls into it, so that a run depends on no file that changes later. Pure: asks for each. */
import { INVOCATION_PAYLOAD_BYTES, PROGRAM_INSTRUCTIONS } from "../../../limits.ts";
import { boundsProblem } from "../data-bounds.ts";
import { errorAt, type Finding, type Path, type ProgramSource, placed } from "../finding.ts";
import { visitNodes } from "../nodes.ts";
import { dataOf } from "../program-data.ts";
import { depthFindings } from "../read-program.ts";
import { CALL_DEPTH, type Program, type ProgramNode } from "../schema.ts";
import { parameterFindings } from "./parameters.ts";

/** Of one program, with those that they call. */
export const CALLED_PROGRAMS = 100;

/** What is asked for: a program by what the call says, from the file that calls it. */
export interface CallReference {
  program: string;
  /** The key of the calling file. Absent: the program that is linked. */
  from?: string;
}

export interface CalledProgram {
  /** The same for the same file. */
  key: string;
  /** In messages. */
  name: string;
  program: Program;
  placeOf: ProgramSource["placeOf"];
}

export type CallAnswer =
  | { found: CalledProgram }
  /** It is found where the program is submitted. */
  | { elsewhere: true }
  | { problem: string; remedy?: string }
  /** It is there, and cannot be read as a program. */
  | { findings: Finding[] };

export interface LinkedProgram {
  program: Program;
  /** Those in a called file name it. */
  findings: Finding[];
  /** The files that were read. */
  called: { program: string; name: string }[];
}

export interface LinkOptions {
  /** What is wrong with a called program by itself. */
  lint: (program: Program) => Finding[];
  /** The file of the program itself, which nothing that it calls may call. */
  origin?: Pick<CalledProgram, "key" | "name">;
}

type Linking = Asking<LinkedProgram>;

export function* linkCalls(program: Program, options: LinkOptions): Linking {
  const state: LinkState = { ...options, linked: new Map(), failed: new Set(), called: [], findings: [] };
  const { instructions } = yield* linkBody(state, program);
  const { findings, called } = state;
  const linked = { ...program, instructions };
  for (const { path, parents } of visitNodes(linked)) findings.push(...depthFindings(path, parents));
  // With what is called, it is held to the bounds of one file.
  const beyond = findings.length === 0 ? boundsProblem(dataOf(linked)) : undefined;
  if (beyond) findings.push(beyond);
  return { program: linked, findings, called };
}

interface LinkState extends LinkOptions, Omit<LinkedProgram, "program"> {
  /** By the key of the file. */
  linked: Map<string, LinkedBody>;
  /** Whose findings are reported. */
  failed: Set<CallAnswer>;
}

type Asking<Result> = Generator<CallReference, Result, CallAnswer>;

function* linkBody(state: LinkState, program: Program, caller?: Caller): Asking<LinkedBody> {
  // References of YAML make one object of several calls.
  const text = JSON.stringify(program.instructions);
  const instructions: ProgramNode[] = JSON.parse(text);
  const visits = [...visitNodes({ ...program, instructions })];
  const size = { instructions: visits.length, bytes: text.length };
  const add = (...wrong: Finding[]): void => void state.findings.push(...inFile(caller, wrong));
  for (const { node, path } of visits) {
    if (node.kind !== "call") continue;
    const body = node.body ? undefined : yield* bodyOf(state, { caller, node, path });
    if (body) {
      size.instructions += body.size.instructions;
      size.bytes += body.size.bytes;
      const beyond = sizeFinding(size, path);
      if (beyond) {
        add(beyond);
        break;
      }
      node.body = body.instructions;
    }
    add(...parameterFindings(node, path));
  }
  return { instructions, size };
}

/** Undefined: the findings say why. */
function* bodyOf(state: LinkState, { caller, node, path }: CallSite): Asking<LinkedBody | undefined> {
  const at = [...path, "program"];
  const refuse = (problem: string, remedy?: string): undefined =>
    void state.findings.push(...inFile(caller, [errorAt(at, problem, remedy)]));
  if (node.program.includes("{{")) return refuse("the program of a call is fixed.", "Leave {{…}} out.");
  const answer = yield { program: node.program, ...(caller ? { from: caller.file.key } : {}) };
  if ("elsewhere" in answer) {
    if (!state.called.some(({ program }) => program === node.program))
      state.called.push({ program: node.program, name: "looked up where the program is submitted" });
    return undefined;
  }
  if ("problem" in answer) return refuse(answer.problem, answer.remedy);
  if ("findings" in answer) {
    if (!state.failed.has(answer)) state.findings.push(...answer.findings);
    return void state.failed.add(answer);
  }
  const { found: file } = answer;
  const callers = callersOf(caller);
  const trail = [...(state.origin ? [state.origin] : []), ...callers];
  const round = trail.findIndex(({ key }) => key === file.key);
  if (round >= 0) {
    const names = [...trail.slice(round), file].map(({ name }) => name);
    return refuse(`the calls go round in a circle: ${names.join(" → ")}.`, "Remove one of these calls.");
  }
  const known = state.linked.get(file.key);
  if (known) return known;
  if (callers.length === CALL_DEPTH) return refuse(`it is inside ${CALL_DEPTH} calls; one less fits.`);
  if (state.linked.size === CALLED_PROGRAMS)
    return refuse(`more than ${CALLED_PROGRAMS} programs are called.`, "Merge some of them.");
  const inside: Caller = { file, ...(caller ? { outer: caller } : {}) };
  state.findings.push(...inFile(inside, [...state.lint(file.program), ...sectionFindings(file.program)]));
  state.called.push({ program: node.program, name: file.name });
  const body = yield* linkBody(state, file.program, inside);
  state.linked.set(file.key, body);
  return body;
}

interface LinkedBody {
  instructions: ProgramNode[];
  size: { instructions: number; bytes: number };
}

/** The file that calls, and the file that calls it. */
interface Caller {
  file: CalledProgram;
  outer?: Caller;
}

interface CallSite {
  caller: Caller | undefined;
  node: Extract<ProgramNode, { kind: "call" }>;
  path: Path;
}

/** Outermost first. */
function callersOf(caller: Caller | undefined): CalledProgram[] {
  const files: CalledProgram[] = [];
  for (let at = caller; at; at = at.outer) files.unshift(at.file);
  return files;
}

/** Of the program that is linked the places are not known here. */
const inFile = (caller: Caller | undefined, findings: Finding[]): Finding[] =>
  caller ? placed(findings, caller.file.placeOf).map((finding) => ({ ...finding, file: caller.file.name })) : findings;

const sectionFindings = ({ requirements }: Program): Finding[] =>
  requirements.length > 0
    ? [
        errorAt(
          ["requirements", 0],
          "a program that is called has no requirements of its own.",
          "Move them to the program that calls it; the instructions can go on naming them.",
        ),
      ]
    : [];

function sizeFinding({ instructions, bytes }: LinkedBody["size"], path: Path): Finding | undefined {
  if (instructions > PROGRAM_INSTRUCTIONS)
    return errorAt(path, `with what is called, the program has more than ${PROGRAM_INSTRUCTIONS} instructions.`);
  if (bytes <= INVOCATION_PAYLOAD_BYTES) return undefined;
  return errorAt(path, `with what is called, the program is larger than ${INVOCATION_PAYLOAD_BYTES} bytes.`);
}

export function linkNow(linking: Linking, answer: (asked: CallReference) => CallAnswer): LinkedProgram {
  for (let step = linking.next(); ; step = linking.next(answer(step.value))) if (step.done) return step.value;
}

export async function linkSoon(
  linking: Linking,
  answer: (asked: CallReference) => Promise<CallAnswer>,
): Promise<LinkedProgram> {
  for (let step = linking.next(); ; step = linking.next(await answer(step.value))) if (step.done) return step.value;
}
