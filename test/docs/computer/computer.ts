/** A computer as the docs expect it: a clone, Node, the ordinary tools, a shell, and the named servers at their addresses. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeCertificate } from "../../../packages/aws-rehearsal/proxy/certificate.ts";
import { serveBoth } from "../../../packages/aws-rehearsal/proxy/two-protocols.ts";
import { NO_EVIDENCE } from "../../doubles/no-evidence.ts";
import { makeClone } from "./clone.ts";
import { HOSTS, type Network } from "./network.ts";
import { type Asked, answerAsProvider } from "./providers.ts";
import { isStack, type StackServer, startStack } from "./stack.ts";
import { installTools } from "./tools.ts";

export interface Failure {
  code: number;
  command: string;
}

export interface Typed {
  stdout: string;
  stderr: string;
  /** The commands that ended with another code than 0. */
  failures: Failure[];
}

export interface Computer {
  /** The folder of the clone. */
  folder: string;
  home: string;
  /** What was asked of model servers. */
  asked: Asked[];
  /** Types the lines into bash, in the clone, in an environment of their own. */
  type(code: string, how?: { env?: Record<string, string>; answers?: string | undefined }): Promise<Typed>;
  stop(): Promise<void>;
}

export async function openComputer(): Promise<Computer> {
  const folder = mkdtempSync(join(tmpdir(), "l2mac-docs-"));
  const [home, clone, tools] = ["home", "clone", "tools"].map((name) => join(folder, name)) as [string, string, string];
  for (const each of [home, clone, tools]) mkdirSync(each);
  const asked: Asked[] = [];
  const certificate = makeCertificate(HOSTS);
  let stack: StackServer | undefined;
  const server = await serveBoth((request, response) => {
    if (isStack(request)) return void stack?.handOn(request, response);
    answerAsProvider(request, response).then(
      (one) => one && asked.push(one),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }, certificate);
  const network: Network = { names: HOSTS, port: server.port };
  writeFileSync(join(folder, "network.json"), JSON.stringify(network));
  writeFileSync(join(folder, "certificate.pem"), certificate.cert);
  makeClone(clone);
  installTools(tools);
  configure(home);
  const env = environmentOf(folder);
  stack = await startStack({ cwd: clone, env });
  return {
    ...{ folder: clone, home, asked },
    type: (code, how = {}) => typed(code, { cwd: clone, env: { ...env, ...how.env }, answers: how.answers }),
    async stop() {
      await stack?.stop();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The docs' variables come from the blocks; these are the computer itself. */
const environmentOf = (folder: string): Record<string, string> => ({
  PATH: join(folder, "tools"),
  HOME: join(folder, "home"),
  NODE_EXTRA_CA_CERTS: join(folder, "certificate.pem"),
  NODE_OPTIONS: `--import=${fileURLToPath(new URL("redirect.mjs", import.meta.url))}`,
  DOCS_NETWORK: folder,
  // npm looks for newer versions of itself.
  npm_config_offline: "true",
  npm_config_update_notifier: "false",
});

/** The user was asked once whether code may run without a sandbox, and has a profile of AWS. The models offer no evidence. */
function configure(home: string): void {
  for (const name of [".config/l2mac", ".aws"]) mkdirSync(join(home, name), { recursive: true });
  writeFileSync(join(home, ".config/l2mac/config.json"), JSON.stringify({ unsealed: true, ...NO_EVIDENCE }));
  const keys = "aws_access_key_id = AKIAEXAMPLE\naws_secret_access_key = example\n";
  writeFileSync(join(home, ".aws/credentials"), `[my-profile]\n${keys}`);
  writeFileSync(join(home, ".aws/config"), "[profile my-profile]\noutput = json\n");
}

interface Terminal {
  cwd: string;
  env: Record<string, string>;
  answers?: string | undefined;
}

/** As with typed lines, the next follows also where one failed. */
async function typed(code: string, { cwd, env, answers }: Terminal): Promise<Typed> {
  const folder = mkdtempSync(join(env.DOCS_NETWORK ?? "", "typed-"));
  const [script, failed] = [join(folder, "script"), join(folder, "failed")];
  writeFileSync(script, `trap 'printf "%s\\t%s\\0" "$?" "$BASH_COMMAND" >>${failed}' ERR\n${code}`);
  const [command, ...args] =
    answers === undefined ? ["bash", script] : ["script", "-qfec", `bash ${script}`, "/dev/null"];
  const child = spawn(command ?? "", args, { cwd, env: { ...env, SHELL: "/bin/sh" } });
  child.stdin.on("error", () => {}).end(answers ?? "");
  const texts = { stdout: "", stderr: "" };
  child.stdout.on("data", (data) => (texts.stdout += String(data)));
  child.stderr.on("data", (data) => (texts.stderr += String(data)));
  const [status] = await once(child, "close");
  const failures = existsSync(failed) ? failuresIn(readFileSync(failed, "utf8")) : [];
  // What bash cannot read ends it without a command.
  if (status !== 0 && failures.length === 0) failures.push({ code: status, command: texts.stderr });
  return { ...texts, failures };
}

const failuresIn = (text: string): Failure[] =>
  text
    .split("\0")
    .filter(Boolean)
    .map((line) => ({ code: Number(line.split("\t")[0]), command: line.slice(line.indexOf("\t") + 1) }));
