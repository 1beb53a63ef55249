/**
 * What lies between the command and the first byte that a local submission stores. Files are counted by the call stack
 * of a real run: `trace-submission.mjs` takes an asynchronous stack trace, of any depth, when the first file of the run
 * is written, and names each of the project's files on it once.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, milliseconds, type Row } from "./table.ts";

const RUNS = 5;
const AIM_FILES = 24;

export async function submission(): Promise<Row[]> {
  const traces = Array.from({ length: RUNS }, traceOnce);
  const files = traces.at(-1)?.files ?? [];
  const time = median(traces.map(({ ms }) => ms));
  const isShort = files.length > 0 && files.length <= AIM_FILES;
  return [
    { what: "files on the stack of a submission", figure: `${files.length}`, aim: `≤ ${AIM_FILES}`, reached: isShort },
    { what: "command to first stored byte (median)", figure: milliseconds(time), aim: "" },
  ];
}

interface Trace {
  /** Since the process began. */
  ms: number;
  /** The innermost first. */
  files: string[];
}

function traceOnce(): Trace {
  const folder = mkdtempSync(join(tmpdir(), "l2mac-submission-"));
  const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  try {
    const { stderr } = spawnSync(
      process.execPath,
      ["--import", at("./trace-submission.mjs"), at("../bin/l2mac.mjs"), "run", "--rehearse", "--no-tests"],
      {
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: folder, L2MAC_UNSEALED: "1", L2MAC_EVIDENCE: "off" },
        encoding: "utf8",
      },
    );
    const line = stderr.split("\n").find((each) => each.startsWith("TRACE "));
    if (line === undefined) throw new Error(`The submission stored nothing: ${stderr}`);
    return JSON.parse(line.slice("TRACE ".length)) as Trace;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
