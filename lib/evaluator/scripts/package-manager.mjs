// Runs scripts and programs of a project as its package manager would, with npm: everything is installed already.
// Called with the path of npm's own script, the name by which it was called, and its arguments.
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, matchesGlob, relative } from "node:path";
import process from "node:process";

const [npm, manager, ...given] = process.argv.slice(2);
const INSTALLING = /^(?:i|in|install|ci|clean-install|install-clean|prune|dedupe|enable|prepare|use|rebuild)$/;
/** Of the manager, before its command: with a value in a word of its own, and without. */
const VALUED = /^(?:-C|--dir|--cwd|--prefix|-F|--filter|-w|--workspace)$/;

const { options, words } = parted(given);
function main() {
  if (options.version) return say("0.0.0");
  const folders = chosenFolders();
  if (folders.length === 0) return fail("no package of the workspace matches");
  for (const folder of folders) {
    const code = run(words, folder);
    if (code !== 0) return code;
  }
  return 0;
}

function run([verb, ...rest], folder) {
  if (manager === "npm") return npmCommand(verb, rest);
  if (/^(?:npx|pnpx|bunx)$/.test(manager)) return execute([verb, ...rest], folder);
  if (manager === "corepack") return /^(?:pnpm|yarn|npm)/.test(verb ?? "") ? again(verb, rest, folder) : 0;
  if (verb === undefined) return manager === "yarn" || manager === "yarnpkg" ? 0 : fail("no command was given");
  if (INSTALLING.test(verb) && rest.every((word) => word.startsWith("-"))) return 0;
  if (manager === "bun" && (verb === "test" || /\.[cm]?[jt]sx?$/.test(verb))) return absent("bun");
  if (verb === "workspaces" || verb === "workspace") return inWorkspace(verb, rest, folder);
  if (verb === "node") return spawn(process.execPath, rest, folder);
  if (/^(?:exec|x|dlx)$/.test(verb)) return execute(rest[0] === "--" ? rest.slice(1) : rest, folder);
  const called = /^run(?:-script)?$/.test(verb) ? rest : [verb, ...rest];
  if (called[0] === undefined) return fail("no script was named");
  return scriptsIn(folder)[called[0]] === undefined
    ? missingScript(called, folder)
    : npmRun(called[0], called.slice(1), folder);
}

/** npm itself, but for what would fetch packages. */
function npmCommand(verb, rest) {
  if (INSTALLING.test(verb ?? "") && rest.every((word) => word.startsWith("-"))) return 0;
  return npm ? spawn(process.execPath, [npm, ...given], process.cwd()) : absent("npm");
}

function missingScript([name, ...rest], folder) {
  if (options.ifPresent || (options.recursive && name !== "exec")) return 0;
  if (/^(?:t|tst)$/.test(name)) return npmRun("test", rest, folder);
  return execute([name, ...rest], folder);
}

const npmRun = (name, args, folder) =>
  npm
    ? spawn(process.execPath, [npm, "run", "--silent", name, ...(args.length > 0 ? ["--", ...args] : [])], folder)
    : absent("npm");

/** A program of an installed package, or any other that is here. */
function execute(given, folder) {
  const rest = [...given];
  let named;
  while (rest[0]?.startsWith("-")) {
    const option = rest.shift();
    if (option === "--") break;
    if (/^(?:-p|--package)$/.test(option)) named = rest.shift();
    else if (/^(?:-c|--call)$/.test(option)) return spawn("/bin/sh", ["-c", rest.join(" ")], folder);
  }
  const [wanted, ...args] = rest;
  if (wanted === undefined) return named ? 0 : fail("no program was named");
  const name = wanted.replace(/(?!^)@[^/]*$/, "");
  const bin = name.includes("/") ? (binOf(name, folder) ?? name) : name;
  const found = binFolders(folder)
    .map((each) => join(each, bin))
    .find((path) => existsSync(path));
  if (found) return spawn(found, args, folder);
  if (!isManager(bin) && inPath(bin)) return spawn(bin, args, folder);
  process.stderr.write(
    `${manager}: ${wanted} is not installed, and tests have no network to fetch it: declare it in devDependencies\n`,
  );
  return absent(name);
}

const isManager = (name) => /^(?:npm|npx|pnpm|pnpx|yarn|yarnpkg|bun|bunx|corepack)$/.test(name);
const inPath = (name) => (process.env.PATH ?? "").split(":").some((folder) => folder && existsSync(join(folder, name)));

/** The program of a package with a scope is called as its manifest says. */
function binOf(name, folder) {
  for (const each of binFolders(folder)) {
    const bin = read(join(dirname(each), name, "package.json")).bin;
    const own = typeof bin === "string" ? name.split("/")[1] : Object.keys(bin ?? {})[0];
    if (own) return own;
  }
  return undefined;
}

function binFolders(folder) {
  const found = [];
  for (let at = folder; ; at = dirname(at)) {
    found.push(join(at, "node_modules/.bin"));
    if (at === dirname(at)) return found;
  }
}

function again(verb, rest, folder) {
  const [name] = verb.split("@");
  return spawn(process.execPath, [process.argv[1], npm, name, ...rest], folder);
}

/** `yarn workspaces run x`, `yarn workspaces foreach … run x`, `yarn workspace name x`. */
function inWorkspace(verb, rest, folder) {
  const members = membersOf(folder);
  if (verb === "workspace") {
    const one = members.find((each) => read(join(each, "package.json")).name === rest[0]);
    return one ? again("yarn", rest.slice(1), one) : fail(`there is no workspace ${rest[0]}`);
  }
  const command = rest[0] === "foreach" ? rest.slice(1).filter((word) => !word.startsWith("-")) : rest;
  for (const each of members) {
    const name = command[0] === "run" ? command[1] : command[0];
    if (scriptsIn(each)[name ?? ""] === undefined) continue;
    const code = again("yarn", command, each);
    if (code !== 0) return code;
  }
  return 0;
}

function chosenFolders() {
  const at = options.folder ? join(process.cwd(), options.folder) : process.cwd();
  if (!options.recursive && options.filters.length === 0) return [at];
  const wanted = options.filters.map((filter) =>
    filter.replace(/^\.{3}\^?|\^?\.{3}$/g, "").replace(/^\{(.*)\}$/, "$1"),
  );
  const root = rootOf(at);
  return membersOf(root).filter((folder) => {
    const { name = "" } = read(join(folder, "package.json"));
    const matches = (filter) =>
      matchesGlob(name, filter) || matchesGlob(relative(root, folder), filter.replace(/^\.\//, ""));
    const chosen = wanted.filter((filter) => !filter.startsWith("!"));
    return (
      (chosen.length === 0 || chosen.some(matches)) &&
      !wanted.some((filter) => filter.startsWith("!") && matches(filter.slice(1)))
    );
  });
}

function rootOf(folder) {
  for (let at = folder; at !== dirname(at); at = dirname(at)) if (patternsOf(at).length > 0) return at;
  return folder;
}

function patternsOf(folder) {
  const { workspaces } = read(join(folder, "package.json"));
  const listed = Array.isArray(workspaces) ? workspaces : (workspaces?.packages ?? []);
  if (listed.length > 0) return listed;
  const [, block = ""] =
    /^packages:\s*\n((?:[^\S\n]*(?:[-#][^\n]*)?\n)*(?:[^\S\n]*[-#][^\n]*)?)/m.exec(
      text(join(folder, "pnpm-workspace.yaml")),
    ) ?? [];
  return [...block.matchAll(/^[ \t]*-[ \t]*(['"]?)([^\s#'"][^\n#'"]*?)\1[ \t]*(?:#.*)?$/gm)].map(
    ([, , pattern]) => pattern,
  );
}

function membersOf(folder) {
  const patterns = patternsOf(folder);
  const kept = patterns.filter((pattern) => !pattern.startsWith("!"));
  const dropped = patterns.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1));
  return kept
    .flatMap((pattern) => globSync(`${pattern.replace(/\/$/, "")}/package.json`, { cwd: folder }))
    .filter((path) => !path.includes("node_modules/") && !dropped.some((each) => matchesGlob(dirname(path), each)))
    .map((path) => dirname(join(folder, path)))
    .sort();
}

function parted(all) {
  const options = { recursive: false, ifPresent: false, version: false, filters: [], folder: undefined };
  let at = 0;
  for (; all[at]?.startsWith("-"); at += 1) {
    const [name, ...value] = all[at].split("=");
    const rest = value.length > 0 ? value.join("=") : VALUED.test(name) && isValued(name) ? all[++at] : undefined;
    if (/^(?:-F|--filter)$/.test(name)) options.filters.push(rest ?? "");
    else if (/^(?:-C|--dir|--cwd)$/.test(name)) options.folder = rest;
    else if (/^(?:-r|--recursive)$/.test(name)) options.recursive = true;
    else if (name === "--if-present") options.ifPresent = true;
    else if (/^(?:-v|--version)$/.test(name)) options.version = manager !== "npm" && !/px$|bunx/.test(manager);
  }
  // The options before the program of npx are read where that is run.
  if (/^(?:npm|npx|pnpx|bunx)$/.test(manager))
    return { options: { ...options, recursive: false, filters: [], folder: undefined }, words: all };
  const words = all.slice(at);
  const flags = words.filter((word, index) => index > 0 && /^(?:-r|--recursive|--if-present)$/.test(word));
  if (flags.length > 0 && /^(?:run|test|exec)$/.test(words[0] ?? "")) {
    options.recursive ||= flags.some((flag) => /^(?:-r|--recursive)$/.test(flag));
    options.ifPresent ||= flags.includes("--if-present");
    return { options, words: words.filter((word, index) => index === 0 || !flags.includes(word)) };
  }
  return { options, words };
}

/** `-w` of pnpm is the workspace's root. */
function isValued(name) {
  return !(manager === "pnpm" && name === "-w");
}

function scriptsIn(folder) {
  return read(join(folder, "package.json")).scripts ?? {};
}

function read(path) {
  try {
    return Object(JSON.parse(text(path)));
  } catch {
    return {};
  }
}

function text(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function spawn(program, args, cwd) {
  const { status, error } = spawnSync(program, args, { cwd, stdio: "inherit" });
  if (error) process.stderr.write(`${program}: ${error.message}\n`);
  return status ?? 1;
}

function say(words) {
  process.stdout.write(`${words}\n`);
  return 0;
}

function fail(words) {
  process.stderr.write(`${manager}: ${words}\n`);
  return 1;
}

/** As a shell says it. */
function absent(name) {
  process.stderr.write(`sh: 1: ${name}: not found\n`);
  return 127;
}

process.exitCode = main();
