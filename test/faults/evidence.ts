/** Checks that prove nothing, and a delivery on which nothing can be executed: no requirement is proven by them. */
import type { EvaluationRequest } from "../../lib/core/ports.ts";
import { checkingEvaluator } from "../doubles/checking-evaluator.ts";
import { aMachine, aSubmission, compute } from "../doubles/machines.ts";
import { type Call, placeOf, type Said, scriptedModel } from "../doubles/scripted-model.ts";
import type { Broken, Experiment } from "./experiment.ts";

const requirements = [{ id: "R1", text: "It works." }];
const program = { requirements, instructions: [{ title: "Do it", text: "Do it.", requirements: ["R1"] }] };
const files = [
  { path: "src/a.js", content: "export function a() {\n  return 1;\n}\n" },
  { path: "test/a.test.js", content: "// wants: return 1\n" },
];
const written: Call = ["write_files", { files }];
const tests: Call = ["prove", { requirement: "R1", tests: ["test/a.test.js"] }];
/** Asserts on nothing that the code does. */
const weakened: Call = ["write_files", { files: [{ path: "test/a.test.js", content: "// wants: export function\n" }] }];
const whole: Call = [
  "write_files",
  {
    files: [
      { path: "src/a.js", content: "export function a() { return 1; }\n" },
      { path: "test/a.test.js", content: "// ends: return 1; }\n" },
    ],
  },
];
/** Prints a test, which lies over the files from before the work too. */
const tautology: Call = ["prove", { requirement: "R1", argv: ["show", "test/a.test.js"] }];

const writing = (files: Record<string, string>): Call => [
  "write_files",
  { files: Object.entries(files).map(([path, content]) => ({ path, content })) },
];
const code = writing({ "src/a.js": "export function a() {\n  return 1;\n}\n" });
const examined = writing({ "test/a.test.js": "// wants: return 1\n" });
/** Executes all of the code, and asserts on nothing that a small change of it changes. */
const idle = writing({ "test/a.test.js": "// runs\n" });
/** Looks at what no mutant touches. */
const aside = writing({ "test/a.test.js": "// wants: here\n" });
const codeAside = writing({ "src/a.js": "export function a(n) {\n  // here\n  if (n < 1) {}\n}\n" });
const own = writing({
  "src/a.js": "export function a() {\n  return 1;\n}\n",
  "src/b.js": "export function b() {\n  return 1;\n}\n",
  "test/b.test.js": "// wants: return 1\n",
});
const ownProof: Call = ["prove", { requirement: "R1", tests: ["test/b.test.js"] }];

interface Trial {
  what: string;
  calls: Call[];
  /** Absent: with an examiner, `independent`, and else `own`. */
  evidence?: "strict";
  isBroken?: (request: EvaluationRequest) => boolean;
  isProven: boolean;
  /** Before the instruction: what an examiner does. */
  examiner?: Call[];
  /** What it executes is stored all the same. */
  isStored?: boolean;
}

const TRIALS: Trial[] = [
  {
    what: "a check that is red before and green after",
    calls: [written, tests],
    ...{ isProven: true, isStored: true },
  },
  { what: "a check that is green before the work too", calls: [written, tautology], isProven: false },
  {
    what: "a delivered tree on which nothing can be executed",
    calls: [written, tests],
    isBroken: ({ smoke, delivered }) => (smoke ?? delivered) === true,
    ...{ isProven: false, isStored: true },
  },
  {
    what: "a check that is weakened after it was executed",
    calls: [written, tests, weakened],
    ...{ isProven: false, isStored: true },
  },
  {
    what: "a check of an examiner that the work meets",
    examiner: [examined, tests],
    calls: [code],
    ...{ isProven: true, isStored: true },
  },
  {
    what: "an engineer's own check, where the examiner wrote none",
    examiner: [],
    calls: [own, ownProof],
    ...{ isProven: false, isStored: true },
  },
  { what: "a check that compares the text of the code", calls: [whole, tests], isProven: false },
  {
    what: "a check of an examiner that notices each mutant, strictly",
    examiner: [examined, tests],
    calls: [code],
    ...{ evidence: "strict", isProven: true, isStored: true },
  },
  {
    what: "a check of an examiner that notices no mutant, strictly",
    examiner: [idle, tests],
    calls: [code],
    ...{ evidence: "strict", isProven: false, isStored: true },
  },
  {
    what: "a check of an examiner that reaches no mutant, strictly",
    examiner: [aside, tests],
    calls: [codeAside],
    ...{ evidence: "strict", isProven: false, isStored: true },
  },
  {
    what: "an engineer's own check that notices each mutant, strictly",
    examiner: [],
    calls: [own, ownProof],
    ...{ evidence: "strict", isProven: false, isStored: true },
  },
];

export const gatherEvidence: Experiment = async () => {
  const broken: Broken[] = [];
  for (const { what, calls, examiner, evidence, isBroken, isProven, isStored = false } of TRIALS) {
    const model = scriptedModel((request): Said => {
      const { planning, answers } = placeOf(request);
      const call = (planning ? examiner : calls)?.[answers];
      return { calls: [call ?? ["complete_instruction", { summary: "done" }]] };
    });
    const machine = aMachine({ model, evaluator: checkingEvaluator(isBroken ? { isBroken } : {}) });
    const asked = await aSubmission({
      options: { reflect: 0, evidence: evidence ?? (examiner ? "independent" : "own") },
      submission: { program, requirements },
    });
    const run = await compute(machine, asked);
    const stored = (await machine.registry.evidence(run.id)).length;
    machine.close();
    machine.removeHome();
    const isRight = (run.status === "completed") === isProven && stored > 0 === isStored;
    if (!isRight)
      broken.push({ invariant: "I14", what: `${run.status} with ${stored} pieces of evidence`, where: what });
  }
  return {
    broken,
    rows: [
      {
        what: "requirements that count as proven and are not, or the other way round",
        figure: `${broken.length} of ${TRIALS.length}`,
        aim: `0 of ${TRIALS.length}`,
        reached: broken.length === 0,
      },
    ],
  };
};
