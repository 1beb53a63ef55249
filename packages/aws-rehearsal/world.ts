/** Real projects through the evaluator's function: the same verdicts as in the sandbox of this computer. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EvaluationRequest } from "../../lib/core/ports.ts";
import { encodeEvaluation } from "../../lib/core/verdict/evaluation-wire.ts";
import { Verdict } from "../../lib/core/verdict/verdict.ts";
import type { Opinion } from "../evaluator-lab/world/compare.ts";
import { fetchProject } from "../evaluator-lab/world/fetch.ts";
import { type Judge, judgeWith, openJudge } from "../evaluator-lab/world/judge.ts";
import { labelOf, readCases, readLists } from "../evaluator-lab/world/project.ts";
import type { Stage } from "./stage.ts";

/** They need nothing but a runner that the image has: packages are not installed there. Two of them are red. */
const TEN = [
  ...["pypi:inflection", "pypi:xmltodict", "pypi:uritemplate", "pypi:iniconfig", "pypi:idna", "pypi:isodate"],
  ...["npm:inherits", "npm:abstract-logging", "case:red-package-in-a-folder", "case:empty-json-fixture"],
];

interface Pair {
  name: string;
  here: Opinion;
  there: Opinion;
}

export async function judgedAlike(stage: Stage, say: (line: string) => void): Promise<string[]> {
  const kept = process.env.L2MAC_WORLD;
  const folder = kept ?? mkdtempSync(join(tmpdir(), "l2mac-world-"));
  mkdirSync(join(folder, "trees"), { recursive: true });
  try {
    const { judge, python } = openJudge(join(folder, "home"));
    const judgeThere = judgeInFunction(stage);
    const wrong: string[] = [];
    for (const project of [...readLists(), ...readCases()].filter((each) => TEN.includes(labelOf(each)))) {
      const tree = await fetchProject(project, { folder, python });
      const name = labelOf(project);
      const pair = { name, here: await judge(name, tree), there: await judgeThere(name, tree) };
      if (!areAlike(pair))
        wrong.push(`${name} is ${pair.there.colour} there (${pair.there.said}: ${pair.there.cause})`);
      say(`${areAlike(pair) ? "✔" : "✘"} ${name} is ${pair.here.colour} on this computer: ${pair.here.said}`);
    }
    return wrong;
  } finally {
    if (!kept) rmSync(folder, { recursive: true, force: true });
  }
}

const areAlike = ({ here, there }: Pair): boolean => here.colour === there.colour && here.said === there.said;

const FUNCTION = "AWS::Lambda::Function";

function judgeInFunction({ deployed, functions }: Stage): Judge {
  const resources = Object.values(deployed.resources);
  const functionArn = resources.find(
    ({ type, logicalId }) => type === FUNCTION && logicalId.startsWith("Evaluator"),
  )?.arn;
  if (functionArn === undefined) throw new Error("The template has no function of the evaluator.");
  return judgeWith({
    async evaluate(request: EvaluationRequest) {
      const payload = await encodeEvaluation(request);
      const answer = await functions.invoke({ functionArn, payload, tenantId: request.runId });
      if (answer.functionError) throw new Error(answer.payload);
      return Verdict.parse(JSON.parse(answer.payload));
    },
  });
}
