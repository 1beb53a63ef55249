/** `l2mac deploy`: checks the account, deploys the stack with cdk, stores the model's key, and prints the next commands. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { configWarnings } from "../../cloud/configuration/warnings.ts";
import { UserError } from "../../core/errors.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { findCaller } from "../../deployment/account.ts";
import { type Cdk, errorLines, runCdk } from "../../deployment/cdk.ts";
import type { TemplateResources } from "../../deployment/cost/idle-cost.ts";
import { type DockerFacts, inspectDocker } from "../../deployment/docker.ts";
import { type Finding, isReady } from "../../deployment/finding.ts";
import { bootstrapFinding, callerFindings, imageBuild, imageFindings } from "../../deployment/preflight-findings.ts";
import { adviceFor } from "../../deployment/remedies.ts";
import { bootstrapVersion } from "../../deployment/stack.ts";
import { bedrockModelIn } from "../../model/default-model.ts";
import { isKnownModel } from "../../model/known-models.ts";
import type { Command } from "../command.ts";
import { exitCodeOfSignal } from "../display/signals.ts";
import { createTerminal } from "../display/terminal.ts";
import { findingLine } from "../doctor/finding-line.ts";
import { modelAccessFindings } from "../doctor/model-access.ts";
import { keyFindings } from "./customer-key.ts";
import { deploymentFailure } from "./deployment-failure.ts";
import { type DeploymentOptions, readDeploymentOptions } from "./deployment-options.ts";
import { networkFindings } from "./network.ts";
import { nextSteps } from "./next-steps.ts";
import { type CdkRun, projectCdk, requireCdk, runInTerminal } from "./project-cdk.ts";
import { createGitTokenSetter } from "./set-git-token.ts";
import { createKeySetter } from "./set-model-key.ts";
import { unfinishedFinding, unfinishedLines } from "./unfinished.ts";

const DECLINED = 1;

export const createDeploy =
  (cdk: Cdk): Command =>
  async (given, shell) => {
    requireCdk(cdk, "deploy");
    const terminal = createTerminal({ input: process.stdin, output: shell.progress });
    const read = readDeploymentOptions(given, shell, cdk.root);
    const setKey = await createKeySetter(given, shell, terminal);
    const setGitToken = await createGitTokenSetter(given, { shell, terminal, config: read.config });
    const folder = mkdtempSync(join(tmpdir(), "l2mac-deploy-"));
    const docker = read.config.evaluator.image === undefined ? inspectDocker(read.env) : undefined;
    const options = withImageBuild(read, docker);
    const run: CdkRun = { cdk, shell, options, folder };
    try {
      await checkPrerequisites({ shell, options: read }, docker);
      if (!options.yes && !terminal.isThere) throw unconfirmed();
      const resources = await synthesize(run);
      const outputs = await deployStack(run);
      if (!outputs) {
        shell.say("Nothing was deployed, and nothing is charged.");
        return DECLINED;
      }
      await showModelAccess(run, outputs);
      const key = await setKey(options.target, outputs);
      await setGitToken(options.target, outputs);
      shell.say(nextSteps({ outputs, options, key, resources }));
      shell.out(`${outputs.ApiUrl}\n`);
      return 0;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

export const deploy: Command = (given, shell) => createDeploy(projectCdk())(given, shell);

/** Access to a model is granted in the console only. */
async function showModelAccess({ shell, options }: CdkRun, outputs: Record<string, string>): Promise<void> {
  const { target, env } = options;
  const found = await findCaller(target);
  if (!("value" in found) || !outputs.BedrockModels) return;
  const asked = { target, region: found.value.region, models: outputs.BedrockModels, env };
  for (const finding of await modelAccessFindings(asked)) shell.say(findingLine(finding, shell.launcher));
}

/** What was not configured, the computer decides: by its Docker, or without one. */
function withImageBuild(options: DeploymentOptions, docker: DockerFacts | undefined): DeploymentOptions {
  const { config } = options;
  const build = imageBuild(config.evaluator, docker);
  return build === "codebuild"
    ? { ...options, config: { ...config, evaluator: { ...config.evaluator, build } } }
    : options;
}

async function checkPrerequisites(
  { shell, options }: Pick<CdkRun, "shell" | "options">,
  docker: DockerFacts | undefined,
): Promise<void> {
  const { config, target } = options;
  const found = await findCaller(target);
  const caller = "value" in found ? found.value : undefined;
  const findings: Finding[] = [
    ...callerFindings(found),
    ...(caller ? [bootstrapFinding(await bootstrapVersion(target), caller)] : []),
    ...(caller ? await unfinishedFinding(options, shell) : []),
    ...imageFindings({ evaluator: config.evaluator, docker, caller }),
    ...(caller ? await networkFindings(options, caller) : []),
    ...(caller ? keyFindings(options, caller) : []),
    ...configFindings(options),
  ];
  for (const finding of findings) shell.say(findingLine(finding, shell.launcher));
  if (isReady(findings)) return;
  const missing = findings.filter(({ state }) => state === "missing").map(({ what }) => what);
  throw new UserError(`It cannot be deployed yet: ${missing.join(", ")}. Nothing was changed, nothing is charged.`, {
    exitCode: 3,
    remedy: "Follow the advice beside each ✘ above, then run the same command again.",
  });
}

const configFindings = ({ config, target }: DeploymentOptions): Finding[] =>
  configWarnings(config, {
    region: target.region,
    isKnown: isKnownModel,
    ownModel: bedrockModelIn(target.region),
  }).map((says) => ({
    what: "config",
    state: "note",
    says,
  }));

const unconfirmed = (): UserError =>
  new UserError("The deployment must be confirmed, and there is no terminal to ask on. Nothing was changed.", {
    exitCode: 3,
    remedy: "Run it on a terminal, or with --yes.",
  });

const Resource = z.object({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).optional() });
const Template = z.object({ Resources: z.record(z.string(), Resource) });

/** Returns the stack's resources. */
async function synthesize({ cdk, options, folder, shell }: CdkRun): Promise<TemplateResources> {
  const { config, env } = options;
  const args = ["synth", config.stackName, "--quiet", "--output", folder, "-c", `l2mac=${JSON.stringify(config)}`];
  const { code, lines } = await runCdk(cdk, { args, env });
  if (code === 0) {
    const template = JSON.parse(readFileSync(join(folder, `${config.stackName}.template.json`), "utf8"));
    return Template.parse(template).Resources;
  }
  for (const line of errorLines(lines)) shell.say(`  ${sanitizeLine(line)}`);
  throw new UserError("The stack could not be synthesised; the output of cdk is above. Nothing was changed.", {
    exitCode: 3,
    remedy: adviceFor(lines.join("\n"))[0] ?? "npm ci, then the same command again.",
  });
}

const Outputs = z.record(z.string(), z.record(z.string(), z.string()));

/** cdk shows the changes and asks. Undefined: the user declined. */
async function deployStack(run: CdkRun): Promise<Record<string, string> | undefined> {
  const { options, folder, shell } = run;
  const { stackName } = options.config;
  const outputsFile = join(folder, "outputs.json");
  const approval = ["--require-approval", options.yes ? "never" : "any-change"];
  const args = ["deploy", stackName, "--app", folder, "--outputs-file", outputsFile, ...approval];
  const result = await runInTerminal(run, [...args, "--progress", "events"], !options.yes);
  if (result.interrupted) {
    for (const line of await unfinishedLines(options, shell)) shell.say(line);
    throw new UserError("Interrupted. CloudFormation continues with what it has started.", {
      exitCode: exitCodeOfSignal(shell.signals.received() ?? "SIGINT"),
      remedy: { command: "deploy", args: [], note: "waits for it and continues; destroy removes it" },
    });
  }
  if (result.code !== 0 && result.lines.some((line) => /Deployment cancelled|Aborted by user/.test(line)))
    return undefined;
  if (result.code !== 0) throw await deploymentFailure(run, result.lines);
  shell.say(`✔ deployed   ${stackName}`);
  const outputs = Outputs.parse(JSON.parse(readFileSync(outputsFile, "utf8")))[stackName] ?? {};
  if (outputs.ApiUrl) return outputs;
  throw new UserError(`${stackName} is deployed, but has no output with the address of its API.`, {
    exitCode: 3,
    remedy: { command: "doctor", args: ["--remote"] },
  });
}
