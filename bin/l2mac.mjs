#!/usr/bin/env node
/** The command: finds a Node that can run it, starts that one if it must, and ends as it ends. Runs on any Node from 14 on. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const [major, minor] = process.versions.node.split(".").map(Number);
const CONFIGURATION = 3;
/** The command stops within two seconds of a signal; one that does not is stuck. */
const PATIENCE_MS = 10000;

const source = new URL("../lib/cli/main.ts", import.meta.url);
const bundle = new URL("../dist/cli.js", import.meta.url);
const pinned = at(process.platform === "win32" ? "../node_modules/node/bin/node.exe" : "../node_modules/node/bin/node");

if (existsSync(source)) startInClone();
else startInPackage();

/** A clone runs its TypeScript as it is, which takes Node 24. */
function startInClone() {
  if (major >= 24) rememberCompiled("../node_modules/.cache/l2mac").then(() => run(source));
  else if (existsSync(pinned) && process.env.L2MAC_LAUNCHED === undefined) startPinned();
  else {
    complain(
      `this is Node ${process.versions.node}, and the Node that comes with the project is not installed.`,
      "npm ci --ignore-scripts=false   (or use Node 24 or later)",
    );
  }
}

/** Taking types off and compiling take most of the time in which a command starts; what comes of them is kept beside it, where that can be written. */
function rememberCompiled(place) {
  return import("node:module").then((module) => module.enableCompileCache(at(place)));
}

function startInPackage() {
  const { engines } = JSON.parse(readFileSync(at("../package.json"), "utf8"));
  const [oldestMajor, oldestMinor] = engines.node.match(/\d+/g).map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor))
    rememberCompiled("../dist/compiled").then(() => run(bundle));
  else
    complain(
      `Node ${oldestMajor}.${oldestMinor} or later is needed, and this is ${process.versions.node}.`,
      "install Node 24, then run the same command again",
    );
}

function run(main) {
  quieten();
  // Most schemas are used a few times in a process, and zod takes longer to compile one than to walk through it.
  globalThis.__zod_globalConfig = { jitless: true };
  const launched = process.env.L2MAC_LAUNCHED !== undefined;
  delete process.env.L2MAC_LAUNCHED;
  import(main.href)
    .then((command) => command.main(process.argv.slice(2), { launched }))
    .catch((error) => {
      if (process.env.L2MAC_DEBUG) console.error(error);
      complain(`it does not start: ${String(error.message).split("\n")[0]}`, "npm ci   (L2MAC_DEBUG=1 shows more)");
    });
}

/** What works here is not worth a warning; any other warning is. */
function quieten() {
  const emit = process.emit;
  process.emit = (name, data, ...rest) => {
    const known = name === "warning" && data && data.name === "ExperimentalWarning";
    if (known && /SQLite|[Tt]ype [Ss]tripping/.test(String(data.message))) return false;
    return emit.call(process, name, data, ...rest);
  };
}

/**
 * The channel is a lifeline: it closes when this process is killed, however that was, and the command ends with it.
 * Signals go through it too, marked as forwarded, because a terminal's Ctrl-C reaches both processes by itself.
 */
function startPinned() {
  const child = spawn(pinned, [at("l2mac.mjs")].concat(process.argv.slice(2)), {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: Object.assign({}, process.env, { L2MAC_LAUNCHED: "1" }),
  });
  const end = () => child.kill("SIGKILL");
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      if (!child.connected) return end();
      child.send({ signal }, () => {});
      setTimeout(end, PATIENCE_MS).unref();
    });
  }
  child.on("error", (error) => complain(`Node at ${pinned} does not start: ${error.message}`, "npm ci"));
  child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
}

function complain(what, remedy) {
  console.error(`l2mac: ${what}\nNext: ${remedy}`);
  process.exitCode = CONFIGURATION;
}
