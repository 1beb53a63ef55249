/** `l2mac doctor --remote`: looks at everything that a deployed stack rests on, then lets it compute one rehearsal. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type HttpClient, openHttpClient } from "../../client/http.ts";
import { lookAtDocker } from "../../deployment/building.ts";
import { credentialsOf, findCaller } from "../../deployment/caller.ts";
import type { Caller } from "../../deployment/chosen.ts";
import { doorFinding, knock } from "../../deployment/door.ts";
import type { Finding } from "../../deployment/finding.ts";
import { describeFunction, findConcurrency } from "../../deployment/lambda.ts";
import { isKeySet } from "../../deployment/model-key.ts";
import { bootstrapFinding, callerFindings, imageFindings } from "../../deployment/preflight-findings.ts";
import { bootstrapVersion, describeStack } from "../../deployment/stack.ts";
import { concurrencyFinding, evaluatorFinding, keyFinding, stackFinding } from "../../deployment/stack-findings.ts";
import { projectFile } from "../../files/project-files.ts";
import type { Arguments, Command } from "../command.ts";
import { type Asked, CONFIG_FILE, readAsked } from "../deploy/deployment-asked.ts";
import type { Shell } from "../display/shell.ts";
import { type RemoteAddress, saidAddress } from "../runs/remote-address.ts";
import { openAnnounced, remoteLine } from "../runs/remote-connection.ts";
import { withRegion } from "../runs/remote-region.ts";
import { JSON_OUTPUT, REMOTE } from "../settings/flags.ts";
import { readSettings } from "../settings/settings.ts";
import { rehearsalFindings } from "./doctor-rehearsal.ts";
import { findingLine, missingFor, nothingMissing } from "./findings.ts";

const CONFIGURATION = 3;

export const doctorRemote: Command = async (given, shell) => {
  const { flags } = given;
  const findings: Finding[] = [];
  const show = (found: Finding[]): void => {
    findings.push(...found);
    if (!flags.has(JSON_OUTPUT.name))
      for (const finding of found) shell.out(`${findingLine(finding, shell.launcher)}\n`);
  };
  const said = addressSaid(given, shell);
  if (said?.url.startsWith("http:")) await lookAtServer(said, { given, shell, show });
  else await lookAtStack(said, { given, shell, show });
  const works = nothingMissing(findings);
  if (flags.has(JSON_OUTPUT.name)) shell.out(`${JSON.stringify({ works, findings })}\n`);
  else if (!works) shell.out("It does not work yet; do what stands beside ✘.\n");
  else if (flags.has(NO_RUN)) shell.out("Nothing is missing; without --no-run it is let compute.\n");
  else shell.out(`It works: ${shell.command("run", ...(said?.remoteFlag ?? [REMOTE.name]), "<task>")}\n`);
  return works ? 0 : CONFIGURATION;
};

const NO_RUN = "--no-run";

/** Undefined: only the stack knows it. */
function addressSaid({ flags }: Arguments, shell: Shell): RemoteAddress | undefined {
  const known = saidAddress(flags, shell);
  if (known) return known;
  const { apiUrl: url } = readSettings({ ...shell, flags });
  return url === undefined ? undefined : { url, remoteFlag: [REMOTE.name] };
}

interface Looking {
  given: Arguments;
  shell: Shell;
  show: (findings: Finding[]) => void;
}

const LEFT_OUT: Finding = { what: "run", state: "note", says: "left out, as --no-run says" };

/** `l2mac serve` on this computer: it rests on nothing of AWS. */
async function lookAtServer(said: RemoteAddress, { given, shell, show }: Looking): Promise<void> {
  const api = await openAnnounced(said, shell);
  const answering = await answers(api);
  show([answering]);
  if (given.flags.has(NO_RUN)) show([LEFT_OUT]);
  else if (answering.state === "ok") show(await rehearsalFindings({ api, shell }));
}

async function answers(api: HttpClient): Promise<Finding> {
  const what = "api";
  try {
    await api.runs({ atMost: 1 });
    return { what, state: "ok", says: `${api.url} answers` };
  } catch (error) {
    return missingFor(what, error);
  }
}

async function lookAtStack(said: RemoteAddress | undefined, { given, shell, show }: Looking): Promise<void> {
  const asked = readAsked(given, shell, folderOfConfig(shell.cwd));
  const open = (address: Pick<RemoteAddress, "url" | "from">) => opened(address, { asked, shell, show });
  const known = said && (await open(said));
  const { apiUrl, caller } = await lookAtAccount(asked, show);
  const found = said ?? (apiUrl === undefined ? undefined : { url: apiUrl });
  const api = known ?? (found && !said ? await open(found) : undefined);
  if (given.flags.has(NO_RUN)) return show([LEFT_OUT]);
  if (said && !api) return;
  const knocked = caller && api ? await knock(api.url) : undefined;
  if (knocked) show([doorFinding(knocked)]);
  show(await rehearsalFindings({ api, chosen: asked.config, shell }));
}

/** What is wrong with the address itself is a finding like all others. */
async function opened(
  { url, from }: Pick<RemoteAddress, "url" | "from">,
  { asked, shell, show }: Omit<Looking, "given"> & { asked: Asked },
): Promise<HttpClient | undefined> {
  try {
    const api = await openHttpClient({
      url,
      env: await withRegion(url, asked.env),
      credentials: credentialsOf(asked.place),
    });
    shell.say(remoteLine(api, from));
    return api;
  } catch (error) {
    show([missingFor("api", error)]);
    return undefined;
  }
}

/** A clone's own, which is the one that is deployed; with the package, the working directory's. */
const folderOfConfig = (cwd: string): string => {
  const clone = projectFile(".");
  return existsSync(join(clone, "cdk.json")) && !existsSync(join(cwd, CONFIG_FILE)) ? clone : cwd;
};

interface Account {
  caller?: Caller;
  /** Where the stack's API is, if that can be known. */
  apiUrl?: string | undefined;
}

async function lookAtAccount(asked: Asked, show: Looking["show"]): Promise<Account> {
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
