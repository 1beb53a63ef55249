/** What a cold start on AWS waits for that is ours: how large the functions' bundles are, and how long they take to load. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { bundleFunctions } from "../lib/cloud/bundle.ts";
import { layEvaluatorImage } from "../lib/cloud/evaluator-image.ts";
import { MiB } from "../lib/core/limits.ts";
import { median, milliseconds, type Row } from "./table.ts";

const RUNS = 15;
const AIM_MS = 150;
const AIM_BYTES = 1 * MiB;

export async function functions(): Promise<Row[]> {
  const built = mkdtempSync(join(tmpdir(), "l2mac-bench-"));
  try {
    // All but the evaluator are exports of one module: they load the same.
    const code = bundleFunctions(join(built, "functions")).folder;
    const image = layEvaluatorImage(join(built, "image"));
    return [
      size("plan, execute, deliver, record-failure, sweep, api: zipped", code),
      withinAim("… module load (median)", timed(code, LOADED)),
      { what: "… api: its first answer, after that", figure: milliseconds(timed(code, ANSWERED)), aim: "" },
      size("evaluator: zipped, without its image", image),
      withinAim("… module load (median)", timed(image, LOADED)),
    ];
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}

function size(what: string, folder: string): Row {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const contents = paths.map(({ parentPath, name }) => [
    join(parentPath, name).slice(folder.length + 1),
    readFileSync(join(parentPath, name)),
  ]);
  const bytes = zipSync(Object.fromEntries(contents), { level: 9 }).length;
  return { what, figure: `${(bytes / 1024).toFixed(0)} KiB`, aim: "≤ 1 MiB", reached: bytes <= AIM_BYTES };
}

const withinAim = (what: string, ms: number): Row => ({
  ...{ what, figure: milliseconds(ms), aim: `≤ ${AIM_MS} ms`, reached: ms <= AIM_MS },
});

const LOADED = `
  const start = performance.now();
  await import("./entry.mjs");
  console.log(performance.now() - start);`;

/** The document of the API needs nothing of AWS; opening the API loads what it alone has. */
const ANSWERED = `
  const { api } = await import("./entry.mjs");
  const requestContext = { requestId: "bench", stage: "v1", identity: { userArn: "arn:aws:iam::1:user/bench" } };
  const event = { httpMethod: "GET", path: "/openapi.json", requestContext, body: null };
  const start = performance.now();
  const { statusCode } = await api(event, {});
  console.log(statusCode === 200 ? performance.now() - start : statusCode);`;

const ENV = {
  ...{ TABLE_NAME: "bench", BUCKET_NAME: "bench", SECRET_ID: "bench", STATE_MACHINE_ARN: "bench", AWS_REGION: "none" },
};

/** A fresh process each time, where no packages can be found. */
function timed(cwd: string, script: string): number {
  const times: number[] = [];
  for (let run = 0; run <= RUNS; run += 1) {
    const argv = ["--input-type=module", "-e", script];
    const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd, env: ENV, encoding: "utf8" });
    if (status !== 0) throw new Error(`A function ended with ${status}: ${stderr}`);
    // The first run warms the file system.
    if (run > 0) times.push(Number(stdout.trim().split("\n").at(-1)));
  }
  return median(times);
}
