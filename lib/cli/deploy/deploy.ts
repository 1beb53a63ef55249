/** `l2mac deploy`: checks the account, deploys the stack with cdk, stores the model's key, and prints the next commands. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { UserError } from "../../core/errors.ts";
import { findCaller } from "../../deployment/account.ts";
import { inspectDocker } from "../../deployment/docker.ts";
import { remedyFor } from "../../deployment/error-remedies.ts";
import { imageBuild } from "../../deployment/preflight-findings.ts";
import type { Command } from "../command.ts";
import { exitCodeOfSignal } from "../display/signals.ts";
import { createTerminal } from "../display/terminal.ts";
import { findingLine } from "../doctor/finding-line.ts";
import { modelAccessFindings } from "../doctor/model-access.ts";
import { readDeploymentOptions } from "./deployment-options.ts";
import { nextSteps } from "./next-steps.ts";
import { checkPrerequisites } from "./prerequisites.ts";
import { type Cdk, type CdkRun, errorsIn, projectCdk, requireCdk, runCdk } from "./project-cdk.ts";
import { createSecretSetter } from "./set-secrets.ts";
import { standingLines } from "./unfinished.ts";

const DECLINED = 1;

export const createDeploy =
  (cdk: Cdk): Command =>
  async (given, shell) => {
    requireCdk(cdk, "deploy");
    const terminal = createTerminal({ input: process.stdin, output: shell.progress });
    const options = readDeploymentOptions(given, shell, cdk.root);
    const { config, target, yes } = options;
    const setSecrets = await createSecretSetter(given, { shell, terminal, config });
    const docker = config.evaluator.image === undefined ? inspectDocker(options.env) : undefined;
    await checkPrerequisites(options, shell, docker);
    if (!yes && !terminal.isThere) throw unconfirmed();
    // What was not configured, the computer decides: by its Docker, or without one.
    const build = imageBuild(config.evaluator, docker);
    const evaluator = build === "codebuild" ? { ...config.evaluator, build } : config.evaluator;
    const folder = mkdtempSync(join(tmpdir(), "l2mac-deploy-"));
    const run: CdkRun = { cdk, shell, options: { ...options, config: { ...config, evaluator } }, folder };
    try {
      const outputs = await deployStack(run);
      if (!outputs) {
        shell.say("Nothing was deployed, and nothing is charged.");
        return DECLINED;
      }
      await showModelAccess(run, outputs);
      const isKeySet = await setSecrets(target, outputs);
      const template = readFileSync(join(folder, `${config.stackName}.template.json`), "utf8");
      const { Resources: resources } = Template.parse(JSON.parse(template));
      shell.say(nextSteps({ outputs, options, isKeySet, resources }));
      shell.out(`${outputs.ApiUrl}\n`);
      return 0;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

export const deploy: Command = (given, shell) => createDeploy(projectCdk())(given, shell);

const unconfirmed = (): UserError =>
  new UserError("The deployment must be confirmed, and there is no terminal to ask on. Nothing was changed.", {
    exitCode: 3,
    remedy: "Run it on a terminal, or with --yes.",
  });

const Outputs = z.record(z.string(), z.record(z.string(), z.string()));
const Resource = z.object({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).optional() });
const Template = z.object({ Resources: z.record(z.string(), Resource) });

/** cdk shows the changes and asks. Undefined: the user declined. */
async function deployStack(run: CdkRun): Promise<Record<string, string> | undefined> {
  const { options, folder, shell } = run;
  const { stackName } = options.config;
  const outputsFile = join(folder, "outputs.json");
  const args = ["--outputs-file", outputsFile, "--require-approval", options.yes ? "never" : "any-change"];
  const { code, lines, interrupted } = await runCdk(run, ["deploy", ...args, "--progress", "events"], !options.yes);
  if (code !== 0 && !interrupted && lines.some((line) => /Deployment cancelled|Aborted by user/.test(line)))
    return undefined;
  if (code !== 0 || interrupted) for (const line of await standingLines(options, shell)) shell.say(line);
  if (interrupted) {
    throw new UserError("Interrupted. CloudFormation continues with what it has started.", {
      exitCode: exitCodeOfSignal(shell.signals.received() ?? "SIGINT"),
      remedy: { command: "deploy", args: [], note: "waits for it and continues; destroy removes it" },
    });
  }
  if (code !== 0) {
    const remedy = remedyFor(errorsIn(lines));
    const note = remedy === undefined ? AGAIN : `after this: ${remedy}`;
    throw new UserError(`${stackName} was not deployed; the errors of cdk are above.`, {
      exitCode: 3,
      remedy: { command: "deploy", args: [], note },
    });
  }
  shell.say(`✔ deployed   ${stackName}`);
  const outputs = Outputs.parse(JSON.parse(readFileSync(outputsFile, "utf8")))[stackName] ?? {};
  if (outputs.ApiUrl) return outputs;
  throw new UserError(`${stackName} is deployed, but has no output with the address of its API.`, {
    exitCode: 3,
    remedy: { command: "doctor", args: ["--remote"] },
  });
}

/** A role that was just made is not known everywhere at once. */
const AGAIN = "once more; docs/deploy.md#troubleshooting-by-switch says what to change if the error stays";

/** Access to a model is granted in the console only. */
async function showModelAccess({ shell, options }: CdkRun, outputs: Record<string, string>): Promise<void> {
  const { target, env } = options;
  const found = await findCaller(target);
  if (!("value" in found)) return;
  const asked = { target, region: found.value.region, models: outputs.BedrockModels, env };
  for (const finding of await modelAccessFindings(asked)) shell.say(findingLine(finding, shell.launcher));
}
