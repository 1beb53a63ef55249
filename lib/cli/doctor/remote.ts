/** `l2mac doctor --remote`: checks everything that a deployed stack depends on, then computes one rehearsal through its API. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type HttpClient, openHttpClient } from "../../client/http.ts";
import type { Remedy } from "../../core/errors.ts";
import { createCredentialProvider, findCaller, findConcurrency } from "../../deployment/account.ts";
import { apiAuthFinding, callUnsigned } from "../../deployment/api-auth-check.ts";
import { inspectDocker } from "../../deployment/docker.ts";
import { type Finding, isReady } from "../../deployment/finding.ts";
import { isKeySet } from "../../deployment/model-key.ts";
import { bootstrapFinding, callerFindings, imageFindings } from "../../deployment/preflight-findings.ts";
import { bootstrapVersion, describeFunction, describeStack } from "../../deployment/stack.ts";
import { concurrencyFinding, evaluatorFinding, keyFinding, stackFinding } from "../../deployment/stack-findings.ts";
import type { Caller } from "../../deployment/target.ts";
import { projectFile } from "../../files/project-files.ts";
import type { Arguments, Command } from "../command.ts";
import { CONFIG_FILE, type DeploymentOptions, readDeploymentOptions } from "../deploy/deployment-options.ts";
import { unfinishedLines } from "../deploy/unfinished.ts";
import type { Shell } from "../display/shell.ts";
import { type RemoteAddress, saidAddress } from "../runs/remote-address.ts";
import { openAnnounced, remoteLine } from "../runs/remote-connection.ts";
import { withRegion } from "../runs/remote-region.ts";
import { JSON_OUTPUT, REMOTE } from "../settings/flags.ts";
import { readSettings, refuseUntrusted } from "../settings/settings.ts";
import { findingLine, missingFor } from "./finding-line.ts";
import { modelAccessFindings } from "./model-access.ts";
import { rehearsalFindings } from "./rehearsal.ts";
import { signingFinding } from "./signing.ts";

const CONFIGURATION = 3;
const NO_RUN = "--no-run";
const SKIPPED: Finding = { what: "run", state: "note", says: "skipped because of --no-run" };

export const doctorRemote: Command = async (given, shell) => {
  const { flags } = given;
  const findings: Finding[] = [];
  const show = (found: Finding[]): void => {
    findings.push(...found);
    if (!flags.has(JSON_OUTPUT.name))
      for (const finding of found) shell.out(`${findingLine(finding, shell.launcher)}\n`);
  };
  const address = configuredAddress(given, shell);
  if (address?.url.startsWith("http:")) await checkServer(address, { given, shell, show });
  else await checkDeployment(address, { given, shell, show });
  const works = isReady(findings);
  if (flags.has(JSON_OUTPUT.name)) shell.out(`${JSON.stringify({ works, findings })}\n`);
  else if (!works) shell.out("It does not work yet; follow the advice beside each ✘.\n");
  else if (flags.has(NO_RUN)) shell.out("Nothing is missing; without --no-run a rehearsal is computed too.\n");
  else shell.out(`It works: ${shell.command("run", ...(address?.remoteFlag ?? [REMOTE.name]), "<task>")}\n`);
  return works ? 0 : CONFIGURATION;
};

/** Undefined: the address is an output of the stack. */
function configuredAddress({ flags }: Arguments, shell: Shell): RemoteAddress | undefined {
  const address = saidAddress(flags, shell);
  if (address) return address;
  refuseUntrusted({ ...shell, flags }, ["apiUrl"]);
  const { apiUrl: url } = readSettings({ ...shell, flags });
  return url === undefined ? undefined : { url, remoteFlag: [REMOTE.name] };
}

interface Check {
  given: Arguments;
  shell: Shell;
  show: (findings: Finding[]) => void;
}

/** A local `l2mac serve` depends on nothing of AWS. */
async function checkServer(address: RemoteAddress, { given, shell, show }: Check): Promise<void> {
  const api = await openAnnounced(address, shell);
  const answering = await apiFinding(api);
  show([answering]);
  if (given.flags.has(NO_RUN)) show([SKIPPED]);
  else if (answering.state === "ok") show(await rehearsalFindings({ api, shell }));
}

async function apiFinding(api: HttpClient): Promise<Finding> {
  const what = "api";
  try {
    await api.runs({ atMost: 1 });
    return { what, state: "ok", says: `${api.url} answers` };
  } catch (error) {
    return missingFor(what, error);
  }
}

async function checkDeployment(address: RemoteAddress | undefined, { given, shell, show }: Check): Promise<void> {
  const options = readDeploymentOptions(given, shell, configFolder(shell.cwd));
  const open = (at: Pick<RemoteAddress, "url" | "from">) => openShown(at, { options, shell, show });
  const configured = address && (await open(address));
  const { apiUrl, caller, isSigning } = await checkStack(options, { shell, show });
  const api = address ? configured : apiUrl === undefined ? undefined : await open({ url: apiUrl });
  if (given.flags.has(NO_RUN)) return show([SKIPPED]);
  if (address && !api) return;
  const unsigned = caller && api ? await callUnsigned(api.url) : undefined;
  if (unsigned) show([apiAuthFinding(unsigned)]);
  if (api && isSigning) show([await signingFinding(api)]);
  show(await rehearsalFindings({ api, config: options.config, shell }));
}

/** An invalid address is a finding like any other. */
async function openShown(
  { url, from }: Pick<RemoteAddress, "url" | "from">,
  { options, shell, show }: Omit<Check, "given"> & { options: DeploymentOptions },
): Promise<HttpClient | undefined> {
  try {
    const credentials = createCredentialProvider(options.target);
    const api = await openHttpClient({ url, env: await withRegion(url, options.env), credentials });
    shell.say(remoteLine(api, from));
    return api;
  } catch (error) {
    show([missingFor("api", error)]);
    return undefined;
  }
}

/** In a clone the clone's own, which is deployed; in a package the working directory. */
const configFolder = (cwd: string): string => {
  const clone = projectFile(".");
  return existsSync(join(clone, "cdk.json")) && !existsSync(join(cwd, CONFIG_FILE)) ? clone : cwd;
};

interface StackCheck {
  caller?: Caller;
  apiUrl?: string | undefined;
  /** Whether it has a key that signs manifests. */
  isSigning?: boolean;
}

async function checkStack(
  options: DeploymentOptions,
  { shell, show }: Pick<Check, "shell" | "show">,
): Promise<StackCheck> {
  const { config, target } = options;
  const found = await findCaller(target);
  show(callerFindings(found));
  if (!("value" in found)) return {};
  show(await prerequisiteFindings(options, found.value));
  const stack = await describeStack(target, config.stackName);
  const standing = stackFinding(config.stackName, stack);
  const unfinished = "value" in stack && stack.value ? await unfinishedLines(options, shell, stack.value) : [];
  show([unfinished.length > 0 ? { ...standing, says: unfinished.join("\n"), next: adviceIn(standing) } : standing]);
  show([concurrencyFinding(config, await findConcurrency(target))]);
  const outputs = "value" in stack ? (stack.value?.outputs ?? {}) : {};
  const { ApiUrl: apiUrl, ModelKeySecret: secret, EvaluatorFunction: evaluator } = outputs;
  if (secret !== undefined) show([keyFinding(await isKeySet(target, secret), outputs.BedrockModels)]);
  show(
    await modelAccessFindings({ target, region: found.value.region, models: outputs.BedrockModels, env: options.env }),
  );
  if (evaluator !== undefined) show([evaluatorFinding(config.evaluator, await describeFunction(target, evaluator))]);
  return { caller: found.value, apiUrl, isSigning: outputs.SigningKey !== undefined };
}

/** What follows from CloudFormation's own reason; the rest is said already. */
const adviceIn = ({ next = [] }: Finding): Remedy[] => next.filter((each) => typeof each === "string");

/** Only deploying needs these, so nothing of it is reported as missing. */
async function prerequisiteFindings({ config, target, env }: DeploymentOptions, caller: Caller): Promise<Finding[]> {
  const docker = config.evaluator.image === undefined ? inspectDocker(env) : undefined;
  const findings = [
    bootstrapFinding(await bootstrapVersion(target), caller),
    ...imageFindings({ evaluator: config.evaluator, docker, caller }),
  ];
  return findings.map((finding) =>
    finding.state === "missing"
      ? { ...finding, state: "note", says: `${finding.says.split("\n", 1)[0]} (only deploying needs it)` }
      : finding,
  );
}
