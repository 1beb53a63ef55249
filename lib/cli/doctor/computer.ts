/** Findings about this computer: Node, the home folder, SQLite, and the evaluator's tools. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { size, span } from "../../core/text/format.ts";
import type { Finding } from "../../deployment/finding.ts";
import { projectVersion } from "../../files/project-files.ts";
import { CACHE_LIMITS, cacheFolder } from "../../sandbox/cache.ts";
import { bytesOf } from "../../sandbox/folder-bytes.ts";
import { openEvaluator } from "../../sandbox/open-evaluator.ts";
import { findProgram } from "../../sandbox/toolchain.ts";
import type { Shell } from "../display/shell.ts";
import { homeOf } from "../settings/settings.ts";

export async function computerFindings(shell: Shell): Promise<Finding[]> {
  const home = homeOf(shell);
  return [
    { what: "l2mac", state: "ok", says: `${projectVersion()} on Node ${process.versions.node}, ${process.platform}` },
    homeFinding(home),
    await sqliteFinding(),
    ...evaluatorFindings(shell.env),
    ...(await cacheFindings(home)),
  ];
}

function homeFinding(home: string): Finding {
  let folder = home;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    // By writing: permissions do not show that it is a file or on a read-only disk.
    rmdirSync(mkdtempSync(join(folder, ".l2mac-doctor-")));
    return { what: "home", state: "ok", says: `${home}${folder === home ? "" : " (created by the first run)"}` };
  } catch {
    return { what: "home", state: "missing", says: `${home} is not writable; set L2MAC_HOME to a folder that is` };
  }
}

async function sqliteFinding(): Promise<Finding> {
  try {
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(":memory:");
    const found = database.prepare("SELECT sqlite_version() AS version").get();
    database.close();
    return { what: "SQLite", state: "ok", says: String(found?.version) };
  } catch (error) {
    return { what: "SQLite", state: "missing", says: `node:sqlite does not work: ${String(error)}` };
  }
}

/** Never "missing": runs start without these tools, and show what they cannot check as unchecked. */
function evaluatorFindings(env: Shell["env"]): Finding[] {
  const folder = mkdtempSync(join(tmpdir(), "l2mac-doctor-"));
  try {
    const { toolchain, sealed } = openEvaluator({ home: folder, env, announce: () => {} });
    const { python, npm } = toolchain;
    return [
      sealed.sealed
        ? { what: "sandbox", state: "ok", says: `${sealed.how}: ${SEALED_OFF}` }
        : { what: "sandbox", state: "note", says: `${sealed.how}: ${NOT_SEALED}` },
      present("python3", python, "Python projects stay unchecked"),
      present(
        "pytest",
        python && hasModule(python, "pytest") ? `pytest of ${python}` : undefined,
        "unittest is used instead",
      ),
      present(
        "names",
        python && namesChecker(python, toolchain.path),
        "undefined names in Python are found only by tests",
      ),
      present("npm", npm, "packages of JavaScript projects are not installed"),
      ...Object.entries(toolchain.tools).map(([name, tool]) => present(name, tool?.program, "")),
      ...Object.entries(toolchain.lacking).map(([name, without]) => present(name, undefined, without)),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** pyflakes and ruff find the same. */
const namesChecker = (python: string, path: string): string | undefined =>
  hasModule(python, "pyflakes") ? `pyflakes of ${python}` : findProgram("ruff", path.split(delimiter));

const SEALED_OFF =
  "generated code has no network, sees none of your files, processes and settings, and has resource limits";
const NOT_SEALED =
  "generated code can do what you can, so runs ask first, or need --unsealed; on Linux: apt-get install bubblewrap";

/** The cache can be deleted: packages are fetched again, trees laid out again. */
async function cacheFindings(home: string): Promise<Finding[]> {
  const folder = cacheFolder(home);
  if (!existsSync(folder)) return [];
  const { bytes, ageMs } = CACHE_LIMITS;
  const bounds = `packages are removed above ${size(bytes)}, or when unused for ${span(ageMs)}`;
  return [{ what: "cache", state: "ok", says: `${size(await bytesOf(folder))} in ${folder}: ${bounds}` }];
}

const present = (what: string, path: string | undefined, otherwise: string): Finding =>
  path === undefined ? { what, state: "note", says: `not found: ${otherwise}` } : { what, state: "ok", says: path };

const PROBE_MS = 10_000;
const hasModule = (python: string, name: string): boolean =>
  spawnSync(python, ["-m", name, "--version"], { timeout: PROBE_MS, stdio: "ignore" }).status === 0;
