/** `l2mac doctor --remote`: looks at everything that a deployed stack rests on, then lets it compute one rehearsal. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { lookAtDocker } from "../deployment/building.ts";
import { findCaller } from "../deployment/caller.ts";
import type { Caller } from "../deployment/chosen.ts";
import { doorFinding, knock } from "../deployment/door.ts";
import type { Finding } from "../deployment/finding.ts";
import { describeFunction, findConcurrency } from "../deployment/lambda.ts";
import { isKeySet } from "../deployment/model-key.ts";
import { bootstrapFinding, callerFindings, imageFindings } from "../deployment/preflight-findings.ts";
import { bootstrapVersion, describeStack } from "../deployment/stack.ts";
import { concurrencyFinding, evaluatorFinding, keyFinding, stackFinding } from "../deployment/stack-findings.ts";
import { projectFile } from "../local/project-files.ts";
import type { Command } from "./commands.ts";
import { type Asked, CONFIG_FILE, readAsked } from "./deployment-asked.ts";
import { rehearsalFindings } from "./doctor-rehearsal.ts";
import { findingLine, nothingMissing } from "./findings.ts";
import { JSON_OUTPUT, REMOTE } from "./flags.ts";
import { readSettings } from "./settings.ts";

const CONFIGURATION = 3;

export const doctorRemote: Command = async (given, shell) => {
  const { flags } = given;
  const asked = readAsked(given, shell, folderOfConfig(shell.cwd));
  const asJson = flags.has(JSON_OUTPUT.name);
  const findings: Finding[] = [];
  const show = (found: Finding[]): void => {
    findings.push(...found);
    if (!asJson) for (const finding of found) shell.out(`${findingLine(finding)}\n`);
  };
  const { apiUrl, caller } = await lookAtAccount(asked, show);
  const address =
    flags.get(REMOTE.name) || shell.env.L2MAC_API_URL || readSettings({ ...shell, flags }).apiUrl || apiUrl;
  if (flags.has("--no-run")) show([{ what: "run", state: "note", says: "left out, as --no-run says" }]);
  else {
    const knocked = caller && address?.startsWith("https:") ? await knock(address) : undefined;
    if (knocked) show([doorFinding(knocked)]);
    show(await rehearsalFindings({ address, asked, shell }));
  }
  const works = nothingMissing(findings);
  if (asJson) shell.out(`${JSON.stringify({ works, findings })}\n`);
  else shell.out(`${conclusion(works, flags.has("--no-run"))}\n`);
  return works ? 0 : CONFIGURATION;
};

function conclusion(works: boolean, lookedOnly: boolean): string {
  if (!works) return "It does not work yet; do what stands beside ✘.";
  return lookedOnly
    ? "Nothing is missing; without --no-run it is let compute."
    : 'It works: l2mac run --remote "<task>"';
}

/** A clone's own, which is the one that is deployed; with the package, the working directory's. */
const folderOfConfig = (cwd: string): string => {
  const clone = projectFile(".");
  return existsSync(join(clone, "cdk.json")) && !existsSync(join(cwd, CONFIG_FILE)) ? clone : cwd;
};

type Show = (findings: Finding[]) => void;

interface Account {
  caller?: Caller;
  /** Where the stack's API is, if that can be known. */
  apiUrl?: string | undefined;
}

async function lookAtAccount(asked: Asked, show: Show): Promise<Account> {
  const { config, place } = asked;
  const found = await findCaller(place);
  show(callerFindings(found));
  if (!("told" in found)) return {};
  show(await deployingFindings(asked, found.told));
  const stack = await describeStack(place, config.stackName);
  show([stackFinding(config.stackName, stack)]);
  show([concurrencyFinding(config, await findConcurrency(place))]);
  const outputs = "told" in stack ? (stack.told?.outputs ?? {}) : {};
  const { ApiUrl: apiUrl, ModelKeySecret: secret, EvaluatorFunction: evaluator } = outputs;
  if (secret !== undefined) show([keyFinding(await isKeySet(place, secret))]);
  if (evaluator !== undefined) show([evaluatorFinding(config.evaluator, await describeFunction(place, evaluator))]);
  return { caller: found.told, apiUrl };
}

/** What only deploying needs keeps nothing from running. */
async function deployingFindings({ config, place, env }: Asked, caller: Caller): Promise<Finding[]> {
  const version = await bootstrapVersion(place);
  const build = config.evaluator.image === undefined ? lookAtDocker(env) : undefined;
  const findings = [
    bootstrapFinding({ version, needed: NEEDED_BOOTSTRAP, caller }),
    ...imageFindings({ chosen: config.evaluator, build, caller }),
  ];
  return findings.map((finding) =>
    finding.state === "missing"
      ? { ...finding, state: "note", says: `${finding.says.split("\n", 1)[0]} (only deploying needs it)` }
      : finding,
  );
}

/** As the stack's synthesizer asks for it; deploying reads it from what was synthesised. */
const NEEDED_BOOTSTRAP = 6;
