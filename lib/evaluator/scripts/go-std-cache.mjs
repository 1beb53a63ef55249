// Compiles packages of Go's standard library into a cache that outlasts evaluations, and hands out a copy of it. Of the
// project it knows nothing but names of standard packages: what it compiles is the toolchain's own code.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const [go, kept, copy] = process.argv.slice(2);
/** Who runs sealed is somebody else than who runs unsealed, and trusts nothing that the other made. */
const folder = `${kept}-${process.getuid?.() ?? "own"}`;
const cache = join(folder, "cache");
const record = join(folder, "packages.json");
/** What is not compiled by then is another time's work. What is, stays. */
const FILL_MS = 120_000;

mkdirSync(cache, { recursive: true });
const isWarm = fill(JSON.parse(readFileSync(0, "utf8")));
cpSync(cache, copy, { recursive: true });
process.stdout.write(isWarm ? "warm" : "cold");

/** All that is known is asked for again with what is new: Go removes what was not used for days. */
function fill({ packages, root }) {
  const known = recorded();
  const added = packages.filter((name) => !known.includes(name) && isStandard(root, name));
  if (added.length === 0) return true;
  const all = [...new Set([...known, ...added])].sort();
  const module = join(process.env.TMPDIR, "standard");
  mkdirSync(module, { recursive: true });
  writeFileSync(join(module, "go.mod"), "module standard\n");
  const imports = all.filter((name) => name !== "testing").map((name) => `import _ "${name}"\n`);
  writeFileSync(join(module, "standard.go"), `package standard\n\n${imports.join("")}`);
  const test = 'package standard\n\nimport "testing"\n\nfunc TestNothing(t *testing.T) {}\n';
  writeFileSync(join(module, "standard_test.go"), test);
  const env = { ...process.env, GOCACHE: cache };
  const ends = Date.now() + FILL_MS;
  const ended = ["vet", "test"].map((what) => {
    const timeout = Math.max(1, ends - Date.now());
    return spawnSync(go, [what, "."], { cwd: module, env, stdio: "ignore", timeout }).status;
  });
  const isWhole = ended.every((status) => status === 0);
  if (isWhole) keep(all);
  return isWhole;
}

/** Names come from the project: only what lies in the toolchain under that name is compiled. */
function isStandard(root, name) {
  const wellFormed = /^[a-z][a-z0-9]*(?:\/[a-z0-9]+)*$/.test(name);
  const forbidden = /(?:^|\/)(?:internal|vendor|testdata)(?:\/|$)|^(?:cmd|builtin|unsafe)(?:\/|$)/.test(name);
  return wellFormed && !forbidden && existsSync(join(root, "src", name));
}

function recorded() {
  try {
    return JSON.parse(readFileSync(record, "utf8"));
  } catch {
    return [];
  }
}

/** Two evaluations may add to it at once: one that is forgotten is added another time. */
function keep(packages) {
  const draft = `${record}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(packages));
  renameSync(draft, record);
}
