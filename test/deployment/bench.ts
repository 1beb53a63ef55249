/** A project folder with a stand-in for cdk in it, and the commands that are run on it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
export const PINNED_NODE = file("../../node_modules/node/bin/node");
export const IMAGE = "123456789012.dkr.ecr.eu-west-1.amazonaws.com/l2mac:1";

export interface CdkCall {
  argv: string[];
  env: Record<string, string>;
  stdin: string;
  node: string;
  cwd: string;
}

export interface CommandResult {
  code: number | null;
  said: string;
  out: string;
}

export interface DeploymentBench {
  folder: string;
  env: Record<string, string>;
  write(name: string, content: string): void;
  calls(): CdkCall[];
  run(args: string[], options?: { input?: string; env?: Record<string, string> }): Promise<CommandResult>;
  /** On a terminal: answers each question once it is asked. */
  onTerminal(args: string[], answers: [question: string, answer: string][]): Promise<CommandResult>;
  /** All that lies in the folder, as one text. */
  everything(): string;
  remove(): void;
}

const template = {
  Resources: {
    Key: { Type: "AWS::SecretsManager::Secret" },
    Failed: { Type: "AWS::CloudWatch::Alarm" },
    Errors: { Type: "AWS::CloudWatch::Alarm" },
  },
};

export function aDeploymentBench(env: Record<string, string>): DeploymentBench {
  const folder = mkdtempSync(join(tmpdir(), "l2mac-deployment-"));
  const write = (name: string, content: string): void => writeFileSync(join(folder, name), content);
  mkdirSync(join(folder, "assembly"));
  copyFileSync(file("stand-in-cdk.mjs"), join(folder, "cdk.mjs"));
  write("cdk.json", "{}");
  write("assembly/L2mac.template.json", JSON.stringify(template));
  const own = { PATH: "/usr/bin:/bin", HOME: folder, AWS_EC2_METADATA_DISABLED: "true", ...env };
  const argv = [file("with-stand-in.ts"), folder];
  return {
    folder,
    env: own,
    write,
    calls: () => callsIn(join(folder, "calls.jsonl")),
    async run(args, { input = "", env: more = {} } = {}) {
      const child = spawn(PINNED_NODE, [...argv, ...args], { cwd: folder, env: { ...own, ...more } });
      child.stdin.on("error", () => {}).end(input);
      return ended(child);
    },
    onTerminal(args, answers) {
      const command = [PINNED_NODE, ...argv, ...args].join(" ");
      const child = spawn("script", ["-qfec", command, "/dev/null"], {
        cwd: folder,
        env: { ...own, SHELL: "/bin/sh" },
      });
      const left = [...answers];
      let seen = "";
      child.stdout.on("data", (chunk) => {
        seen += String(chunk);
        const [question, answer] = left[0] ?? [];
        if (question === undefined || !seen.includes(question)) return;
        seen = "";
        left.shift();
        child.stdin.write(answer);
      });
      return ended(child);
    },
    everything: () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
        .join("\n"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const callsIn = (path: string): CdkCall[] =>
  existsSync(path)
    ? readFileSync(path, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];

async function ended(child: ReturnType<typeof spawn>): Promise<CommandResult> {
  const texts = { said: "", out: "" };
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    texts.said += text;
  });
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    texts.out += text;
  });
  const [code] = await once(child, "close");
  return { code, ...texts };
}
