/** Runs the project's own cdk, on the project's own Node, as a child that knows nothing it need not know. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface Cdk {
  /** The project's folder: where cdk.json is. */
  root: string;
  node: string;
  program: string;
}

export interface CdkAsked {
  args: string[];
  env: Readonly<Record<string, string | undefined>>;
  onLine?: (line: string) => void;
  /** When cdk is to end; what CloudFormation has begun goes on. */
  signal?: AbortSignal | undefined;
}

export interface CdkEnded {
  code: number;
  /** All that it said, on both streams. */
  lines: string[];
}

export function runCdk(
  { root, node, program }: Cdk,
  { args, env, onLine = () => {}, signal }: CdkAsked,
): Promise<CdkEnded> {
  const child = spawn(node, [program, ...args], {
    cwd: root,
    // Its questions were asked before it was started.
    stdio: ["ignore", "pipe", "pipe"],
    env: environmentFor(env),
  });
  const stop = (): void => void child.kill("SIGTERM");
  signal?.addEventListener("abort", stop);
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      onLine(line);
    });
  }
  return new Promise((resolve) => {
    child.on("error", (error) => resolve({ code: 1, lines: [...lines, `cdk does not start: ${error.message}`] }));
    child.on("close", (code) => {
      signal?.removeEventListener("abort", stop);
      resolve({ code: code ?? 1, lines });
    });
  });
}

/** What is a key of a model server's is none of its business. */
const SECRET = /^(OPENAI_|AZURE_OPENAI_|ANTHROPIC_)|_API_KEY$/;

export function environmentFor(env: CdkAsked["env"]): Record<string, string> {
  const passed = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || SECRET.test(name) ? [] : [[name, value] as const],
  );
  return {
    ...Object.fromEntries(passed),
    // Lambda takes no image that comes with a list of attestations.
    BUILDX_NO_DEFAULT_ATTESTATIONS: "1",
    CDK_DISABLE_VERSION_CHECK: "1",
    NO_COLOR: "1",
    FORCE_COLOR: "0",
  };
}
