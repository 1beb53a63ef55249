/** From data to a program, or to what is wrong with it, each finding with its place. Pure. */
import { INSTRUCTION_BYTES, PROGRAM_INSTRUCTIONS } from "../../limits.ts";
import { oversize, tooLong } from "../program.ts";
import { oneLine } from "../program-item.ts";
import { boundsProblem } from "./data-bounds.ts";
import { errorAt, type Finding, type Path, type ProgramSource, placed } from "./finding.ts";
import { findingsOf } from "./issues.ts";
import { type Visit, visitNodes } from "./nodes.ts";
import { BLOCK_DEPTH, CALL_DEPTH, NESTED_DEPTH, type Program, ProgramObject } from "./schema.ts";

export type ReadProgram = { program: Program } | { findings: Finding[] };

/** More would not be read. */
const FINDINGS_NAMED = 100;

export function readProgramData({ data, placeOf }: ProgramSource): ReadProgram {
  const read = programFrom(data);
  if (!("findings" in read)) return read;
  return { findings: placed(read.findings.slice(0, FINDINGS_NAMED), placeOf) };
}

function programFrom(value: unknown): ReadProgram {
  const data = Array.isArray(value) ? { instructions: value } : value;
  const beyond = boundsProblem(data);
  if (beyond) return { findings: [beyond] };
  const parsed = ProgramObject.safeParse(data);
  if (!parsed.success) return { findings: findingsOf(parsed.error, data) };
  const { instructions, requirements = [] } = parsed.data;
  const program = {
    instructions,
    requirements: requirements.map(({ id, text }) => ({ id, text: oneLine(text) || id })),
  };
  const findings = limitFindings(program);
  return findings.length > 0 ? { findings } : { program };
}

/** What no schema says. */
function limitFindings(program: Program): Finding[] {
  const { instructions, requirements } = program;
  if (instructions.length === 0) return [errorAt([], "The program has no instructions.")];
  const findings: Finding[] = [];
  let count = 0;
  for (const { node, path, parents } of visitNodes(program)) {
    count += 1;
    if (count > PROGRAM_INSTRUCTIONS) {
      findings.push(errorAt(path, `The program has more than ${PROGRAM_INSTRUCTIONS} instructions.`));
      return findings;
    }
    findings.push(...depthFindings(path, parents));
    if (node.kind !== "do") continue;
    if (node.text === "") findings.push(errorAt(path, "the instruction is empty."));
    else if (tooLong(node)) {
      findings.push(errorAt(path, `the instruction is longer than ${INSTRUCTION_BYTES} bytes.`));
    }
  }
  return [...findings, ...requirementFindings(requirements)];
}

export function depthFindings(path: Path, parents: readonly Visit[]): Finding[] {
  const blocks = parents.length - 1 - parents.findLastIndex(({ node }) => node.kind === "call");
  if (blocks === BLOCK_DEPTH)
    return [errorAt(path, `it is inside ${BLOCK_DEPTH} blocks; one less fits.`, "Use `call`.")];
  const calls = parents.filter(({ node }) => node.kind === "call").length;
  if (parents.at(-1)?.node.kind === "call" && calls === CALL_DEPTH + 1)
    return [errorAt(path, `it is inside ${calls} calls; one less fits.`)];
  return parents.length === NESTED_DEPTH
    ? [errorAt(path, `it is inside ${NESTED_DEPTH} blocks and calls; one less fits.`)]
    : [];
}

function requirementFindings(requirements: Program["requirements"]): Finding[] {
  const ids = new Set<string>();
  return requirements.flatMap((requirement, index) => {
    const path: Path = ["requirements", index];
    const { id } = requirement;
    const twice = ids.has(id) ? [errorAt(path, `The program's requirements have ${id} twice.`)] : [];
    ids.add(id);
    const size = oversize(requirement);
    return [...twice, ...(size ? [errorAt(path, size)] : [])];
  });
}
