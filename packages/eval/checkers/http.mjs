/**
 * Starts the server of each tree and sends it the requests of each check. What the server says is only data here. The
 * last line of the output begins with a number that only the caller knows.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";

// It would open a debugger for what started this: a server could then decide its own checks.
process.on("SIGUSR1", () => {});

const REQUEST_MS = 10_000;
const POLL_MS = 25;
/** A server reads its own folder only: not this process's memory, whose user it shares. Newer Nodes name the network. */
const PERMISSIONS = [
  "--permission",
  ...["--allow-net"].filter((each) => process.allowedNodeEnvironmentFlags.has(each)),
];

async function outcomeOf({ folder, spec: { checks }, seconds }) {
  const none = (why) => [0, checks.length, [why]];
  if (!existsSync(join(folder, "server.mjs"))) return none("there is no server.mjs");
  const end = Date.now() + seconds * 1000;
  const port = await freePort();
  const cwd = resolve(folder);
  const child = spawn(process.execPath, [...PERMISSIONS, `--allow-fs-read=${cwd}`, "server.mjs"], {
    cwd,
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: "ignore",
    detached: true,
  });
  const closed = once(child, "close").catch(() => {});
  try {
    const isUp = await isListening(port, { end, child });
    return isUp ? await runChecks(checks, { port, end }) : none("the server does not listen on PORT");
  } finally {
    endAll(child);
    await closed;
  }
}

async function runChecks(checks, place) {
  const failures = [];
  for (const [at, { name, steps }] of checks.entries()) {
    const problem = await problemIn(steps, { ...place, saved: { u: `${at}x` } });
    if (problem !== undefined) failures.push(`${name}: ${problem}`.slice(0, 160));
  }
  return [checks.length - failures.length, checks.length, failures.slice(0, 3)];
}

async function problemIn(steps, place) {
  try {
    for (const step of steps) await take(step, place);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Throws where the answer is not the expected one. */
async function take(step, { port, end, saved }) {
  const { ask, as, body, status, has, header, save = {} } = filled(step, saved);
  const [method, path] = ask.split(" ");
  const left = Math.min(REQUEST_MS, end - Date.now());
  if (left <= 0) throw new Error("the time is over");
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    redirect: "manual",
    signal: AbortSignal.timeout(left),
    headers: { "content-type": "application/json", ...(as === undefined ? {} : { authorization: `Bearer ${as}` }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answered = await response.text();
  if (response.status !== status) throw new Error(`${ask} answered ${response.status}, not ${status}`);
  for (const [name, value] of Object.entries(header ?? {}))
    if (response.headers.get(name) !== value) throw new Error(`${ask} answered another ${name}`);
  const found = parsed(answered);
  if (has !== undefined && !matches(has, found)) throw new Error(`${ask} answered ${answered.slice(0, 60)}`);
  for (const [name, key] of Object.entries(save)) saved[name] = String(found?.[key]);
}

const parsed = (answered) => {
  try {
    return JSON.parse(answered);
  } catch {
    return answered;
  }
};

/** `<name>` is what was saved under the name. */
function filled(value, saved) {
  if (typeof value === "string") return value.replace(/<(\w+)>/g, (whole, name) => saved[name] ?? whole);
  if (Array.isArray(value)) return value.map((each) => filled(each, saved));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [filled(key, saved), filled(each, saved)]));
}

/** Objects may have more than is expected, lists may not, unless `$some` or `$none` is asked for. */
function matches(expected, found) {
  if (expected === null || typeof expected !== "object") return expected === found || String(found) === expected;
  if (Array.isArray(expected))
    return (
      Array.isArray(found) &&
      found.length === expected.length &&
      expected.every((each, index) => matches(each, found[index]))
    );
  if ("$some" in expected) return Array.isArray(found) && found.some((each) => matches(expected.$some, each));
  if ("$none" in expected) return Array.isArray(found) && !found.some((each) => matches(expected.$none, each));
  if ("$matches" in expected) return typeof found === "string" && new RegExp(expected.$matches).test(found);
  if (found === null || typeof found !== "object") return false;
  return Object.entries(expected).every(([key, each]) => matches(each, found[key]));
}

async function isListening(port, { end, child }) {
  while (Date.now() < end && child.exitCode === null && child.signalCode === null) {
    if (await canConnect(port)) return true;
    await delay(POLL_MS);
  }
  return false;
}

const canConnect = (port) =>
  new Promise((answer) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => answer(true)).once("error", () => answer(false));
    socket.once("connect", () => socket.destroy());
  });

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

function endAll({ pid }) {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

const asked = JSON.parse(await text(process.stdin));
const outcomes = [];
for (const entry of asked.entries) outcomes.push(await outcomeOf(entry));
process.stdout.write(`\n${asked.nonce} ${JSON.stringify(outcomes)}\n`, () => process.exit(0));
