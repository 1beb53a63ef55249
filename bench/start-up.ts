/** How long the packed command takes to say what it can do, and how much processor time it takes to list no runs. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { median, milliseconds, type Row } from "./table.ts";

const RUNS = 15;
const AIM_MS = 150;
const LIST_AIM_MS = 300;

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const HERE = { cwd: ROOT, encoding: "utf8" } as const;

export async function startUp(): Promise<Row[]> {
  const command = pack();
  const help = timed([command, "--help"]);
  const bare = timed(["-e", "0"]);
  const list = processorTime([command, "list"]);
  return [
    { what: "l2mac --help (median)", figure: milliseconds(help), aim: `≤ ${AIM_MS} ms`, reached: help <= AIM_MS },
    { what: "… of that, Node itself", figure: milliseconds(bare), aim: "" },
    {
      what: "l2mac list, processor time (median)",
      figure: milliseconds(list),
      aim: `≤ ${LIST_AIM_MS} ms`,
      reached: list <= LIST_AIM_MS,
    },
  ];
}

/** The package as users install it, where it finds what it depends on. */
function pack(): string {
  const place = join(ROOT, "node_modules/.cache/l2mac-packed");
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", place], HERE);
  execFileSync("tar", ["-xzf", packed.trim().split("\n").at(-1) as string], { cwd: place });
  return join(place, "package/bin/l2mac.mjs");
}

function timed(args: string[]): number {
  const times: number[] = [];
  for (let run = 0; run <= RUNS; run += 1) {
    const start = performance.now();
    const { status } = spawnSync(process.execPath, args, HERE);
    if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}`);
    // The first run warms the file system.
    if (run > 0) times.push(performance.now() - start);
  }
  return median(times);
}

/** The process says it when it ends, on a line of its own. */
const SAY =
  'data:text/javascript,process.on("exit",()=>{const used=process.cpuUsage();console.error("\\n"+(used.user+used.system))})';

function processorTime(args: string[]): number {
  const home = mkdtempSync(join(tmpdir(), "l2mac-start-"));
  const env = { PATH: process.env.PATH, HOME: home, L2MAC_HOME: join(home, "runs") };
  const times: number[] = [];
  for (let run = 0; run <= RUNS; run += 1) {
    const { status, stderr } = spawnSync(process.execPath, ["--import", SAY, ...args], { ...HERE, env });
    if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
    if (run > 0) times.push(Number(stderr.trim().split("\n").at(-1)) / 1_000);
  }
  rmSync(home, { recursive: true, force: true });
  return median(times);
}
