// The report of Node's test runner, each line sealed with a key that came through a pipe before anything of the project
// was loaded. Nothing here can keep a secret from code of the same process that looks for exactly this; it holds off
// other processes and anything that only writes to the file.
import { createHmac } from "node:crypto";
import { appendFileSync, closeSync, readFileSync, readSync } from "node:fs";
import { env } from "node:process";

const { stringify, parse } = JSON;
/** Named in the environment of the process that is to read it, and of no other. */
const MARK = "L2MAC_SEALED";

const order = received();
const path = order?.report;
let written = 0;

function received() {
  const from = env[MARK];
  delete env[MARK];
  if (from !== "0" && from !== "3") return undefined;
  const text = readPipe(Number(from));
  // Its own input is at its end: another in its place would be none that Node has looked at, and end the process.
  if (from !== "0") closeSync(Number(from));
  return parse(text);
}

/** To its end. A pipe that does not block has nothing yet where the key comes late. */
function readPipe(descriptor) {
  const parts = [];
  const chunk = Buffer.alloc(4096);
  for (let length = -1; length !== 0; ) {
    try {
      length = readSync(descriptor, chunk);
      parts.push(Buffer.from(chunk.subarray(0, length)));
    } catch (problem) {
      if (problem.code !== "EAGAIN") throw problem;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
  return Buffer.concat(parts).toString();
}

/** Whether there is a report to write to. */
export const reports = path !== undefined;
/** Whether this is the runner that was started with the key, and not a process that it gave the key to. */
export const isRoot = order !== undefined && !order.handedOn;
/** Whether it was started with one script that is a test by itself. */
export const isAlone = isRoot && order.alone === true;

const sealOf = (text) => createHmac("sha256", Buffer.from(order.key, "hex")).update(text).digest("hex");
const sealed = (text) => (order ? `${sealOf(text)} ${text}` : text);

/** A line of the report, which only the runner itself writes. */
export function emit(line) {
  const text = stringify(line);
  appendFileSync(path, `${sealed(order ? `${written++} ${text}` : text)}\n`);
}

/** What the process of a test file has to say about its end. */
export const tell = (line) => appendFileSync(`${path}.guard`, `${sealed(stringify(line))}\n`);

/** What the processes reported. Lines that none of them wrote are left out and counted. */
export function guardReports() {
  const found = { lines: [], foreign: 0 };
  for (const line of guardLines()) {
    const text = order ? line.slice(65) : line;
    if (order && line.slice(0, 64) !== sealOf(text)) found.foreign += 1;
    else found.lines.push(parse(text));
  }
  return found;
}

function guardLines() {
  try {
    return readFileSync(`${path}.guard`, "utf8").split("\n").filter(Boolean);
  } catch {
    return []; // No process of a test file came to its end.
  }
}

/** Hands the key on to the processes of test files, by a pipe of their own. */
export function handOn(ChildProcess) {
  const { spawn } = ChildProcess.prototype;
  ChildProcess.prototype.spawn = function (options) {
    const { envPairs, stdio } = options;
    if (!envPairs?.some((pair) => pair.startsWith("NODE_TEST_CONTEXT=child"))) return spawn.call(this, options);
    const three = Array.isArray(stdio) ? stdio.slice(0, 3) : Array(3).fill(stdio ?? "pipe");
    options.stdio = [...three, "pipe"];
    options.envPairs = [...envPairs, `${MARK}=3`];
    const result = spawn.call(this, options);
    this.stdio[3]?.on("error", () => {}).end(stringify({ ...order, handedOn: true }));
    return result;
  };
}
