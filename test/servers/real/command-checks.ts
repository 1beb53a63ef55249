/** The real command against real servers: it ends in plain words, with the right exit code, within its caps and for $0. */
import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, expectThat } from "./checks.ts";
import { type LlamaServer, startLlama } from "./servers.ts";

const COMMAND = new URL("../../../bin/l2mac.mjs", import.meta.url).pathname;
const TASK = "A to-do list for the terminal";
const PROGRAM = "1. **A to-do list**\n\n   Write todo.py with add and list commands, and tests in test_todo.py.\n";
const COMMAND_MS = 360_000;

interface Wanted {
  codes: number[];
  /** In what it prints. */
  words: RegExp;
  turns: number;
}

interface Server {
  folder: string;
  llama: LlamaServer;
}

export async function checkNoise({ folder, llama }: Server, template: string): Promise<void> {
  const program = join(folder, "program.md");
  writeFileSync(program, PROGRAM);
  await checkCommand("Noise that ignores native tools ends stuck", {
    server: { folder, llama: { ...llama, template } },
    args: ["--program", program, "--max-turns", "30"],
    wanted: { codes: [5], words: /stuck: the same calls came back/, turns: 30 },
  });
  await checkCommand("Noise under the schema of planning is no program", {
    server: { folder, llama },
    args: ["--max-turns", "30"],
    wanted: { codes: [4, 5], words: /wrote no program that could be used|stuck/, turns: 30 },
  });
  await checkCommand("Noise under the schemas of code is never green", {
    server: { folder, llama },
    args: ["--program", program, "--max-turns", "40", "--seed", "1"],
    wanted: { codes: [1, 5, 7], words: /could not be checked|not all of it could be checked|stuck|turns/, turns: 40 },
  });
}

/** The first ceiling that lets a turn begin: what is said is of no use, but a real model says it. */
export const checkSmolLm = (server: Server): Promise<void> =>
  checkCommand("SmolLM2 is asked for its window, talks, and costs nothing", {
    server,
    args: ["--max-turns", "2", "--max-minutes", "5", "--max-tokens"],
    ceilings: ["6000", "7500", "9000"],
    wanted: { codes: [4, 5, 7], words: /window 8\.19k[\s\S]*turn 1: .* in, [1-9][\d.k]* out/, turns: 2 },
  });

interface CommandCheck {
  server: Server;
  args: string[];
  /** Values of the last argument, until a turn is made. */
  ceilings?: string[];
  wanted: Wanted;
}

async function checkCommand(name: string, { server, args, ceilings = [], wanted }: CommandCheck): Promise<void> {
  await check(name, async () => {
    const started = await startLlama(server.llama);
    try {
      const at = ["--base-url", `${started.origin}/v1`];
      let { code, said, turns } = await runCommand([...at, ...args, ...ceilings.slice(0, 1)], server.folder);
      for (const ceiling of ceilings.slice(1)) {
        if (turns > 0) break;
        ({ code, said, turns } = await runCommand([...at, ...args, ceiling], server.folder));
      }
      const shown = `exit ${code} after ${turns} turns: ${said.slice(-1_500)}`;
      expectThat(code !== null && wanted.codes.includes(code), shown);
      expectThat(wanted.words.test(said), `"${wanted.words.source}" is not said: ${shown}`);
      expectThat(/^Cost: \$0\.00/m.test(said), `it is not said that it cost nothing: ${shown}`);
      expectThat(turns > 0 && turns <= wanted.turns, `not within its caps: ${shown}`);
      expectThat(!/\n\s+at .*:\d+:\d+/.test(said), `a stack trace: ${shown}`);
      return `exit ${code} after ${turns} turns: ${/^(?:failed|partial|Completed|stopped).*$/m.exec(said)?.[0] ?? ""}`;
    } finally {
      await started.stop();
    }
  });
}

interface Ended {
  code: number | null;
  said: string;
  turns: number;
}

async function runCommand(args: string[], folder: string): Promise<Ended> {
  const home = mkdtempSync(join(folder, "run-"));
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|L2MAC|OPENAI)/.test(name));
  const child = spawn(process.execPath, [COMMAND, "run", TASK, "--model", "local", "--out", "out", ...args], {
    cwd: home,
    env: { ...Object.fromEntries(own), L2MAC_HOME: join(home, "home"), L2MAC_EVIDENCE: "off" },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: COMMAND_MS,
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes: Buffer) => (said += bytes.toString()));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, said, turns: [...said.matchAll(/^\s+turn \d+: .*$/gm)].length };
}
