/** How long the command takes to say what it can do. */
import { spawnSync } from "node:child_process";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { median, milliseconds, type Row } from "./table.ts";

const RUNS = 15;
const AIM_MS = 150;

export async function startUp(): Promise<Row[]> {
  const help = timed(["bin/l2mac.mjs", "--help"]);
  const bare = timed(["-e", "0"]);
  return [
    { what: "l2mac --help (median)", figure: milliseconds(help), aim: `≤ ${AIM_MS} ms`, reached: help <= AIM_MS },
    { what: "… of that, Node itself", figure: milliseconds(bare), aim: "" },
  ];
}

function timed(args: string[]): number {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const times: number[] = [];
  for (let run = 0; run <= RUNS; run += 1) {
    const start = performance.now();
    const { status } = spawnSync(process.execPath, args, { cwd });
    if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}`);
    // The first run warms the file system.
    if (run > 0) times.push(performance.now() - start);
  }
  return median(times);
}
