/** Runs that ask for evidence, as a script: each instruction serves a requirement of its own. */
import type { EvidenceKind } from "../../lib/core/evidence/evidence-kind.ts";
import { aSubmission, type TestMachine } from "./machines.ts";
import { type Call, placeOf, type Said, scriptedModel } from "./scripted-model.ts";

export const write = (files: Record<string, string>): Call => [
  "write_files",
  { files: Object.entries(files).map(([path, content]) => ({ path, content })) },
];
export const prove = (requirement: string, ...tests: string[]): Call => ["prove", { requirement, tests }];
export const done: Call = ["complete_instruction", { summary: "done" }];
export const code = (name: string, body: string) => ({
  [`src/${name}.js`]: `export function ${name}() {\n  ${body}\n}\n`,
});
export const check = (name: string, wants: string) => ({ [`test/${name}.test.js`]: `// wants: ${wants}\n` });

/** As many instructions as requirements, each serving its own. */
export const requirements = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `R${at + 1}`, text: `Part ${at + 1} works.` }));
export const program = (count: number) => ({
  requirements: requirements(count),
  instructions: requirements(count).map(({ id, text }) => ({ title: text, text, requirements: [id] })),
});

/** `checks`: turns of the examiner, before those of each instruction. */
export const examined = (checks: Call[][], turns: Call[][][]) =>
  scriptedModel((request): Said => {
    const { planning, instruction, answers } = placeOf(request);
    return { calls: (planning ? checks : turns[instruction - 1])?.[answers] ?? [done] };
  });

export const scripted = (turns: Call[][][]) =>
  scriptedModel((request): Said => {
    const { instruction, answers } = placeOf(request);
    return { calls: turns[instruction - 1]?.[answers] ?? [done] };
  });

export const submission = (count: number, evidence: EvidenceKind = "own") =>
  aSubmission({
    options: { reflect: 0, ...(evidence === "off" ? {} : { evidence }) },
    submission: { program: program(count), requirements: requirements(count) },
  });

export const evidenceOf = async ({ registry }: TestMachine, id: string) =>
  (await registry.evidence(id)).map(({ requirement, n, grade, replacedBy, delivered }) => [
    ...[`${requirement}#${n}`, grade, delivered?.status],
    ...(replacedBy === undefined ? [] : [replacedBy]),
  ]);

export const proving = (name: string, requirement: string): Call[][] => [
  [write({ ...code(name, "return 1;"), ...check(name, "return 1") })],
  [prove(requirement, `test/${name}.test.js`)],
];
