/**
 * Runs the tests of an exercise with each solution: takes the solution's source files, adds the tests, compiles, removes
 * the sources, and executes. It is solved only if the program that runs the tests ends well and, after the last test,
 * prints the key that was sent to its standard input. The last line of the output begins with a number that only the
 * caller knows.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";

process.on("SIGUSR1", () => {});

const COMPILE_SECONDS = 240;
const SOURCE_BYTES = 1_000_000;
const OUTPUT_BYTES = 1_000_000;
const base = mkdtempSync(join(resolve(tmpdir()), "exercises-"));
const shared = new Map();

async function outcomeOf({ folder, spec, seconds }) {
  const refused = (why) => [0, 1, [why.slice(0, 300)]];
  const sources = sourcesIn(folder, spec);
  const missing = spec.needs.find((path) => !(path in sources));
  if (missing !== undefined) return refused(`there is no ${missing}`);
  const work = mkdtempSync(join(base, "work-"));
  try {
    const place = { work, shared: await sharedFolder(spec.shared) };
    write(work, { ...sources, ...spec.files });
    for (const argv of spec.compile) {
      const { code, said } = await execute(argv, { ...place, seconds: COMPILE_SECONDS, stdin: "" });
      if (code !== 0) return refused(`it does not compile: ${said}`);
    }
    for (const path of Object.keys(spec.compile.length > 0 ? { ...sources, ...spec.files } : {}))
      rmSync(join(work, path), { force: true });
    const key = randomUUID();
    const { code, out, said } = await execute(spec.run, {
      ...place,
      seconds: Math.min(spec.seconds, seconds),
      stdin: `${key}\n${spec.stdin}`,
    });
    const isPassed = code === 0 && out.split("\n").includes(`${key} passed`);
    return isPassed ? [1, 1, []] : refused(said || `the tests ended with ${code} before the last one`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Ordinary files with the names that are asked for, or all of a folder. Those of the tests are replaced. */
function sourcesIn(folder, { paths, all }) {
  const found = {};
  for (const path of [...paths, ...(all ? namesIn(join(folder, all)).map((name) => join(all, name)) : [])]) {
    const about = lstatSync(join(folder, path), { throwIfNoEntry: false });
    if (about?.isFile() && about.size <= SOURCE_BYTES) found[path] = readFileSync(join(folder, path));
  }
  return found;
}

function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** What all solutions of a language are compiled with, compiled once. */
async function sharedFolder(spec) {
  if (!spec) return "";
  const known = shared.get(spec.name);
  if (known) return known;
  const work = mkdtempSync(join(base, "shared-"));
  write(work, spec.files);
  for (const argv of spec.compile) {
    const { code, said } = await execute(argv, { work, seconds: COMPILE_SECONDS, stdin: "" });
    if (code !== 0) throw new Error(`The harness of ${spec.name} does not compile: ${said}`);
  }
  shared.set(spec.name, work);
  return work;
}

function write(work, files) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    writeFileSync(join(work, path), content);
  }
}

/** In a group of its own, of which nothing is left. */
function execute(argv, { work, shared: harness = "", seconds, stdin }) {
  const [program, ...args] = argv.map((each) => each.replaceAll("<work>", work).replaceAll("<shared>", harness));
  return new Promise((answer) => {
    const child = spawn(program === "node" ? process.execPath : program, args, {
      cwd: work,
      env: environment(),
      detached: true,
    });
    const end = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // It has ended.
      }
    };
    let out = "";
    let err = "";
    const timer = setTimeout(() => {
      err = "the time is over";
      end();
    }, seconds * 1000);
    child.stdout.on("data", (data) => {
      out = (out + data).slice(-OUTPUT_BYTES);
    });
    child.stderr.on("data", (data) => {
      err = (err + data).slice(-OUTPUT_BYTES);
    });
    child.stdin.on("error", () => {});
    child.stdin.end(stdin);
    const done = (code) => {
      clearTimeout(timer);
      end();
      answer({ code, out, said: lastOf(err) || lastOf(out) });
    };
    // What it started may hold its output open.
    child.once("exit", end);
    child.once("error", ({ code }) => done(code));
    child.once("close", (code) => done(code));
  });
}

const lastOf = (said) => said.trim().split("\n").slice(-4).join(" ").slice(-240);

const environment = () => ({
  PATH: process.env.PATH,
  HOME: base,
  TMPDIR: base,
  LANG: "C.UTF-8",
  TZ: "UTC",
  GOCACHE: join(base, "go-cache"),
  GOPATH: join(base, "go"),
  GOPROXY: "off",
  GOTOOLCHAIN: "local",
  GOENV: "off",
  GOFLAGS: "-mod=mod",
  CGO_ENABLED: "0",
});

const asked = JSON.parse(await text(process.stdin));
const outcomes = [];
for (const entry of asked.entries) outcomes.push(await outcomeOf(entry));
rmSync(base, { recursive: true, force: true });
process.stdout.write(`\n${asked.nonce} ${JSON.stringify(outcomes)}\n`, () => process.exit(0));
