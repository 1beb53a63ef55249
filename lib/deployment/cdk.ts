/** Runs the project's own cdk on the project's own Node, in the user's terminal, and keeps its output to explain failures. */
import { spawn } from "node:child_process";

export interface Cdk {
  /** The project's folder, with cdk.json. */
  root: string;
  node: string;
  program: string;
}

export interface CdkCall {
  args: string[];
  env: Readonly<Record<string, string | undefined>>;
  /** Where its output is shown; absent: nowhere. */
  output?: NodeJS.WritableStream;
  /** Whether cdk may ask the user, on the terminal of this process. */
  interactive?: boolean;
  /** Stops cdk; CloudFormation continues with what it has started. */
  signal?: AbortSignal | undefined;
}

export interface CdkResult {
  code: number;
  lines: string[];
}

export function runCdk({ root, node, program }: Cdk, call: CdkCall): Promise<CdkResult> {
  const { args, env, output, interactive = false, signal } = call;
  const child = spawn(node, [program, ...args, "--no-notices", "--no-ci"], {
    cwd: root,
    // Questions go to standard output, which must be a terminal for them; ours holds the API's address only.
    stdio: [interactive ? "inherit" : "ignore", interactive ? 2 : "pipe", "pipe"],
    env: environmentFor(env),
  });
  const stop = (): void => void child.kill("SIGTERM");
  signal?.addEventListener("abort", stop);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      output?.write(chunk);
    });
  }
  return new Promise((resolve) => {
    child.on("error", (error) => resolve({ code: 1, lines: [`cdk does not start: ${error.message}`] }));
    child.on("close", (code) => {
      signal?.removeEventListener("abort", stop);
      resolve({ code: code ?? 1, lines: text.split(/\r?\n/) });
    });
  });
}

/** cdk needs no key of a model server. */
const SECRET = /^(OPENAI_|AZURE_OPENAI_|ANTHROPIC_)|_API_KEY$/;

export function environmentFor(env: CdkCall["env"]): Record<string, string> {
  const passed = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || SECRET.test(name) ? [] : [[name, value] as const],
  );
  return {
    ...Object.fromEntries(passed),
    // Lambda accepts no image with attestations.
    BUILDX_NO_DEFAULT_ATTESTATIONS: "1",
    CDK_DISABLE_VERSION_CHECK: "1",
    NO_COLOR: "1",
    FORCE_COLOR: "0",
  };
}

/** `L2mac | 12/97 | 10:02:11 AM | CREATE_COMPLETE | AWS::S3::Bucket | Storage/Files (StorageFiles1A2B) …` */
const EVENT = /^\S+ \|\s*\d+(\/\d+)? \| [^|]+ \| [A-Z_]+\s*\|/;
/** A resource that failed by itself, not because another one did. */
const FAILED = /\| (CREATE|UPDATE|DELETE)_FAILED\b(?!.*Resource (creation|update) cancelled)/;
const SUCCESS = /: (success|start): |^\s*[✨✅]/u;

/** The lines that can explain a failure, without progress. Pure. */
export const errorLines = (lines: readonly string[]): string[] =>
  lines.filter((line) => FAILED.test(line) || !(EVENT.test(line) || SUCCESS.test(line) || line.trim() === ""));
